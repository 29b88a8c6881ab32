/** A press while the browser knows that it is offline says so, and the page stays. */
import { useEffect, useSyncExternalStore } from "react";
import { useBlocker, type Location } from "react-router";
import { notifyError } from "#app/ui/feedback/toast.ts";

const ONLINE_EVENTS = ["online", "offline"];

function subscribe(listener: () => void) {
  for (const event of ONLINE_EVENTS) addEventListener(event, listener);
  return () => {
    for (const event of ONLINE_EVENTS) removeEventListener(event, listener);
  };
}

export const useOffline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );

export const OFFLINE = { title: "You’re offline", message: "Try again when you’re back." };

export const notifyOffline = () => notifyError(OFFLINE.message, OFFLINE.title);

/** For what needs the network where script could not do it. */
export const ifOnline = (go: () => void) => (navigator.onLine ? go() : notifyOffline());

const addressOf = ({ pathname, search }: Pick<Location, "pathname" | "search">) => pathname + search;

/** The address of a link that replaces this page, else null. */
function targetOf({ target, metaKey, ctrlKey, shiftKey }: MouseEvent): URL | null {
  const link = (target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!link || link.target || link.download || metaKey || ctrlKey || shiftKey) return null;
  const url = new URL(link.href);
  const isHere = url.hash && url.origin === location.origin && addressOf(url) === addressOf(location);
  return url.protocol.startsWith("http") && !isHere ? url : null;
}

/** Navigations would end on an error page or, if the router has to load a module first, on the browser's own page. */
export function useOfflineGuard(): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      !navigator.onLine && !(nextLocation.hash && addressOf(currentLocation) === addressOf(nextLocation)),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    blocker.reset();
    notifyOffline();
  }, [blocker]);

  useEffect(() => {
    const stop = new AbortController();
    const guard = (event: Event) => {
      if (navigator.onLine || event.defaultPrevented) return;
      if (event.type === "click" && !targetOf(event as MouseEvent)) return;
      if ((event.target as HTMLFormElement).method === "dialog") return;
      event.preventDefault();
      notifyOffline();
    };
    // Behind the router's listeners, which handle its own links and forms.
    addEventListener("click", guard, stop);
    addEventListener("submit", guard, stop);
    return () => stop.abort();
  }, []);
}
