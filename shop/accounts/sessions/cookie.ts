/** What the shop's cookies are called: where it is https, so that no other host of its domain can set them. */

/** `base` as the name of a cookie of the shop at `baseUrl`, or as what such names begin with. */
export const cookieName = (baseUrl: string, base: string): string => (isHttps(baseUrl) ? `__Host-${base}` : base);

export const isHttps = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** How the names of the account's cookies begin. */
export const ACCOUNT_COOKIES = "polara";
