/** The headers that keep a page to itself. */
import { createHash } from "node:crypto";

/** The toast library inserts a style element, first empty, then with its own constant text. */
const TOAST_STYLE_HASHES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

const GOOGLE = process.env.GOOGLE_CLIENT_ID
  ? new URL(process.env.GOOGLE_ISSUER || "https://accounts.google.com").origin
  : "";

const inlineScript = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g;

/** For what is no page: nothing of it may run, load or be framed where a browser shows it after all. */
export const NO_PAGE_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** A Content-Security-Policy that allows exactly the inline scripts of this document, whose bytes are read as Latin-1. */
export function contentSecurityPolicy(html: string): string {
  const hashes = new Set<string>();
  for (const [, attributes = "", text = ""] of html.matchAll(inlineScript)) {
    if (attributes.includes("application/ld+json") || text === "") continue;
    hashes.add(`'sha256-${createHash("sha256").update(text, "latin1").digest("base64")}'`);
  }
  return [
    "default-src 'self'",
    `script-src 'self' ${[...hashes].join(" ")}`.trim(),
    `style-src 'self' ${TOAST_STYLE_HASHES}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Without JavaScript the Google button is a form that is redirected there.
    `form-action 'self' ${GOOGLE}`.trim(),
    "frame-ancestors 'none'",
    ...(process.env.BASE_URL?.startsWith("https:") ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
