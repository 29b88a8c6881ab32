/** URLs of public pages, which are the same for everyone, and their canonical spelling. */
import { listQuery, parseFilters, parsePage } from "#shop/catalog/filters.ts";
import { ORDER_PARAMETER, publicPageAt, routeId } from "#shop/pages.ts";
import type { Place } from "./page-cache.ts";

const DATA = ".data";
const HOME_DATA = "/_.data";

function pageOf(path: string): string {
  if (!path.endsWith(DATA)) return path;
  return path === HOME_DATA ? "/" : path.length > "/.data".length ? path.slice(0, -DATA.length) : "";
}

/**
 * The cache key of a public page. Null for personal pages and non-canonical URLs. Unknown query parameters (utm_source
 * and the like) are ignored, so that keys are limited to pages and filters.
 */
export function publicAddress(url: string): Place | null {
  // The raw path is compared: decoding could turn it into another page's, and a full parse costs more than the lookup.
  const [path = "", search] = url.slice(url.indexOf("/", "https://".length)).split("?", 2);
  const page = pageOf(path);
  const declared = publicPageAt(page);
  if (!declared) return null;
  const part = page.startsWith("/product/") ? "products" : "fixed";
  if (!search) return { address: path, part };
  const parameters = new URLSearchParams(search);
  if (page === "/support" && parameters.has(ORDER_PARAMETER)) return null;
  const query = page === "/shop" ? listQuery(parseFilters(parameters), parsePage(parameters)) : new URLSearchParams();
  const isFiltered = query.size > 0;
  const routes = path === page ? null : parameters.get("_routes");
  if (routes) {
    if (routes !== routeId(declared)) return null;
    query.set("_routes", routes);
  }
  return { address: query.size > 0 ? `${path}?${query}` : path, part: isFiltered ? "filtered" : part };
}

/** The cache key of a list, whose filters and pages never push out the whole of it. */
export const listPlace = (path: string, query: URLSearchParams): Place =>
  query.size > 0 ? { address: `${path}?${query}`, part: "filtered" } : { address: path, part: "fixed" };

/** The canonical URL for escaped letters, doubled or trailing slashes, or capitals; null if the URL is canonical. */
export function correctedAddress(url: string): string | null {
  const [sent = ""] = url.slice(url.indexOf("/", "https://".length)).split("?", 1);
  const { pathname, search } = new URL(url);
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  path = path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  // Slugs have no capitals, so only the first segment is lower-cased.
  path = path.replace(/^\/[^/]*/, (first) => first.toLowerCase());
  return path !== sent && publicPageAt(pageOf(path)) ? path + search : null;
}

export const isIndexable = (path: string): boolean => publicPageAt(path) !== null;

const PERSONAL =
  /^\/(?:cart|checkout|account|personal|wishlist|waitlist|auth|reset-password|orders|api\/auth|api\/me|mailbox|payments|unsubscribe|back-in-stock)(?:[/.]|$)/;

export const isPersonal = (path: string): boolean => PERSONAL.test(path);

/** True for an encoded NUL, CR or LF in the URL, which no link of the shop contains. */
export const isMalformed = (url: string): boolean => /%0[0ad]/i.test(url);
