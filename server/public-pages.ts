/** Which addresses are the same for everyone, and how many ways of writing one are the same page. */
import { filterQuery, parseFilters } from "../shop/catalog/filters.ts";

const PUBLIC =
  /^\/(?:shop|product\/[^/.]+|how-it-works|science|about|blog(?:\/[^/.]+)?|support|privacy|terms|warranty)?$/;

/**
 * The address under which a public page is kept, or null for a personal one. Query parameters that
 * the page does not read (utm_source and the like) are not part of it.
 */
export function publicAddress(url: string): string | null {
  // As it was sent: decoded, it might be another page's, and taking it apart wholly costs more than all the rest.
  const [path = "", search] = url.slice(url.indexOf("/", "https://".length)).split("?", 2);
  const isData = path.endsWith(".data");
  const page = isData ? path.slice(0, -".data".length).replace(/^\/_root$/, "/") : path;
  if (!PUBLIC.test(page)) return null;
  if (!search) return path;
  const asked = new URLSearchParams(search);
  const query = page === "/shop" ? filterQuery(parseFilters(asked)) : new URLSearchParams();
  const routes = asked.get("_routes");
  if (isData && routes) query.set("_routes", routes);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Whether search engines may list a page. Everything personal says noindex, however it came to be. */
export const isIndexable = (path: string): boolean => PUBLIC.test(path);
