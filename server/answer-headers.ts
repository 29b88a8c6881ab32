/** Security headers of responses. What a page may run is in content-security-policy.ts. */
import { NO_STORE } from "../app/http/cache-headers.ts";

/** For responses that are no page: if a browser shows one after all, nothing of it may run, load or be framed. */
export const NO_PAGE_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** For pictures, which a browser shows with styles of its own, and for files, which it saves. */
export const PICTURE_POLICY =
  "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REFERRER_POLICY = "strict-origin-when-cross-origin";

/** Null where the shop is not on https. */
const transportSecurity = (baseUrl: string) =>
  baseUrl.startsWith("https:") ? "max-age=31536000; includeSubDomains" : null;

/** The options of Hono's `secureHeaders` for a shop at `baseUrl`. */
export const headerSettings = (baseUrl: string) => ({
  referrerPolicy: REFERRER_POLICY,
  strictTransportSecurity: transportSecurity(baseUrl) ?? false,
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  xFrameOptions: "DENY",
  // Only browsers too old for the shop read these.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Headers of a response that refuses or redirects a request before the rest of the shop has seen it. */
export function refusalHeaders(baseUrl: string): Record<string, string> {
  const transport = transportSecurity(baseUrl);
  return {
    ...NO_STORE,
    "Content-Security-Policy": NO_PAGE_POLICY,
    "Referrer-Policy": REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
    ...(transport && { "Strict-Transport-Security": transport }),
  };
}
