import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { afterPaint } from "../../../ui/overlay/after-paint.ts";
import { TabList } from "../../../ui/content/tab-list.tsx";

export type Tab = { id: string; label: string; panel: ReactNode };

/** Tabs after the ARIA pattern; without JavaScript all panels stand below each other. A link to a panel's id opens it. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [open, setOpen] = useState(tabs[0]?.id);
  // Its panel follows once the tab is seen to be open.
  const [shown, setShown] = useState(open);
  const { key } = useLocation();

  useEffect(() => {
    const follow = () => {
      const wanted = tabs.find(({ id }) => location.hash === `#${id}`);
      if (!wanted) return;
      setOpen(wanted.id);
      setShown(wanted.id);
      // The browser could not scroll to a panel that was not there yet.
      requestAnimationFrame(() => document.getElementById(wanted.id)?.scrollIntoView());
    };
    // A second press on the same link changes no hash, so the clicks themselves are watched.
    const afterClick = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('a[href^="#"]')) setTimeout(follow);
    };
    follow();
    addEventListener("hashchange", follow);
    addEventListener("click", afterClick);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("click", afterClick);
    };
    // The ids never change while the page is open; a link from elsewhere in the shop may lead here again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  return (
    <div>
      <TabList
        label={label}
        opensOnFocus
        className="-mx-5 flex gap-1 overflow-x-auto border-b border-line px-5 [scrollbar-width:none] sm:mx-0 sm:gap-6 sm:px-0 noscript:hidden"
      >
        {tabs.map(({ id, label: name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls={id}
            aria-selected={open === id}
            tabIndex={open === id ? 0 : -1}
            onClick={() => {
              setOpen(id);
              afterPaint(() => setShown(id));
            }}
            className="min-h-13 shrink-0 border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-ink-soft -outline-offset-4! hover:text-ink aria-selected:border-ink aria-selected:text-ink sm:px-1 sm:text-lg"
          >
            {name}
          </button>
        ))}
      </TabList>
      {tabs.map(({ id, label: name, panel }) => (
        <div
          key={id}
          role="tabpanel"
          id={id}
          aria-labelledby={`tab-${id}`}
          tabIndex={0}
          className={`scroll-mt-14 py-10 outline-offset-8 lg:py-14 ${shown === id ? "" : "hidden noscript:block"}`}
        >
          <h3 className="sr-only noscript:not-sr-only noscript:mb-6! noscript:text-2xl noscript:font-semibold">
            {name}
          </h3>
          {panel}
        </div>
      ))}
    </div>
  );
}
