/** Recognizes addresses that no link of the shop can have, so that they never reach a page or the database. */

export const MALFORMED =
  "This address holds characters that no address of the shop has. Check the link, or start again at the home page.";

/** True where a URL hides NUL, CR or LF, in its path or its query. */
export const isMalformed = (url: string): boolean => /%0[0ad]/i.test(url);
