import type { ReactNode } from "react";

/** A table that scrolls by itself where it is wider than its page, also with the keyboard where nothing in it takes the focus. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={label} tabIndex={0} className="admin-scroll">
      {children}
    </div>
  );
}
