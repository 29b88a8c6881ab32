/** The headers that answers have by which a browser keeps them to themselves; what a page may run is in content-security-policy.ts. */

/** For what is no page: nothing of it may run, load or be framed where a browser shows it after all. */
export const NO_PAGE_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** For pictures, which a browser shows by itself with styles of its own, and for files, which it saves. */
export const PICTURE_POLICY =
  "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REFERRER_POLICY = "strict-origin-when-cross-origin";

/** Null where the shop is not on https. */
const transportSecurity = (baseUrl: string) =>
  baseUrl.startsWith("https:") ? "max-age=31536000; includeSubDomains" : null;

/** How `secureHeaders` is set for a shop at `baseUrl`. */
export const headerSettings = (baseUrl: string) => ({
  referrerPolicy: REFERRER_POLICY,
  strictTransportSecurity: transportSecurity(baseUrl) ?? false,
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  xFrameOptions: "DENY",
  // Only browsers that the shop does not run in ever read these.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** What an answer says that is refused or led elsewhere before anything else of the shop has seen its request. */
export function refusalHeaders(baseUrl: string): Record<string, string> {
  const transport = transportSecurity(baseUrl);
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": NO_PAGE_POLICY,
    "Referrer-Policy": REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
    ...(transport && { "Strict-Transport-Security": transport }),
  };
}
