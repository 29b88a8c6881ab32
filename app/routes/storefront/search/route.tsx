import { Form } from "react-router";
import { Link } from "#app/ui/chrome/link.tsx";
import { Search as Glass } from "lucide-react";
import { db } from "#platform/database.server.ts";
import type { Result } from "#shop/search/result.ts";
import { searchShop } from "#shop/search/search.server.ts";
import { MAX_QUERY_LENGTH } from "#shop/search/words.ts";
import { unlistedMeta } from "#app/http/page-meta.ts";
import { byGroup, FoundRow, WaysOn } from "#app/ui/search/search-result.tsx";
import type { Route } from "./+types/route.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  return { query, ...(await searchShop(db, query)) };
}

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  unlistedMeta({
    title: loaderData?.query ? `Search: ${loaderData.query}` : "Search",
    description: "Find products, answers, and articles.",
    path: "/search",
  });

export default function Search({ loaderData }: Route.ComponentProps) {
  const { query, results, corrected } = loaderData;
  return (
    <div className="page min-h-[65vh] pt-10 pb-24 lg:pt-16 lg:pb-32">
      <h1 className="display">Search</h1>
      <Form role="search" action="/search" className="mt-6 flex max-w-3xl gap-2 lg:mt-8">
        <input
          key={query}
          type="search"
          name="q"
          aria-label="Search the shop"
          defaultValue={query}
          maxLength={MAX_QUERY_LENGTH}
          placeholder="Products, answers, articles"
          autoComplete="off"
          enterKeyHint="search"
          className="min-h-13 min-w-0 flex-1 rounded-full border border-[#8a8d8a] bg-card px-6 text-lg hover:border-ink"
        />
        <button type="submit" className="button button-primary min-h-13 max-sm:w-13 max-sm:px-0">
          <Glass size={20} strokeWidth={2} aria-hidden />
          <span className="max-sm:sr-only">Search</span>
        </button>
      </Form>
      <p role="status" className="mt-6 text-ink-soft">
        {query && <Outcome query={query} corrected={corrected} count={results.length} />}
      </p>
      {results.length > 0 ? <Results results={results} /> : <WaysOn className="mt-8 max-w-3xl" />}
    </div>
  );
}

function Outcome({ query, corrected, count }: { query: string; corrected: string | null; count: number }) {
  if (count === 0) return <span>{`No results for “${query}”. Try another word, or one of these.`}</span>;
  const found = `${count} ${count === 1 ? "result" : "results"}`;
  if (!corrected) return <span>{`${found} for “${query}”`}</span>;
  return (
    <span>
      <span>{`${found} for `}</span>
      <strong className="font-semibold text-ink">{corrected}</strong>. We think that’s what you meant.
    </span>
  );
}

function Results({ results }: { results: Result[] }) {
  const groups = byGroup(results);
  return (
    <div
      className={`mt-8 grid items-start gap-12 lg:mt-10 lg:gap-16 ${groups.length > 1 ? "lg:grid-cols-2" : "max-w-3xl"}`}
    >
      {groups.map(([name, found], index) => (
        <section key={name} aria-labelledby={`found-${index}`}>
          <h2 id={`found-${index}`} className="text-xl font-semibold">
            {name}
          </h2>
          <ul className="mt-3">
            {found.map((result) => (
              <li key={result.id} className="border-t border-line last:border-b">
                <Link prefetch="intent" to={result.path} className="group block py-4 -outline-offset-2!">
                  <FoundRow result={result} size="page" priority={result === found[0]} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
