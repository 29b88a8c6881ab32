import { Link } from "react-router";
import { Picture } from "#app/ui/product/picture.tsx";
import { brand } from "#shop/brand.ts";
import type { HomeClaims } from "#shop/content/home.ts";

export function Hero() {
  return (
    <section className="relative flex flex-col lg:px-4 lg:pt-4">
      <div className="page py-9 sm:py-12 lg:absolute lg:inset-x-0 lg:z-10 lg:pt-[min(6.5vw,11svh)]">
        <h1 className="text-[clamp(3.25rem,6.4vw,7rem)] leading-none font-semibold tracking-[-0.035em] lg:max-w-[6em]">
          Fresh food, 3x&nbsp;longer.
        </h1>
        <div className="mt-7 flex flex-wrap gap-3 lg:mt-[2.5vw]">
          <Link to="/shop" prefetch="intent" className="button button-primary max-sm:flex-1">
            Pre-Order
          </Link>
          <Link to="/how-it-works" prefetch="intent" className="button button-quiet px-5 max-sm:flex-1">
            How It Works
          </Link>
        </div>
      </div>
      <Picture
        name="banner"
        alt="An Earth Green Polara bowl on a kitchen counter, filled with lettuce, tomatoes, limes and an avocado. Its display reads 37°F."
        sizes="(min-width: 1024px) 120vw, (min-width: 640px) 140vw, 800px"
        priority
        className="block max-lg:px-[clamp(20px,4vw,48px)]"
        imgClassName="h-84 w-full rounded-card object-cover object-[83%_60%] sm:h-[58vw] sm:object-[90%_60%] lg:h-[min(100svh-96px,50vw)] lg:min-h-[520px] lg:object-[70%_60%]"
      />
    </section>
  );
}

export function WhyChoose({ reasons }: Pick<HomeClaims, "reasons">) {
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

export function ShelfLife({ chart }: { chart: string }) {
  return (
    <section className="page pb-[clamp(56px,8vw,112px)]" aria-labelledby="shelf-life">
      <div className="grid gap-x-16 gap-y-11 border-t border-ink/20 pt-[clamp(56px,6vw,88px)] lg:grid-cols-[minmax(0,1fr)_minmax(0,1.35fr)] xl:gap-x-24">
        <div className="flex flex-col items-start">
          <h2 id="shelf-life" className="display max-w-[8em]">
            One week becomes three
          </h2>
          <p className="mt-6 max-w-[30em] text-lg leading-relaxed text-ink-soft">
            Ripe tomatoes keep for a week on the counter. The bowl is made for three. Cool, moist air without ethylene
            slows everything in it down.
          </p>
          <Link to="/science" prefetch="intent" className="text-link mt-4 inline-flex min-h-11 items-center">
            Read the science
          </Link>
          <p
            aria-hidden="true"
            className="mt-auto hidden text-[clamp(8rem,16vw,14rem)] leading-[0.8] font-medium tracking-[-0.05em] text-leaf lg:block"
          >
            3x
          </p>
        </div>
        <div dangerouslySetInnerHTML={{ __html: chart }} />
      </div>
    </section>
  );
}

export function CallToAction({ promises }: Pick<HomeClaims, "promises">) {
  return (
    <section className="page section" aria-labelledby="call-to-action">
      <div className="grid overflow-hidden rounded-[20px] bg-ink text-paper lg:grid-cols-2">
        <div className="flex flex-col items-start justify-center gap-8 p-7 py-14 sm:p-14 lg:py-24 xl:p-20">
          <h2 id="call-to-action" className="display">
            Get Yours Before It's Gone
          </h2>
          <Link to="/shop" prefetch="intent" className="button bg-paper text-ink outline-paper hover:bg-white">
            Shop Polara
          </Link>
        </div>
        <Picture
          name="pro-midnight-black-lid"
          alt="The lid of a Midnight Black bowl with its ethylene filter and a ring of light around it"
          sizes="(min-width: 1320px) 660px, (min-width: 1024px) 50vw, 92vw"
          imgClassName="h-80 w-full object-cover object-[50%_55%] sm:h-110 lg:h-full lg:min-h-130"
        />
      </div>
      <ul className="mt-10 grid gap-6 sm:grid-cols-3 sm:gap-8">
        {promises.map(({ title, text }) => (
          <li key={title} className="border-t border-ink/20 pt-4">
            <h3 className="text-lg font-semibold tracking-[-0.01em]">{title}</h3>
            <p className="mt-1 text-[15px] text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
