import { db } from "#platform/database.server.ts";
import { searchShop } from "#shop/search/search.server.ts";
import type { Route } from "./+types/results-json.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

const SUGGESTIONS = 7;

/** Search suggestions, never cached, because their prices must be current. */
export async function loader({ request }: Route.LoaderArgs) {
  const { results, corrected } = await searchShop(db, new URL(request.url).searchParams.get("q") ?? "");
  return Response.json(
    { results: results.slice(0, SUGGESTIONS), corrected },
    { headers: { ...NO_STORE, "X-Robots-Tag": "noindex" } },
  );
}
