/** Pages that load nothing else, for when the database is away, or too much is asked at once or by one network. */
import { brand } from "../shop/brand.ts";
import { NO_STORE } from "../app/http/cache-headers.ts";

export const RETRY_AFTER_SECONDS = 5;

type Page = { title: string; heading: string; text: string; refreshSeconds: number };

const page = ({ title, heading, text, refreshSeconds }: Page) => `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${refreshSeconds}">
<meta name="robots" content="noindex">
<title>${title} | ${brand.name}</title>
</head>
<body style="margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;text-align:center;gap:16px;padding:24px;background:#f6f4ef;color:#16191c;font-family:system-ui,sans-serif">
<p style="margin:0;font-weight:600;color:#4f5f3f">${brand.name}</p>
<h1 style="margin:0;font-size:2rem;letter-spacing:-0.02em">${heading}</h1>
<p style="margin:0;max-width:40ch;line-height:1.5">${text}</p>
<p style="margin:8px 0 0"><a href="" style="display:inline-block;padding:14px 28px;border-radius:999px;background:#4f5f3f;color:#fff;font-weight:600;text-decoration:none">Try again</a></p>
</body>
</html>`;

const response = (status: number, retryAfter: number, html: string) =>
  new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      ...NO_STORE,
      "Retry-After": String(retryAfter),
      "Content-Security-Policy":
        "default-src 'none'; object-src 'none'; form-action 'none'; style-src-attr 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    },
  });

/** A page for now, which tries again by itself. */
const comeBack = (title: string, heading: string, why: string) =>
  response(
    503,
    RETRY_AFTER_SECONDS,
    page({
      title,
      heading,
      text: `${why} Your cart and your orders are safe. This page tries again every ${RETRY_AFTER_SECONDS} seconds.`,
      refreshSeconds: RETRY_AFTER_SECONDS,
    }),
  );

export const unavailable = (): Response =>
  comeBack("Back in a moment", "We will be right back", "The shop cannot reach its records at the moment.");

/** The response where so many ask at once that a turn would come too late. */
export const busy = (): Response =>
  comeBack("One moment", "Many people are here", "More people are shopping than we can serve at once.");

/** The response to a network that has asked for too much: a page, or plain text for programs. */
export function tooManyRequests(seconds: number, form: "page" | "text"): Response {
  const wait = `Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}, then try again.`;
  if (form === "text") {
    return new Response(`That was a lot at once. ${wait}`, {
      status: 429,
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        ...NO_STORE,
        "Retry-After": String(seconds),
      },
    });
  }
  return response(
    429,
    seconds,
    page({
      title: "One moment",
      heading: "That was a lot at once",
      text: `Your network has asked for more pages than the shop makes for one in a minute. Your cart and your orders are safe. ${wait}`,
      refreshSeconds: seconds,
    }),
  );
}
