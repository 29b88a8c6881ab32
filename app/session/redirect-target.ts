/** The `redirect` parameter: a path of this shop, never another site. */
const ANYWHERE = "http://shop.invalid";

export function redirectTarget(wanted: unknown): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || !URL.canParse(wanted, ANYWHERE)) return "/";
  const url = new URL(wanted, ANYWHERE);
  if (url.origin !== ANYWHERE || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
