/** J and K walk through a list, X chooses a row, Enter opens it: for every table whose rows have a link. */
import { useEffect } from "react";

const CURRENT = "data-current";

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog") !== null;

function walk(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".admin-table tbody tr:has(a)")];
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row.hasAttribute(CURRENT));
  const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  rows[at]?.removeAttribute(CURRENT);
  next?.setAttribute(CURRENT, "");
  // The focus goes along, so that Enter opens it and a screen reader reads it.
  next?.querySelector<HTMLElement>("a")?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export function useListKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "j") walk(1);
      else if (event.key === "k") walk(-1);
      else if (event.key === "x") {
        document.querySelector<HTMLElement>(`.admin-table tr[${CURRENT}] input[type=checkbox]`)?.click();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
