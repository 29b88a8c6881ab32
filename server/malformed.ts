/** Addresses that no link of the shop has: they never reach a page or the database. */

export const MALFORMED =
  "This address holds characters that no address of the shop has. Check the link, or start again at the home page.";

const CONTROL = /%0[0ad]/i;

/** True where a URL hides NUL, CR or LF, or its path is no percent-encoded UTF-8. */
export function isMalformed(url: string): boolean {
  // Nearly all have nothing encoded: those are through at once.
  if (!url.includes("%")) return false;
  if (CONTROL.test(url)) return true;
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return false;
  } catch {
    return true;
  }
}
