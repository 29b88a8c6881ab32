/** What home claims of a bowl and promises to shoppers. Its loader sends it, so that no script has to carry the numbers. */
import { policyText } from "../policy-text.ts";

const { temperatureToleranceF, temperatureTolerance, filterMonths } = policyText;

export const homeClaims = {
  description: `A smart cooling bowl with temperature and humidity control and a ${policyText.filterMonthsAdjective} ethylene filter. Fruit and vegetables stay fresh 3x longer.`,
  reasons: [
    {
      figure: `±${temperatureToleranceF}`,
      title: "Smart Cooling Control",
      text: `Set a temperature and the bowl holds it within ${temperatureTolerance}. Humidity is kept where leaves and fruit like it.`,
    },
    {
      figure: filterMonths,
      title: "Ethylene Gas Absorption",
      text: `Ripening fruit gives off ethylene, which ripens the rest. The filter in the lid takes it in for ${filterMonths}.`,
    },
    {
      figure: "45% less",
      title: "Eco-Friendly Design",
      text: "Households that keep food fresh longer throw away 45% less of it. The bowl itself is recycled aluminum.",
    },
  ],
  picnic: `${policyText.batteryHours} away from the wall.`,
  promises: [
    { title: "Free Shipping", text: `On orders of ${policyText.freeShippingFrom} or more` },
    { title: `${policyText.returnDaysTitle} Returns`, text: "Your money back, no restocking fee" },
    {
      title: `${policyText.partsWarrantyYearsTitle} Warranty`,
      text: `On battery and gaskets, ${policyText.warrantyYears} on the bowl`,
    },
  ],
};
export type HomeClaims = typeof homeClaims;
