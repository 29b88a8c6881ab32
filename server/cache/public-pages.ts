/** Which addresses are public pages, the same for everyone, and which spellings mean the same page. */
import { listQuery, parseFilters, parsePage } from "../../shop/catalog/filters.ts";
import { ORDER_PARAMETER, publicPageAt, routeId } from "../../shop/pages.ts";
import type { Place } from "./page-cache.ts";

const DATA = ".data";
const HOME_DATA = "/_.data";

/** The page of an address, also where the address asks for its data alone. */
function pageOf(path: string): string {
  if (!path.endsWith(DATA)) return path;
  return path === HOME_DATA ? "/" : path.length > "/.data".length ? path.slice(0, -DATA.length) : "";
}

/**
 * Where a public page is cached. Null for a personal page, and for an address in another spelling than the shop's own.
 * Query parameters that the page does not read (utm_source and the like) are left out, so that there are only as many
 * places as there are pages and filters.
 */
export function publicAddress(url: string): Place | null {
  // Read as it was sent: decoded, it could be another page's, and parsing the whole URL would cost more than the rest.
  const [path = "", search] = url.slice(url.indexOf("/", "https://".length)).split("?", 2);
  const page = pageOf(path);
  const declared = publicPageAt(page);
  if (!declared) return null;
  const part = page.startsWith("/product/") ? "products" : "fixed";
  if (!search) return { address: path, part };
  const asked = new URLSearchParams(search);
  if (page === "/support" && asked.has(ORDER_PARAMETER)) return null;
  const query = page === "/shop" ? listQuery(parseFilters(asked), parsePage(asked)) : new URLSearchParams();
  const isFiltered = query.size > 0;
  const routes = path === page ? null : asked.get("_routes");
  if (routes) {
    if (routes !== routeId(declared)) return null;
    query.set("_routes", routes);
  }
  return { address: query.size > 0 ? `${path}?${query}` : path, part: isFiltered ? "filtered" : part };
}

/**
 * The address of a public page that was asked for in another spelling: escaped letters, doubled or trailing
 * slashes, capitals. Null where there is nothing to correct.
 */
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
  // Only the first part is lower-cased: slugs have no capitals, so one that has is of no page.
  path = path.replace(/^\/[^/]*/, (first) => first.toLowerCase());
  return path !== sent && publicPageAt(pageOf(path)) ? path + search : null;
}

/** Whether search engines may list a page. Everything personal says noindex, however it came to be. */
export const isIndexable = (path: string): boolean => publicPageAt(path) !== null;

const PERSONAL =
  /^\/(?:cart|checkout|account|personal|wishlist|waitlist|auth|reset-password|orders|api\/auth|api\/me|mailbox|payments)(?:[/.]|$)/;

/** Whether a page is somebody's own, which shopping asks for again and again. */
export const isPersonal = (path: string): boolean => PERSONAL.test(path);
