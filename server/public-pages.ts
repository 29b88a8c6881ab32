/** Which addresses are the same for everyone, and how many ways of writing one are the same page. */
import { filterQuery, parseFilters } from "../shop/catalog/filters.ts";

const PUBLIC =
  /^\/(?:shop|product\/[^/]+|how-it-works|science|about|blog(?:\/[^/]+)?|support|privacy|terms|warranty)?$/;

/**
 * The address under which a public page is kept, or null for a personal one. Query parameters that
 * the page does not read (utm_source and the like) are not part of it.
 */
export function publicAddress(url: URL): URL | null {
  const isData = url.pathname.endsWith(".data");
  const path = isData ? url.pathname.slice(0, -".data".length).replace(/^\/_root$/, "/") : url.pathname;
  if (!PUBLIC.test(path)) return null;
  const address = new URL(url.pathname, url.origin);
  const query = path === "/shop" ? filterQuery(parseFilters(url.searchParams)) : new URLSearchParams();
  const routes = url.searchParams.get("_routes");
  if (isData && routes) query.set("_routes", routes);
  address.search = query.toString();
  return address;
}

/** Whether search engines may list a page. Everything personal says noindex, however it came to be. */
export function isIndexable({ pathname }: URL): boolean {
  return PUBLIC.test(pathname);
}
