import { Link } from "#app/ui/chrome/link.tsx";
import type { HomeWords } from "#shop/content/home.ts";

type ShelfLifeProps = HomeWords["shelfLife"] & { chart: string; isDark?: boolean };

/** Shelf lives on the counter, in a refrigerator, and in the bowl. */
export function ShelfLife({ heading, text, chart, isDark = false }: ShelfLifeProps) {
  return (
    <section
      className={isDark ? "dark-band mt-4 bg-midnight text-paper lg:mx-4 lg:rounded-card" : ""}
      aria-labelledby="shelf-life"
    >
      <div className={isDark ? "page section pt-12! lg:pt-14!" : "page section"}>
        <div className="grid items-end gap-x-16 gap-y-6 lg:grid-cols-2">
          <h2 id="shelf-life" className="display max-w-[8em]">
            {heading}
          </h2>
          <div>
            <p className="max-w-[30em] text-lg leading-relaxed text-current/80">{text}</p>
            <Link
              to="/science"
              prefetch="intent"
              className={`mt-2 inline-flex min-h-11 items-center ${isDark ? "font-semibold underline underline-offset-4 outline-paper" : "text-link"}`}
            >
              Read the science
            </Link>
          </div>
        </div>
        <div className="mt-10 lg:mt-16" dangerouslySetInnerHTML={{ __html: chart }} />
      </div>
    </section>
  );
}
