import { brand } from "../../../../shop/brand.ts";
import type { HomeClaims } from "../../../../shop/content/claims.ts";

export default function WhyChoose({ reasons }: Pick<HomeClaims, "reasons">) {
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
