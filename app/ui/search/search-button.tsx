import { useState, type MouseEvent } from "react";
import { Link } from "react-router";
import { ifOnline } from "#app/ui/chrome/offline.ts";
import type { SearchSheet } from "./search-sheet.tsx";

const loadSheet = () => import("./search-sheet.tsx");

/** Links to the search page; with JavaScript it opens the search sheet. */
export function SearchButton() {
  const [Sheet, setSheet] = useState<typeof SearchSheet | null>(null);
  const open = (event: MouseEvent) => {
    event.preventDefault();
    loadSheet().then(
      (loaded) => setSheet(() => loaded.SearchSheet),
      () => ifOnline(() => location.assign("/search")),
    );
  };

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
        <svg
          aria-hidden="true"
          width="22"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
        >
          <path d="m21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0" />
        </svg>
      </Link>
      {Sheet && <Sheet onClose={() => setSheet(null)} />}
    </>
  );
}
