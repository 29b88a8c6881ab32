/** What comes in while a page is open: it is read anew, and says so. A line that broke catches up when it is back. */
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";

const WORDS: Record<string, string> = {
  order: "A new order came in",
  message: "A new message came in",
  payment: "A payment needs a look",
  catalog: "Stock or a product changed",
};

/** Of several in a row the page is read once. */
const GATHER_MS = 400;

export function Live() {
  const { revalidate } = useRevalidator();
  const [news, setNews] = useState("");

  useEffect(() => {
    const source = new EventSource("/admin/live");
    let wasLost = false;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const readAnew = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void revalidate(), GATHER_MS);
    };
    source.addEventListener("error", () => (wasLost = true));
    source.addEventListener("open", () => {
      if (wasLost) readAnew();
      wasLost = false;
    });
    source.addEventListener("news", ({ data }: MessageEvent<string>) => {
      const words = WORDS[data];
      if (!words) return;
      setNews(words);
      if (document.hidden) void navigator.setAppBadge?.().catch(() => {});
      readAnew();
    });
    const seen = () => {
      if (!document.hidden) void navigator.clearAppBadge?.().catch(() => {});
    };
    document.addEventListener("visibilitychange", seen);
    return () => {
      source.close();
      clearTimeout(waiting);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [revalidate]);

  return (
    <p role="status" className="min-h-5 px-2.5 text-ink-soft">
      {news}
    </p>
  );
}
