/** The Content-Security-Policy of a page. */
import { createHash } from "node:crypto";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { config } from "./config.server.ts";

/** The toast library inserts a style element, first empty, then with a constant text. */
const TOAST_STYLE_HASHES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/**
 * Replaces the nonces of a document by hashes: removes `mark`, the nonce it was rendered with, and allows exactly the
 * scripts that had it. Injected scripts cannot know it, since it is random for each render and never sent.
 */
export function contentSecurityPolicy(marked: string, mark: string, path: string): { html: string; policy: string } {
  const pieces = marked.split(` nonce="${mark}"`);
  const hashes = new Set<string>();
  for (let i = 1; i < pieces.length; i++) {
    const [before = "", after = ""] = [pieces[i - 1], pieces[i]];
    if (!before.startsWith("<script", before.lastIndexOf("<"))) continue;
    // The mark never occurs in a script's text, so a script ends in the piece in which it begins.
    const code = after.slice(after.indexOf(">") + 1, after.indexOf("</script>"));
    if (code !== "") hashes.add(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  }
  return { html: pieces.join(""), policy: policyWith([...hashes], path) };
}

/** Pages whose forms redirect to the payment page. */
const PAYS = /^\/(?:checkout$|orders\/|payments\/)/;

function policyWith(hashes: string[], path: string): string {
  const { google, baseUrl } = config();
  const googleOrigin = google && new URL(google.issuer).origin;
  const payAt = PAYS.test(path) ? Object.values(paymentProviders() ?? {}).map(({ pageOrigin }) => pageOrigin) : [];
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(" ")}`.trim(),
    `style-src 'self' ${TOAST_STYLE_HASHES}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Without JavaScript these forms are redirected to Google or the payment page.
    ["form-action 'self'", ...new Set([...(googleOrigin ? [googleOrigin] : []), ...payAt])]
      .filter((origin) => origin !== baseUrl)
      .join(" "),
    "frame-ancestors 'none'",
    ...(baseUrl.startsWith("https:") ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
