/** The settings as the fields of their forms. */
import { decimalMoney } from "#shop/money.ts";
import { BOXES, METHODS } from "./settings-form.ts";
import type { Section, Settings } from "./settings.ts";

function typedParcels({ shipFrom, ...boxes }: Settings["parcels"]): Record<string, string> {
  const { name, line1, city, state, postalCode, phone } = shipFrom;
  const typed: Record<string, string> = {
    fromName: name,
    fromLine1: line1,
    fromCity: city,
    fromState: state,
    fromPostalCode: postalCode,
    fromPhone: phone,
  };
  for (const box of BOXES) {
    typed[`${box}Inches`] = boxes[box].inches.join(" x ");
    typed[`${box}Ounces`] = String(boxes[box].ounces);
    typed[`${box}Holds`] = String(boxes[box].holdsOunces);
  }
  return typed;
}

/** The settings as text, by section and name of the field. */
export function typedSettings({
  shipping,
  returns,
  contact,
  payments,
  tax,
  limits,
  social,
  parcels,
}: Settings): Record<Section, Record<string, string>> {
  const typed: Record<string, string> = { freeFrom: decimalMoney(shipping.freeFromCents) };
  for (const method of METHODS) {
    const { name, isOffered, isFree, priceCents, businessDays } = shipping[method];
    typed[`${method}Name`] = name;
    typed[`${method}Offered`] = isOffered ? "on" : "";
    typed[`${method}Free`] = isFree ? "on" : "";
    typed[`${method}Price`] = decimalMoney(priceCents);
    typed[`${method}Min`] = String(businessDays.min);
    typed[`${method}Max`] = String(businessDays.max);
  }
  const texts = (values: Record<string, number | string | string[] | null>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join("\n") : String(value ?? ""),
      ]),
    );
  const ticks = (values: Record<string, boolean>) =>
    Object.fromEntries(Object.entries(values).map(([name, isOn]) => [name, isOn ? "on" : ""]));
  return {
    shipping: typed,
    returns: texts(returns),
    contact: texts(contact),
    payments: ticks(payments),
    tax: ticks(tax),
    limits: texts(limits),
    social: texts(social),
    parcels: typedParcels(parcels),
  };
}
