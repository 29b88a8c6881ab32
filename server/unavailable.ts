/** Self-contained pages for an unavailable database, an overloaded shop and exceeded limits. */
import { brand } from "#shop/brand.ts";
import { NO_STORE } from "#platform/cache-headers.ts";

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

const retryLater = (title: string, heading: string, why: string) =>
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
  retryLater("Back in a moment", "We’ll be right back", "The shop can’t reach its records right now.");

export const busy = (): Response =>
  retryLater("One moment", "It’s busy in here", "More people are shopping than we can serve at once.");

/** Clients that disconnect while sending a form are no failure of the shop. */
export const gone = (): Response => new Response(null, { status: 400 });

/** The response to an exceeded limit: a page, or plain text for programs. */
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
      text: `Your network has opened more pages in a minute than we allow. Your cart and your orders are safe. ${wait}`,
      refreshSeconds: seconds,
    }),
  );
}

/**
 * Returns a function that runs `work`, or `instead` if `max` others are in progress, or `maxOfOne` of the same network.
 * Work of no network (null) counts for the first alone.
 */
export function admission(max: number, maxOfOne: number) {
  const underway = new Map<string | null, number>();
  let total = 0;
  return async <Result>(
    network: string | null,
    work: () => Promise<Result>,
    instead: () => Result,
  ): Promise<Result> => {
    const own = underway.get(network) ?? 0;
    if (total >= max || (network !== null && own >= maxOfOne)) return instead();
    total++;
    underway.set(network, own + 1);
    try {
      return await work();
    } finally {
      total--;
      const left = (underway.get(network) ?? 1) - 1;
      if (left > 0) underway.set(network, left);
      else underway.delete(network);
    }
  };
}
