import { Link } from "#app/ui/chrome/link.tsx";
import type { ProductSections } from "#shop/catalog/product-sections.ts";
import { Picture } from "#app/ui/product/picture.tsx";

/** Ends of the scale, in °F. */
const [LOW, HIGH] = [32, 60];
const along = (temperature: number) => `${((temperature - LOW) / (HIGH - LOW)) * 100}%`;

/** The temperatures that foods like, each on a scale with the bowl's own range. */
export function Temperatures({ range, text, foods, shots }: NonNullable<ProductSections["temperatures"]>) {
  const [low, high] = range;
  return (
    <section aria-labelledby="temperatures" className="page">
      <div className="overflow-hidden rounded-[20px] bg-midnight text-paper">
        {shots.length > 0 && (
          <div className="grid grid-cols-2">
            {shots.map(({ picture, alt }) => (
              <Picture
                key={picture}
                name={picture}
                alt={alt}
                sizes="(min-width: 1320px) 660px, (min-width: 640px) 48vw, 72vw"
                imgClassName="aspect-square w-full object-cover sm:aspect-3/2"
              />
            ))}
          </div>
        )}
        <div className="grid gap-x-16 gap-y-12 px-6 py-12 sm:p-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] xl:gap-x-24 xl:p-20">
          <div className="flex flex-col items-start">
            <h2 id="temperatures" className="display [&>span]:block">
              <span>37°F for berries.</span> <span>50°F for tomatoes.</span>
            </h2>
            <p className="mt-6 max-w-[30em] text-lg leading-relaxed text-paper/85">{text}</p>
            <Link
              to="/science"
              prefetch="intent"
              className="mt-4 inline-flex min-h-11 items-center font-semibold underline underline-offset-4 outline-paper"
            >
              Read the science
            </Link>
          </div>
          <figure>
            <ul className="grid gap-8">
              {foods.map(({ temperature, foods: names, why }) => (
                <li key={names} className="grid grid-cols-[5rem_1fr] gap-x-4 sm:grid-cols-[8rem_1fr]">
                  <p className="text-xl leading-snug font-semibold tracking-[-0.02em] tabular-nums sm:text-3xl sm:leading-none">
                    {temperature === null ? "Counter" : `${temperature}°F`}
                  </p>
                  <div>
                    <p className="text-lg leading-snug font-medium">{names}</p>
                    <p className="mt-1 text-[15px] text-paper/75">{why}</p>
                    <Scale low={low} high={high} temperature={temperature ?? HIGH} />
                  </div>
                </li>
              ))}
            </ul>
            <figcaption className="mt-9 border-t border-paper/25 pt-4 text-sm leading-relaxed text-paper/75">
              The bar shows this bowl’s range, <span>{low}</span> to <span>{high}</span>°F. Storage temperatures: USDA
              Agriculture Handbook 66.
            </figcaption>
          </figure>
        </div>
      </div>
    </section>
  );
}

function Scale({ low, high, temperature }: { low: number; high: number; temperature: number }) {
  return (
    <svg aria-hidden="true" width="100%" height="16" className="mt-3 block overflow-visible">
      <rect y="6" width="100%" height="4" rx="2" className="fill-paper/20" />
      <rect
        x={along(low)}
        y="6"
        width={`${((high - low) / (HIGH - LOW)) * 100}%`}
        height="4"
        rx="2"
        className="fill-paper/70"
      />
      <circle cx={along(temperature)} cy="8" r="7" className="fill-mint stroke-midnight" strokeWidth="3" />
    </svg>
  );
}
