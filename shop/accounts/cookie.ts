/** How the names of the account's cookies begin. */
export const COOKIE_PREFIX = "polara";
