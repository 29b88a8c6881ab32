/** Live updates: an event reloads the page's data and is announced; a lost connection catches up on return. */
import { useEffect, useRef, useState } from "react";
import { useFetchers, useNavigation, useRevalidator } from "react-router";
import { useOffline } from "#app/ui/chrome/offline.ts";

const WORDS: Record<string, string> = {
  order: "New order",
  change: "An order changed",
  message: "New message",
  payment: "A payment needs attention",
  catalog: "Products, stock, texts or settings changed",
};

/** Events within this time reload the data once. */
const GATHER_MS = 400;

/** Events within this time after a form was submitted here come from it, and are not announced. */
const OWN_MS = 5_000;

/** The last event in words, empty before the first. Pages of errors do not listen. */
export function useNews(isListening: boolean) {
  const { revalidate } = useRevalidator();
  const [news, setNews] = useState("");
  const [due, setDue] = useState(0);
  const reloaded = useRef(due);
  const isSubmitting = useFetchers().some(({ state }) => state !== "idle");
  const isOffline = useOffline();
  const isBusy = useNavigation().state !== "idle" || isSubmitting || isOffline;

  // The router drops the redirect of a form that is answered during a reload, and offline a reload loses the page.
  useEffect(() => {
    if (due === reloaded.current || isBusy) return;
    reloaded.current = due;
    void revalidate();
  }, [due, isBusy, revalidate]);

  useEffect(() => {
    if (!isListening) return;
    const source = new EventSource("/admin/live");
    let wasLost = false;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let submittedAt = -Infinity;
    const noteSubmit = () => (submittedAt = performance.now());
    addEventListener("submit", noteSubmit);
    const reloadSoon = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => setDue((events) => events + 1), GATHER_MS);
    };
    source.addEventListener("error", () => (wasLost = true));
    source.addEventListener("open", () => {
      if (wasLost) reloadSoon();
      wasLost = false;
    });
    source.addEventListener("news", ({ data }: MessageEvent<string>) => {
      const words = WORDS[data];
      if (!words) return;
      if (performance.now() - submittedAt > OWN_MS) setNews(words);
      reloadSoon();
    });
    return () => {
      source.close();
      removeEventListener("submit", noteSubmit);
      clearTimeout(waiting);
    };
  }, [isListening]);

  return news;
}
