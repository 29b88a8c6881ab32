/** Security headers of responses. The policy of pages is in content-security-policy.ts. */
import { NO_STORE } from "#platform/cache-headers.ts";

/** Responses other than pages: a browser that displays one must not run, load or frame anything. */
const NO_PAGE_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const PICTURE_POLICY =
  "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of a response that is not a page. */
export const policyOf = (headers: Headers): string =>
  headers.has("Content-Disposition") || headers.get("Content-Type")?.startsWith("image/")
    ? PICTURE_POLICY
    : NO_PAGE_POLICY;

const REFERRER_POLICY = "strict-origin-when-cross-origin";
/** Addresses that contain a key. With no-referrer, forms would lose their Origin. */
const KEYED =
  /^\/(?:orders|payments)\/|^\/(?:admin\/join|auth\/verify|reset-password|unsubscribe|waitlist\/(?:early|unsubscribe))(?:\.data)?$/;

/** The referrer policy of a response that sets none. */
export function referrerPolicyOf(path: string, status: number): string {
  if (!KEYED.test(path)) return REFERRER_POLICY;
  return status === 303 ? "no-referrer" : "same-origin";
}

const transportSecurity = (baseUrl: string) =>
  baseUrl.startsWith("https:") ? "max-age=31536000; includeSubDomains" : null;

export const headerSettings = (baseUrl: string) => ({
  referrerPolicy: false,
  strictTransportSecurity: transportSecurity(baseUrl) ?? false,
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  xFrameOptions: "DENY",
  // Headers for browsers that the shop does not support.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

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
