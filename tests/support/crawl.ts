/** Visits a shop as a search engine does: from the home page along every link, picture and address it is given. */

export type Page = { path: string; html: string; headers: Headers };
export type Crawl = {
  /** Documents by their path and query, as linked. */
  pages: Map<string, Page>;
  /** Broken links and anchors with their sources. */
  dead: string[];
};

const AT_ONCE = 8;

export async function crawl(url: string): Promise<Crawl> {
  const pages = new Map<string, Page>();
  const dead: string[] = [];
  const anchors: { from: string; to: string; anchor: string }[] = [];
  const seen = new Set<string>(["/"]);
  let waiting = [{ from: "the start", to: "/" }];

  const visit = async ({ from, to }: { from: string; to: string }) => {
    const response = await fetch(url + to, { redirect: "manual" });
    const location = response.headers.get("Location") ?? "";
    // Private pages redirect to sign-in.
    if (response.status === 302 && location.startsWith("/auth?")) {
      if (!seen.has(location)) waiting.push({ from: to, to: location });
      return void seen.add(location);
    }
    if (response.status !== 200) dead.push(`${to} (${response.status}), linked from ${from}`);
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return void (await response.arrayBuffer());
    const html = await response.text();
    pages.set(to, { path: to, html, headers: response.headers });
    for (const address of addresses(html)) {
      const target = new URL(address, url + to);
      if (target.origin !== url) continue;
      const next = target.pathname + target.search;
      if (target.hash) anchors.push({ from: to, to: next, anchor: decodeURIComponent(target.hash.slice(1)) });
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push({ from: to, to: next });
    }
  };

  while (waiting.length > 0) {
    const now = waiting.slice(0, AT_ONCE);
    waiting = waiting.slice(AT_ONCE);
    await Promise.all(now.map(visit));
  }
  for (const { from, to, anchor } of anchors)
    if (!pages.get(to)?.html.includes(`id="${anchor}"`)) dead.push(`${to}#${anchor}, linked from ${from}`);
  return { pages, dead };
}

/** Links and pictures of a document. */
function addresses(html: string): string[] {
  const found = [...html.matchAll(/<(?:a|link|area)\b[^>]*?\bhref="([^"]+)"/g)].map(([, href = ""]) => href);
  for (const [, src = ""] of html.matchAll(/<(?:img|script|source)\b[^>]*?\bsrc="([^"]+)"/g)) found.push(src);
  for (const [, set = ""] of html.matchAll(/\bsrcset="([^"]+)"/gi))
    for (const part of set.split(",")) found.push(part.trim().split(" ")[0] ?? "");
  for (const [, content = ""] of html.matchAll(/property="og:(?:image|url)" content="([^"]+)"/g)) found.push(content);
  return found.map(unescapeHtml).filter((address) => !/^(mailto|tel|data):/.test(address));
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The structured data of a document, each part of its graph by itself. */
export function jsonLd(html: string): Record<string, unknown>[] {
  return [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].flatMap(([, text = ""]) => {
    const data = JSON.parse(text) as { "@context": string; "@graph": Record<string, unknown>[] };
    if (data["@context"] !== "https://schema.org") throw new Error(`a context of its own: ${data["@context"]}`);
    return data["@graph"];
  });
}
