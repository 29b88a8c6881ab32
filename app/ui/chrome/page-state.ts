import { useEffect, useState, useSyncExternalStore } from "react";
import { type Location, useNavigation, useRevalidator } from "react-router";

/** Delay before a skeleton shows; on a fast response it would only flash. */
const BLINK_MS = 150;

/** Pending navigation's location, once it has taken longer than the delay. */
export function usePendingLocation(): Location | undefined {
  const { location, formMethod } = useNavigation();
  const pending = formMethod === "POST" ? undefined : location;
  const [slow, setSlow] = useState<Location>();
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(setSlow, BLINK_MS, pending);
    return () => clearTimeout(timer);
  }, [pending]);
  return pending && pending === slow ? pending : undefined;
}

const never = () => () => {};

/** False on the server and during hydration. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Revalidates a page restored from the back/forward cache, for pages whose data goes stale quickly. */
export function useFreshOnReturn(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const stop = new AbortController();
    addEventListener("pageshow", ({ persisted }) => persisted && void revalidate(), stop);
    const [arrival] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (arrival?.type === "back_forward") void revalidate();
    return () => stop.abort();
  }, [revalidate]);
}
