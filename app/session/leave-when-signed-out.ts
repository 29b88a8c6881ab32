import { useEffect, useRef } from "react";
import { useFetcher, useNavigate } from "react-router";
import { usePersonal } from "../ui/chrome/visitor-state.tsx";

/** For a page of private things: it is left as soon as it is known that its session has ended, here or in another tab. */
export function useLeaveWhenSignedOut(): void {
  const { ready, customer } = usePersonal();
  const { load } = useFetcher({ key: "personal" });
  const navigate = useNavigate();
  const wasIn = useRef(false);

  useEffect(() => {
    if (customer) wasIn.current = true;
    else if (ready && wasIn.current) {
      wasIn.current = false;
      const here = location.pathname + location.search;
      void navigate(`/auth?redirect=${encodeURIComponent(here)}`, { replace: true });
    }
  }, [ready, customer, navigate]);

  // Asked again whenever somebody comes back to the tab, or to the page by the browser's own memory of it.
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === "visible") void load("/personal").catch(() => {});
    };
    const asked = new AbortController();
    document.addEventListener("visibilitychange", ask, asked);
    addEventListener("pageshow", ask, asked);
    return () => asked.abort();
  }, [load]);
}
