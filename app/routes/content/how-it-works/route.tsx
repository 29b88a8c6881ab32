import { Link } from "#app/ui/chrome/link.tsx";
import { pages } from "#shop/content/texts.server.ts";
import { textPage } from "#app/http/rendered-text.server.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import { insideDrawing } from "./inside.server.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

export function loader() {
  const { front, Content } = pages().howItWorks;
  return textPage("/how-it-works", { front: { ...front, inside: insideDrawing() }, Content });
}

export default function HowItWorks({
  loaderData: { title, heading, intro, steps, inside, closing, html },
}: Route.ComponentProps) {
  return (
    <>
      <header className="page pt-12 lg:pt-24">
        <p className="mb-4 font-semibold text-leaf">{title}</p>
        <h1 className="display max-w-[13em]">{heading}</h1>
        <p className="mt-6 max-w-[38em] text-lg text-ink-soft lg:text-xl">{intro}</p>
      </header>
      <div className="page mt-10 lg:mt-16">
        <Picture
          name="banner-colors"
          alt="Three bowls side by side: Frost White and Midnight Black closed, Earth Green between them open and full of berries and carrots"
          sizes="(min-width: 1273px) 1344px, (min-width: 640px) 106vw, 92vw"
          priority
          imgClassName="aspect-12/5 w-full rounded-card object-cover sm:aspect-auto sm:h-[clamp(260px,44vw,560px)]"
        />
      </div>
      <ol className="page section grid gap-y-16 lg:gap-y-28">
        {steps.map((step, i) => (
          <li key={step.title} className="group grid items-center gap-x-16 gap-y-7 lg:grid-cols-2 xl:gap-x-24">
            <Picture
              name={step.picture}
              alt={step.pictureAlt}
              sizes="(min-width: 1320px) 580px, (min-width: 1024px) 46vw, 92vw"
              className="lg:group-even:order-2"
              imgClassName="aspect-5/4 w-full rounded-card object-cover object-[50%_60%]"
            />
            <div className="max-w-[34rem]">
              <p
                aria-hidden="true"
                className="text-5xl leading-none font-medium tracking-[-0.035em] text-leaf tabular-nums lg:text-7xl"
              >
                {i + 1}
              </p>
              <h2 className="heading mt-5 lg:mt-8">{step.title}</h2>
              <p className="mt-4 text-lg leading-relaxed text-ink-soft">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
      <div dangerouslySetInnerHTML={{ __html: inside }} />
      <section className="page pb-24 lg:pb-32" aria-labelledby="closing">
        <div className="grid overflow-hidden rounded-card bg-leaf-light lg:grid-cols-2">
          <div className="flex flex-col justify-center px-7 py-14 sm:p-14 xl:p-20">
            <h2 id="closing" className="display max-w-[12em]">
              {closing}
            </h2>
            <Prose html={html} className="mt-5 max-w-[36em] text-lg" />
            <p className="mt-8 flex flex-wrap items-center gap-x-7 gap-y-3">
              <Link prefetch="intent" to="/shop" className="button button-primary">
                Shop Polara
              </Link>
              <Link prefetch="intent" to="/science" className="text-link flex min-h-11 items-center">
                Read the science
              </Link>
            </p>
          </div>
          <Picture
            name="night-counter"
            alt="A bowl on a kitchen counter at night, lit by the ring in its lid and its display at 37°F"
            sizes="(min-width: 1024px) 1250px, 160vw"
            imgClassName="aspect-3/2 size-full object-cover object-[95%_50%] lg:aspect-auto lg:h-full lg:min-h-130"
          />
        </div>
      </section>
    </>
  );
}
