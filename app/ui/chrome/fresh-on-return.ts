import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** For pages that are only true now: whoever comes back to one that the browser has kept sees it as it is by then. */
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
