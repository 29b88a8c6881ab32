/** The shop's links as a whole: what they lead to is fetched ahead, and those in static parts open in place. */
import { use, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { PrefetchPageLinks, useNavigate } from "react-router";
import { Nonce } from "../../http/nonce.ts";
import { layOutRest } from "./lay-out-rest.ts";
import { StylesAhead } from "./stylesheets.tsx";
import { useVisitorState } from "./visitor-state.tsx";

/** How long a mouse rests on a link of which somebody thinks. */
const REST_MS = 80;

/** The link of this shop that an event is about, if it leads to another page of it in this window. */
function linkOf({ target }: Event): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest("a") : null;
  const isOurs = link?.origin === location.origin && !link.target && !link.hasAttribute("download");
  return isOurs ? link : null;
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** What leads to a document of somebody's own, or to none. */
const OWN = ["/account*", "/admin*", "/auth*", "/cart*", "/checkout*", "/images/*", "/mailbox*", "/orders*"];
/** Until the page is awake a press on a link asks for a document: a browser that can fetches it when somebody means to press. */
const documentsAhead = () =>
  JSON.stringify({
    prefetch: [{ where: { and: [{ href_matches: "/*" }, { not: { href_matches: OWN } }] }, eagerness: "moderate" }],
  });

export function Links() {
  const navigate = useNavigate();
  const nonce = use(Nonce);
  const { ready: isAwake } = useVisitorState();
  const [ahead, setAhead] = useState<string>();

  useEffect(() => {
    const stop = new AbortController();
    // React's own links have answered by now.
    const follow = (event: MouseEvent) => {
      const link = event.defaultPrevented ? null : linkOf(event);
      if (!link?.closest(".prose, [data-static]")) return;
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    };
    addEventListener("click", follow, stop);

    if (!savesData()) {
      let rest: ReturnType<typeof setTimeout>;
      const fetchAhead = (event: Event) => {
        const link = linkOf(event);
        clearTimeout(rest);
        if (!link || link.pathname === location.pathname) return;
        const page = link.pathname + link.search;
        // Between a finger's touch and its press lies less than the way to the server and back.
        if (event.type === "pointerdown") flushSync(() => setAhead(page));
        else rest = setTimeout(() => setAhead(page), event.type === "mouseover" ? REST_MS : 0);
      };
      for (const sign of ["mouseover", "pointerdown", "focusin"] as const)
        addEventListener(sign, fetchAhead, { passive: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, [navigate]);
  useEffect(layOutRest, []);

  if (!isAwake) {
    const rules = { __html: import.meta.env.SSR ? documentsAhead() : "" };
    return <script type="speculationrules" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={rules} />;
  }
  return (
    <>
      {!savesData() && <StylesAhead />}
      {ahead && <PageAhead page={ahead} />}
    </>
  );
}

/** Routes whose data their own loader in the browser asks for; the router fetches the data of all others ahead by itself. */
const LOADED_IN_BROWSER = [
  [/^\/shop(?!\w)/, "shop"],
  [/^\/product\//, "product"],
] as const;

function PageAhead({ page }: { page: string }) {
  const route = LOADED_IN_BROWSER.find(([paths]) => paths.test(page))?.[1];
  const { pathname, searchParams } = new URL(page, location.origin);
  searchParams.set("_routes", `routes/storefront/${route}/route`);
  return (
    <>
      {/* First, for a browser asks for six things at a time. */}
      {route && <link rel="prefetch" as="fetch" href={`${pathname}.data?${searchParams}`} />}
      <PrefetchPageLinks key={page} page={page} />
    </>
  );
}
