import { Link } from "#app/ui/chrome/link.tsx";
import type { ProductSections } from "#shop/catalog/product-sections.ts";
import { Picture } from "#app/ui/product/picture.tsx";

/** Ends of the scale, in °F. */
const [LOW, HIGH] = [32, 60];
const along = (temperature: number) => `${((temperature - LOW) / (HIGH - LOW)) * 100}%`;

type Shown = NonNullable<ProductSections["temperatures"]>;

/** The temperatures that foods like, each on a scale with the bowl's own range. */
export function Temperatures({ range, text, foods, shots, light, colorHex }: Shown & { colorHex: string | null }) {
  const [low, high] = range;
  return (
    <section aria-labelledby="temperatures" className="overflow-hidden bg-midnight text-paper lg:mx-4 lg:rounded-card">
      {shots.length > 0 && (
        <div className="grid grid-cols-2">
          {shots.map(({ picture, alt }) => (
            <Picture
              key={picture}
              name={picture}
              alt={alt}
              sizes="(min-width: 640px) 50vw, 75vw"
              imgClassName="aspect-square w-full object-cover sm:aspect-3/2"
            />
          ))}
        </div>
      )}
      {light && <Light {...light} colorHex={colorHex} />}
      <div className="page section grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] xl:gap-x-24">
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
            Agriculture Handbook&nbsp;66.
          </figcaption>
        </figure>
      </div>
    </section>
  );
}

const GLOW = { blue: "#8fbcff", green: "#7ee0a2", amber: "#ffb65c" };
const TIMES = ["", "once", "twice", "three times"];

/** The front of a bowl without a display, drawn at each of its settings. */
function Light({ text, states, colorHex }: NonNullable<Shown["light"]> & { colorHex: string | null }) {
  return (
    <div className="page pt-12 xl:pt-20">
      <div className="grid gap-x-16 gap-y-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] lg:items-end xl:gap-x-24">
        <h2 className="heading">Set It by Its Light</h2>
        <p className="max-w-[32em] text-lg text-paper/85">{text}</p>
      </div>
      <ul className="mt-8 grid grid-cols-3 gap-2.5 sm:gap-4">
        {states.map(({ temperature, blinks, color }) => (
          <li key={temperature}>
            <Front color={GLOW[color]} blinks={blinks} fill={colorHex ?? undefined} />
            <p className="mt-4 text-xl font-semibold tracking-[-0.02em] tabular-nums sm:text-3xl">{`${temperature}°F`}</p>
            <p className="mt-1 text-[15px] text-paper/75">{`Blinks ${TIMES[blinks]} in ${color}`}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Front({ color, blinks, fill = "#7b8467" }: { color: string; blinks: number; fill: string | undefined }) {
  const isLight = parseInt(fill.slice(1, 3), 16) > 160;
  const mark = {
    className: isLight ? "stroke-ink/55" : "stroke-paper/70",
    strokeWidth: 3,
    strokeLinecap: "round",
  } as const;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 300 200"
      preserveAspectRatio="xMidYMid slice"
      className="block aspect-square w-full rounded-card sm:aspect-3/2"
      style={{ background: `linear-gradient(#fff2, #fff0 50%, #0005), ${fill}` }}
    >
      <path d="M66 92h26M208 92h26M221 79v26" {...mark} />
      <circle cx="150" cy="92" r="30" fill={color} opacity=".16" />
      <circle cx="150" cy="92" r="18" fill={color} opacity=".3" />
      <circle cx="150" cy="92" r="9" fill={color} className={isLight ? "stroke-ink/40" : undefined} />
      <g fill={color} className={isLight ? "stroke-ink/40" : undefined}>
        {Array.from({ length: blinks }, (_, i) => (
          <rect key={i} x={150 + (i - (blinks - 1) / 2) * 30 - 11} y="158" width="22" height="6" rx="3" />
        ))}
      </g>
    </svg>
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
