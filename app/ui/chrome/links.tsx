/** The shop's links as a whole: those in static parts open in place. */
import { use, useEffect } from "react";
import { useNavigate } from "react-router";
import { Nonce } from "../../http/nonce.ts";
import { layOutRest } from "./lay-out-rest.ts";
import { useVisitorState } from "./visitor-state.tsx";

/** The link of this shop that an event is about, if it leads to another page of it in this window. */
export function linkOf({ target }: Event): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest("a") : null;
  const isOurs = link?.origin === location.origin && !link.target && !link.hasAttribute("download");
  return isOurs ? link : null;
}

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
    return () => stop.abort();
  }, [navigate]);
  useEffect(layOutRest, []);

  if (isAwake) return null;
  const rules = { __html: import.meta.env.SSR ? documentsAhead() : "" };
  return <script type="speculationrules" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={rules} />;
}
