/** One box for everything, by Ctrl K. Without JavaScript it is a link to a page that does the same. */
import { useEffect, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from "react";
import { Form, Link, useFetcher } from "react-router";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { FoundList, type Found } from "./found.tsx";

const PAUSE_MS = 150;

export function FindBox() {
  const dialog = useRef<HTMLDialogElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const { load, data } = useFetcher<{ typed: string; found: Found }>({ key: "find" });

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      dialog.current?.showModal();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => void load(`/admin/find?q=${encodeURIComponent(typed)}`), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, load]);

  /** Down and up go through what was found, and back into the box. */
  const walk = (event: ReactKeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...(results.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = links[at + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    if (next) next.focus();
    else if (at === 0) dialog.current?.querySelector("input")?.focus();
  };

  const shown = data?.typed === typed ? data.found : [];
  return (
    <>
      <Link
        to="/admin/find"
        onClick={(event) => {
          event.preventDefault();
          dialog.current?.showModal();
        }}
        className="flex min-h-9 items-center justify-between rounded-lg border border-line bg-card px-2.5 text-ink-soft hover:border-ink-soft pointer-coarse:min-h-11"
      >
        Find
        <kbd className="font-sans text-[12px] pointer-coarse:hidden">Ctrl K</kbd>
      </Link>
      <Dialog
        ref={dialog}
        aria-label="Find"
        className="admin mx-auto mt-[12vh] max-h-[70vh] w-[min(560px,calc(100vw-32px))] rounded-card border border-line bg-paper p-4 backdrop:bg-ink/30"
      >
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to what is in it */}
        <div onKeyDown={walk}>
          <Form action="/admin/find" role="search" onSubmit={() => dialog.current?.close()}>
            <label htmlFor="find-box" className="sr-only">
              Find an order, a product, a customer or a message
            </label>
            <input
              id="find-box"
              name="q"
              type="search"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              placeholder="Find"
              className="admin-field"
            />
          </Form>
          <div ref={results} aria-live="polite">
            <FoundList typed={typed} found={shown} onLeave={() => dialog.current?.close()} />
          </div>
        </div>
      </Dialog>
    </>
  );
}
