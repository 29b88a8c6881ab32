import { brand } from "../../../../shop/brand.ts";
import { productPolicy } from "../../../../shop/policies.ts";
import { withUnit } from "../../../../shop/units.ts";

const { temperatureToleranceF } = productPolicy;
const filterLife = withUnit(productPolicy.filterMonths, "month");

const reasons = [
  {
    figure: `±${temperatureToleranceF}°F`,
    title: "Smart Cooling Control",
    text: `Set a temperature and the bowl holds it within ${withUnit(temperatureToleranceF, "degree")}. Humidity is kept where leaves and fruit like it.`,
  },
  {
    figure: filterLife,
    title: "Ethylene Gas Absorption",
    text: `Ripening fruit gives off ethylene, which ripens the rest. The filter in the lid takes it in for ${filterLife}.`,
  },
  {
    figure: "45% less",
    title: "Eco-Friendly Design",
    text: "Households that keep food fresh longer throw away 45% less of it. The bowl itself is recycled aluminum.",
  },
];

export function WhyChoose() {
  return (
    <section className="page section" aria-labelledby="why">
      <h2 id="why" className="display max-w-[12em]">
        Why Choose {brand.name}
      </h2>
      <ul className="mt-10 grid gap-4 md:mt-16 md:grid-cols-3 lg:gap-6">
        {reasons.map(({ figure, title, text }) => (
          <li key={title} className="flex flex-col justify-between gap-14 rounded-card bg-card p-7 md:min-h-96 lg:p-9">
            <p
              aria-hidden="true"
              className="text-[clamp(2.75rem,4.6vw,4.25rem)] leading-none font-medium tracking-[-0.035em] whitespace-nowrap text-leaf"
            >
              {figure}
            </p>
            <div>
              <h3 className="text-xl font-semibold lg:text-2xl">{title}</h3>
              <p className="mt-3 leading-relaxed text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
