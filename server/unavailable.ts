/** What a visitor sees while the database is away: it needs nothing but itself, and comes back by itself. */
import { brand } from "../shop/brand.ts";

export const RETRY_AFTER_SECONDS = 5;

const page = `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}">
<meta name="robots" content="noindex">
<title>Back in a moment | ${brand.name}</title>
</head>
<body style="margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;text-align:center;gap:16px;padding:24px;background:#f6f4ef;color:#16191c;font-family:system-ui,sans-serif">
<p style="margin:0;font-weight:600;color:#4f5f3f">${brand.name}</p>
<h1 style="margin:0;font-size:2rem;letter-spacing:-0.02em">We will be right back</h1>
<p style="margin:0;max-width:40ch;line-height:1.5">The shop cannot reach its records at the moment. Your cart and your orders are safe. This page tries again every ${RETRY_AFTER_SECONDS} seconds.</p>
<p style="margin:8px 0 0"><a href="" style="display:inline-block;padding:14px 28px;border-radius:999px;background:#4f5f3f;color:#fff;font-weight:600;text-decoration:none">Try again</a></p>
</body>
</html>`;

export function unavailable(): Response {
  return new Response(page, {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": String(RETRY_AFTER_SECONDS),
      "Content-Security-Policy":
        "default-src 'none'; object-src 'none'; form-action 'none'; style-src-attr 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    },
  });
}
