import { useEffect, useState, type MouseEvent } from "react";
import { Link } from "react-router";
import { readStored } from "#app/ui/chrome/local-storage.ts";
import type { SearchSheet } from "./search-sheet.tsx";

const loadSheet = () => import("./search-sheet.tsx");

/** Local storage key, set if the shortcut is turned off. */
const STORED = "polara:search-key";

/** Links to the search page; with JavaScript it opens the search sheet, as does the '/' key. */
export function SearchButton() {
  const [Sheet, setSheet] = useState<typeof SearchSheet | null>(null);
  const open = (event: Event | MouseEvent) => {
    event.preventDefault();
    loadSheet().then(
      (loaded) => setSheet(() => loaded.SearchSheet),
      () => location.assign("/search"),
    );
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey) return;
      if ((target as Element).closest("input,textarea,select,dialog")) return;
      if (readStored(STORED) === null) open(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <>
      <Link
        to="/search"
        aria-label="Search"
        onClick={(event) => event.metaKey || event.ctrlKey || event.shiftKey || open(event)}
        onMouseEnter={loadSheet}
        onPointerDown={loadSheet}
        className="icon-button"
      >
        <svg width="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round">
          <path d="m21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0" />
        </svg>
      </Link>
      {Sheet && <Sheet keyOffStored={STORED} onClose={() => setSheet(null)} />}
    </>
  );
}
