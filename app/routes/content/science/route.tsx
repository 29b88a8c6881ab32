import { pages } from "#shop/content/texts.server.ts";
import { textPage } from "#app/http/rendered-text.server.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

export const loader = () => textPage("/science", pages.science);

export default function Science({ loaderData: { title, heading, intro, cards, html } }: Route.ComponentProps) {
  return (
    <>
      <header className="page grid items-end gap-x-16 gap-y-10 pt-12 lg:grid-cols-[1.1fr_1fr] lg:pt-20">
        <div className="lg:pb-6">
          <p className="mb-4 font-semibold text-leaf">{title}</p>
          <h1 className="display">{heading}</h1>
          <p className="mt-6 max-w-[34em] text-lg text-ink-soft lg:text-xl">{intro}</p>
        </div>
        <Picture
          name="pro-earth-green-exploded"
          alt="An Earth Green bowl cut in half, with its lid and the filter floating above it"
          sizes="(min-width: 1320px) 560px, (min-width: 1024px) 44vw, 92vw"
          priority
          imgClassName="aspect-square w-full rounded-[20px] object-cover"
        />
      </header>
      <ul className="page mt-6 grid gap-4 md:grid-cols-3 lg:mt-10 lg:gap-6">
        {cards.map((card) => (
          <li
            key={card.title}
            className="flex flex-col justify-between gap-10 rounded-card bg-card p-7 lg:min-h-80 lg:p-9"
          >
            <p className="text-[clamp(2.5rem,4vw,3.75rem)] leading-none font-medium tracking-[-0.035em] whitespace-nowrap text-leaf">
              {card.figure}
            </p>
            <div>
              <h2 className="text-xl font-semibold lg:text-2xl">{card.title}</h2>
              <p className="mt-3 leading-relaxed text-ink-soft">{card.text}</p>
            </div>
          </li>
        ))}
      </ul>
      <article className="page section">
        <Prose html={html} className="mx-auto max-w-[44rem]" />
      </article>
    </>
  );
}
