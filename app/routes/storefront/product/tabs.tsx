import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { TabList } from "#app/ui/content/tab-list.tsx";

type Tab = { id: string; label: string; panel: ReactNode };

/** The tabs stay in view, so the panel that was open may have been read far below its start. */
function showStart(id: string): void {
  const panel = document.getElementById(id);
  if (panel && panel.getBoundingClientRect().top < 0) panel.scrollIntoView();
}

/** ARIA tabs. Each is a link to its panel, shown by :target before hydration; without JavaScript all panels show. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [open, setOpen] = useState(tabs[0]?.id);
  const isHydrated = useHydrated();
  const { key } = useLocation();

  useEffect(() => {
    const follow = () => {
      const wanted = tabs.find(({ id }) => location.hash === `#${id}`);
      if (!wanted) return;
      setOpen(wanted.id);
      // A hidden panel could not be scrolled to.
      requestAnimationFrame(() => document.getElementById(wanted.id)?.scrollIntoView());
    };
    // A repeated click on the same link fires no hashchange event.
    const afterClick = (event: MouseEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      if (event.target.closest('a[href^="#"]')) setTimeout(follow);
    };
    follow();
    addEventListener("hashchange", follow);
    addEventListener("click", afterClick);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("click", afterClick);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- tab ids are constant; the key covers links from elsewhere in the shop
  }, [key]);

  /** The targeted panel replaces the first before hydration. */
  const classOf = (id: string) => {
    if (open === id) return isHydrated ? "" : "group-has-[:target]/tabs:not-target:hidden noscript:block!";
    return isHydrated ? "hidden" : "hidden target:block noscript:block";
  };

  return (
    <div className="group/tabs">
      <TabList
        label={label}
        opensOnFocus
        className="sticky top-16 z-10 -mx-[20px] flex gap-1 overflow-x-auto border-b border-line bg-paper px-[20px] [scrollbar-width:none] sm:mx-0 sm:gap-6 sm:px-0 noscript:hidden"
      >
        {tabs.map(({ id, label: name }) => (
          <a
            key={id}
            href={`#${id}`}
            role="tab"
            id={`tab-${id}`}
            aria-controls={id}
            aria-selected={open === id}
            tabIndex={open === id ? 0 : -1}
            onClick={(event) => {
              event.preventDefault();
              setOpen(id);
              requestAnimationFrame(() => showStart(id));
            }}
            className="grid min-h-13 shrink-0 place-items-center border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-ink-soft -outline-offset-4! hover:text-ink aria-selected:border-ink aria-selected:text-ink sm:px-1 sm:text-lg"
          >
            {name}
          </a>
        ))}
      </TabList>
      {tabs.map(({ id, label: name, panel }) => (
        <div
          key={id}
          role="tabpanel"
          id={id}
          aria-labelledby={`tab-${id}`}
          tabIndex={0}
          className={`scroll-mt-28 py-10 outline-offset-8 lg:py-14 ${classOf(id)}`}
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
