import { Fragment } from "react";
import { Link } from "#app/ui/chrome/link.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import type { HomeWords } from "#shop/content/home.ts";

type HeroProps = Pick<HomeWords, "hero"> & { price: string | null; availability: string[] };

export function Hero({ hero, price, availability }: HeroProps) {
  return (
    <section className="relative flex flex-col lg:px-4 lg:pt-4">
      <div className="page py-9 sm:py-12 lg:absolute lg:inset-x-0 lg:z-10 lg:pt-[min(5.5vw,9svh)]">
        <h1 className="text-[clamp(3.25rem,6.4vw,7rem)] leading-none font-semibold tracking-[-0.035em] lg:max-w-[6em]">
          {hero.heading}
        </h1>
        <p className="mt-5 text-lg leading-snug lg:max-w-[min(24em,36vw)] lg:text-xl lg:leading-snug">
          {price ? `${hero.text} From ${price}.` : hero.text}
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Link to="/shop" prefetch="intent" className="button button-primary max-sm:flex-1">
            Pre-Order
          </Link>
          <Link to="/how-it-works" prefetch="intent" className="button button-quiet px-5 max-sm:flex-1">
            How It Works
          </Link>
        </div>
        <p className="mt-4 text-[15px] text-balance lg:max-w-[min(26em,30vw)]">
          {availability.map((sentence, i) => (
            <Fragment key={sentence}>
              {i > 0 && " "}
              <span className="inline-block">{sentence}</span>
            </Fragment>
          ))}
        </p>
      </div>
      <div className="overflow-hidden rounded-card max-lg:mx-[clamp(20px,4vw,48px)]">
        <Picture
          name="banner"
          phone="banner-phone"
          alt="An Earth Green Polara bowl on a kitchen counter, filled with strawberries, grapes, broccoli and lettuce. There’s a mug next to it, and its display reads 37°F."
          sizes="(min-width: 1024px) 120vw, (min-width: 640px) 140vw, 92vw"
          priority
          imgClassName="push-in aspect-square w-full object-cover object-[50%_75%] sm:aspect-auto sm:h-[58vw] sm:object-[90%_60%] lg:h-[min(100svh-96px,50vw)] lg:min-h-[520px] lg:object-[70%_60%]"
        />
      </div>
    </section>
  );
}

const OBLONG = "(min-width: 768px) 46vw, 120vw";

/** Close pictures, darkened at the bottom, where the figure is. */
const macros = [
  { picture: "temperature-37", place: "object-[50%_60%]", sizes: OBLONG },
  { picture: "macro-beads", place: "object-[50%_50%]", sizes: OBLONG },
  { picture: "pro-earth-green-lid", place: "object-[40%_30%]", sizes: "(min-width: 768px) 38vw, 92vw" },
];

export function WhyChoose({ why, reasons }: Pick<HomeWords, "why" | "reasons">) {
  return (
    <section className="page section" aria-labelledby="why">
      <h2 id="why" className="display max-w-[12em]">
        {why.heading}
      </h2>
      <ul className="mt-8 grid gap-x-4 gap-y-10 md:mt-12 md:grid-cols-3 lg:gap-x-6">
        {reasons.map(({ figure, title, text }, i) => (
          <li key={title}>
            <div className="relative overflow-hidden rounded-card text-white after:absolute after:inset-x-0 after:bottom-0 after:h-1/2 after:bg-linear-to-t after:from-ink/65">
              <Picture
                name={macros[i]?.picture ?? ""}
                alt=""
                sizes={macros[i]?.sizes ?? OBLONG}
                imgClassName={`aspect-4/3 w-full object-cover md:aspect-4/5 ${macros[i]?.place}`}
              />
              <p
                aria-hidden="true"
                className="absolute bottom-5 left-6 z-10 text-[clamp(2.75rem,4.6vw,4.25rem)] leading-none font-medium tracking-[-0.035em] whitespace-nowrap lg:bottom-7 lg:left-8"
              >
                {figure}
              </p>
            </div>
            <h3 className="mt-5 text-xl font-semibold lg:text-2xl">{title}</h3>
            <p className="mt-2 max-w-[30em] leading-relaxed text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CallToAction({ callToAction, promises }: Pick<HomeWords, "callToAction" | "promises">) {
  return (
    <section className="section" aria-labelledby="call-to-action">
      <div className="grid overflow-hidden bg-ink text-paper lg:mx-4 lg:rounded-card lg:*:col-start-1 lg:*:row-start-1">
        <div className="flex flex-col items-start justify-center gap-8 px-[clamp(20px,4vw,48px)] py-14 sm:py-20 lg:z-10 lg:pl-[max(32px,calc((100vw-1320px)/2+32px))]">
          <h2 id="call-to-action" className="display lg:max-w-[8em]">
            {callToAction.heading}
          </h2>
          <Link to="/shop" prefetch="intent" className="button bg-paper text-ink outline-paper hover:bg-white">
            Shop Polara
          </Link>
        </div>
        <Picture
          name="night-counter"
          alt="A bowl on a kitchen counter at night, lit by the ring in its lid and its display at 37°F"
          sizes="(min-width: 1024px) 100vw, (min-width: 640px) 1056px, 768px"
          imgClassName="h-80 w-full object-cover object-[95%_50%] sm:h-110 lg:h-[clamp(520px,42vw,800px)]"
        />
      </div>
      <ul className="page mt-10 grid gap-6 sm:grid-cols-3 sm:gap-8">
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
