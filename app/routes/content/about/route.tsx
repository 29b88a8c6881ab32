import { Link } from "#app/ui/chrome/link.tsx";
import { pages } from "#shop/content/texts.server.ts";
import { textPage } from "#app/http/rendered-text.server.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { Prose } from "#app/ui/content/prose.tsx";
import type { Route } from "./+types/route.ts";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { textMeta as meta } from "#app/http/page-meta.ts";

export const loader = () => textPage("/about", pages().about);

export default function About({ loaderData: { title, heading, intro, stats, html } }: Route.ComponentProps) {
  return (
    <>
      <header className="page pt-12 lg:pt-24">
        <p className="mb-4 font-semibold text-leaf">{title}</p>
        <h1 className="display max-w-[12em]">{heading}</h1>
        <p className="mt-6 max-w-[34em] text-lg text-ink-soft lg:text-xl">{intro}</p>
        <Picture
          name="lifestyle-counter"
          alt="An Earth Green bowl full of vegetables in morning light, its lid leaning next to it"
          sizes="(min-width: 1320px) 1224px, (min-width: 480px) 94vw, 450px"
          priority
          className="mt-10 block lg:mt-16"
          imgClassName="h-[clamp(300px,48vw,640px)] w-full rounded-card object-cover object-[50%_60%]"
        />
      </header>
      <dl className="page mt-10 grid gap-8 sm:grid-cols-3 lg:mt-16">
        {stats.map(({ figure, label }) => (
          <div key={label} className="flex flex-col-reverse justify-end border-t border-ink/20 pt-5">
            <dt className="mt-2 text-lg text-ink-soft">{label}</dt>
            <dd className="text-[clamp(3.5rem,7vw,6rem)] leading-none font-medium tracking-[-0.04em] text-leaf">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
      <article className="page section">
        <Prose html={html} className="beside text-lg" />
        <p className="mt-12 lg:ml-[calc((100%-4rem)/3+4rem)]">
          <Link prefetch="intent" to="/shop" className="button button-primary">
            Shop Polara
          </Link>
        </p>
      </article>
    </>
  );
}
