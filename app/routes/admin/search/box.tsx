/** Search from anywhere with Ctrl K. Without JavaScript it is a link to the search page. */
import { useEffect, useRef, useState, type KeyboardEvent as ReactKeyboardEvent, type SubmitEvent } from "react";
import { Form, Link, useFetcher, useNavigate } from "react-router";
import { Dialog } from "#app/ui/overlay/dialog.tsx";

const PAUSE_MS = 150;

export function SearchBox() {
  const dialog = useRef<HTMLDialogElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const { load, data } = useFetcher<{ typed: string; found: Found }>({ key: "find" });
  const [latest, setLatest] = useState<typeof data>();

  /** With what was typed before selected, so that the next word replaces it. */
  const open = () => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.select();
  };

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  useEffect(() => {
    if (typed.trim() === "") return;
    const timer = setTimeout(() => void load(`/admin/search?q=${encodeURIComponent(typed)}`), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, load]);

  /** Arrow keys move through the results and back into the box. */
  const step = (event: ReactKeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...(results.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = links[at + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    if (next) next.focus();
    else if (at === 0) dialog.current?.querySelector("input")?.focus();
  };

  // The answer to a shorter word may arrive late, and would take the focused result away.
  if (data?.typed === typed && data !== latest) setLatest(data);
  const shown = latest?.typed === typed ? latest.found : [];

  /** Enter opens the only result, or the page of results. */
  const submit = (event: SubmitEvent) => {
    dialog.current?.close();
    const [only, ...others] = shown.flatMap(({ items }) => items);
    if (!only || others.length > 0) return;
    event.preventDefault();
    void navigate(only.path);
  };
  return (
    <>
      <Link
        to="/admin/search"
        onClick={(event) => {
          event.preventDefault();
          open();
        }}
        className="flex min-h-9 items-center justify-between rounded-lg border border-line bg-card px-2.5 text-ink-soft hover:border-ink-soft pointer-coarse:min-h-11"
      >
        Search
        <kbd className="font-sans text-[12px] pointer-coarse:hidden">Ctrl K</kbd>
      </Link>
      <Dialog
        ref={dialog}
        aria-label="Search"
        className="admin mx-auto mt-[12vh] max-h-[70vh] w-[min(560px,calc(100vw-32px))] rounded-card border border-line bg-paper p-4 backdrop:bg-ink/30"
      >
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to its input and links */}
        <div onKeyDown={step}>
          <Form action="/admin/search" role="search" onSubmit={submit}>
            <label htmlFor="find-box" className="sr-only">
              Search the back office
            </label>
            <input
              id="find-box"
              name="q"
              type="search"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              placeholder="Search"
              className="admin-field"
            />
          </Form>
          <div ref={results} aria-live="polite">
            <ResultList typed={typed} found={shown} onLeave={() => dialog.current?.close()} />
          </div>
        </div>
      </Dialog>
    </>
  );
}

type Item = { path: string; label: string; detail: string };
/** `all` is the path of a list with more than the items. */
export type Found = { title: string; items: Item[]; all?: string | false | null }[];

type ResultListProps = { typed: string; found: Found; onLeave?: () => void };

export function ResultList({ typed, found, onLeave }: ResultListProps) {
  const hits = found.filter(({ items }) => items.length > 0);
  if (typed.trim() === "") {
    return (
      <p className="py-2 text-ink-soft">
        Order, return or tracking number, name, email, phone, ZIP code, product, message, text, setting, or a page such
        as Returns.
      </p>
    );
  }
  if (hits.length === 0) {
    return (
      <p className="py-2 text-ink-soft">
        Nothing found for “<span>{typed.trim()}</span>”. Try the start of a name, email or order number; a tracking or
        return number has to be whole.
      </p>
    );
  }
  return (
    <div className="grid gap-4 py-2">
      {hits.map(({ title, items, all }) => (
        <section key={title}>
          <h2 className="text-ink-soft">{title}</h2>
          <ul>
            {items.map(({ path, label, detail }) => (
              <li key={path + label}>
                <Link
                  to={path}
                  onClick={onLeave}
                  className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 rounded-lg px-2 hover:bg-leaf-light focus-visible:bg-leaf-light"
                >
                  <span className="truncate font-medium">{label}</span>
                  <span className="truncate text-ink-soft">{detail}</span>
                </Link>
              </li>
            ))}
            {all && (
              <li>
                <Link
                  to={all}
                  onClick={onLeave}
                  className="admin-link flex min-h-11 items-center px-2"
                >{`All ${title.toLowerCase()} for “${typed.trim()}”`}</Link>
              </li>
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}
