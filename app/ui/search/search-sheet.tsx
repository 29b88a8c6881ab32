import { Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Form, Link, useLocation, useNavigate } from "react-router";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { MAX_QUERY_LENGTH } from "#shop/search/words.ts";
import { byGroup, FoundRow, WaysOn } from "./search-result.tsx";
import { type Suggestions, useSuggestions } from "./use-suggestions.ts";

/** Search sheet: a combobox after the ARIA pattern with its results below. */
export function SearchSheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [activeId, setActiveId] = useState<string>();
  const { response, failed } = useSuggestions(typed);
  const groups = byGroup(response?.results ?? []);
  // Options in visual order.
  const options = groups.flatMap(([, results]) => results);
  const active = options.findIndex(({ id }) => id === activeId);
  const navigate = useNavigate();
  const { key } = useLocation();
  const openedAt = useRef(key);

  useEffect(() => {
    if (key !== openedAt.current) dialog.current?.close();
  }, [key]);

  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    if (active >= 0) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active];
    if (step && options.length > 0) {
      event.preventDefault();
      // One position more than there are options: the text box itself.
      const places = options.length + 1;
      setActiveId(options[((active + 1 + step + places) % places) - 1]?.id);
    } else if (event.key === "Enter" && chosen) {
      event.preventDefault();
      void navigate(chosen.path);
    }
  };

  return (
    <Dialog
      ref={dialog}
      opensOnMount
      aria-label="Search"
      onClose={onClose}
      className="fixed inset-x-0 top-0 m-0 h-dvh max-h-none w-full max-w-none overflow-y-auto overscroll-contain bg-paper text-ink transition-[translate,opacity] duration-200 ease-out backdrop:bg-ink/40 sm:h-fit sm:max-h-[min(86dvh,820px)] starting:open:-translate-y-3 starting:open:opacity-0"
    >
      <div className="page pb-8">
        <Form
          role="search"
          action="/search"
          className="sticky top-0 z-10 flex h-16 items-center gap-3 bg-paper sm:h-20"
        >
          <Search size={22} strokeWidth={1.75} aria-hidden className="shrink-0" />
          <input
            role="combobox"
            name="q"
            aria-label="Search the shop"
            aria-autocomplete="list"
            aria-expanded={options.length > 0}
            aria-controls={options.length > 0 ? listId : undefined}
            aria-activedescendant={active >= 0 ? optionId(active) : undefined}
            value={typed}
            maxLength={MAX_QUERY_LENGTH}
            placeholder="Products, answers, articles"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => {
              setTyped(event.target.value);
              setActiveId(undefined);
            }}
            onKeyDown={onKeyDown}
            className="min-h-11 min-w-0 flex-1 bg-transparent text-xl outline-none placeholder:text-ink-soft sm:text-2xl"
          />
          <button
            type="button"
            aria-label="Close search"
            onClick={() => dialog.current?.close()}
            className="icon-button -mr-2.5"
          >
            <X size={24} strokeWidth={1.75} aria-hidden />
          </button>
        </Form>
        <div className="border-t border-line pt-5">
          <p
            role="status"
            className={
              response && !failed && options.length > 0 && !response.corrected
                ? "sr-only"
                : "mb-4 text-ink-soft empty:mb-0"
            }
          >
            {failed ? "Search isn’t available right now. Press Enter to try again." : response && outcome(response)}
          </p>
          {options.length === 0 && <WaysOn className="" />}
          {options.length > 0 && (
            <>
              <div id={listId} role="listbox" aria-label="Results" className="grid gap-x-12 gap-y-6 lg:grid-cols-2">
                {groups.map(([name, results]) => (
                  <div key={name} role="group" aria-label={name}>
                    <p aria-hidden="true" className="mb-1 text-sm font-semibold">
                      {name}
                    </p>
                    {results.map((result) => (
                      <Link
                        key={result.id}
                        id={optionId(options.indexOf(result))}
                        role="option"
                        aria-selected={result.id === activeId}
                        tabIndex={-1}
                        to={result.path}
                        className="group -mx-3 block rounded-card px-3 py-2.5 hover:bg-card aria-selected:bg-card aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-leaf"
                      >
                        <FoundRow result={result} size="sheet" />
                      </Link>
                    ))}
                  </div>
                ))}
              </div>
              <Link
                to={`/search?${new URLSearchParams({ q: typed.trim() })}`}
                className="text-link mt-5 inline-flex min-h-11 items-center"
              >
                See all results
              </Link>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function outcome({ query, corrected, results: { length } }: Suggestions) {
  if (length === 0) return `No results for “${query}”. Try another word, or one of these.`;
  return corrected ? `Showing results for “${corrected}”` : `${length} ${length === 1 ? "result" : "results"}`;
}
