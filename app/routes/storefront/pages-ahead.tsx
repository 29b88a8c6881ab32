/** What a page takes that is opened in place is fetched ahead, unless somebody saves data. */
import { use, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { PrefetchPageLinks, UNSAFE_FrameworkContext } from "react-router";
import { linkOf } from "../../ui/chrome/links.tsx";
import { stylesUrl } from "../../ui/chrome/stylesheets.tsx";
import { useVisitorState } from "../../ui/chrome/visitor-state.tsx";

/** How long a mouse rests on a link of which somebody thinks. */
const REST_MS = 80;

type Page = {
  paths: RegExp;
  /** Whose data its own loader in the browser asks for; the router fetches the data of all others ahead by itself. */
  route?: string;
  /** What a document has without its code. */
  staticParts?: () => Promise<unknown>;
};

const PAGES: Page[] = [
  { paths: /^\/$/, staticParts: () => import("./home/closing.tsx") },
  { paths: /^\/shop(?!\w)/, route: "routes/storefront/shop/route" },
  {
    paths: /^\/product\//,
    route: "routes/storefront/product/route",
    staticParts: () => import("./product/panels.tsx"),
  },
];

export function PagesAhead() {
  const { ready: isAwake } = useVisitorState();
  return isAwake && !savesData() && <Ahead />;
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

function Ahead() {
  const [meant, setMeant] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    let rest: ReturnType<typeof setTimeout>;
    const fetchAhead = (event: Event) => {
      const link = linkOf(event);
      clearTimeout(rest);
      if (!link || link.pathname === location.pathname) return;
      const page = link.pathname + link.search;
      // Between a finger's touch and its press lies less than the way to the server and back.
      if (event.type === "pointerdown") flushSync(() => setMeant(page));
      else rest = setTimeout(() => setMeant(page), event.type === "mouseover" ? REST_MS : 0);
    };
    for (const sign of ["mouseover", "pointerdown", "focusin"] as const)
      addEventListener(sign, fetchAhead, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  useFilesAhead();
  return meant && <PageAhead page={meant} />;
}

/** All styles, and the code of the pages that most go on to: one by one, for a page that has just woken up is touched. */
function useFilesAhead(): void {
  const routes = use(UNSAFE_FrameworkContext)?.manifest.routes;
  useEffect(() => {
    // A browser without it has no links that fetch ahead, either.
    if (!("requestIdleCallback" in window)) return;
    const code = PAGES.flatMap(({ route = "" }) =>
      [routes?.[route]?.module ?? [], routes?.[route]?.imports ?? []].flat(),
    );
    const waiting = [...new Set([stylesUrl, ...code])];
    const fetchNext = () => {
      const href = waiting.shift();
      if (!href) return;
      const as = href === stylesUrl ? "style" : "script";
      document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", as, href }));
      idle = requestIdleCallback(fetchNext);
    };
    let idle = requestIdleCallback(fetchNext);
    return () => cancelIdleCallback(idle);
  }, [routes]);
}

function PageAhead({ page }: { page: string }) {
  const { pathname, searchParams } = new URL(page, location.origin);
  const { route, staticParts } = PAGES.find(({ paths }) => paths.test(pathname)) ?? {};
  searchParams.set("_routes", route ?? "");
  useEffect(() => void staticParts?.().catch(() => {}), [staticParts]);
  return (
    <>
      {/* First, for a browser asks for six things at a time. */}
      {route && <link rel="prefetch" as="fetch" href={`${pathname}.data?${searchParams}`} />}
      <PrefetchPageLinks key={page} page={page} />
    </>
  );
}
