import { Link } from "#app/ui/chrome/link.tsx";
import type { HomeWords } from "#shop/content/home.ts";

/** Shelf lives on the counter, in a refrigerator, and in the bowl. */
export function ShelfLife({ heading, text, chart }: HomeWords["shelfLife"] & { chart: string }) {
  return (
    <section className="page section" aria-labelledby="shelf-life">
      <div className="grid items-end gap-x-16 gap-y-6 lg:grid-cols-2">
        <h2 id="shelf-life" className="display max-w-[8em]">
          {heading}
        </h2>
        <div>
          <p className="max-w-[30em] text-lg leading-relaxed text-ink-soft">{text}</p>
          <Link to="/science" prefetch="intent" className="text-link mt-2 inline-flex min-h-11 items-center">
            Read the science
          </Link>
        </div>
      </div>
      <div className="mt-10 lg:mt-16" dangerouslySetInnerHTML={{ __html: chart }} />
    </section>
  );
}
