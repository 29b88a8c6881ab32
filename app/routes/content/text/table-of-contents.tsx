import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";

type Section = { id: string; title: string };

/** Table of contents: a bar above the text on small screens, a column on large ones. */
export function TableOfContents({ sections }: { sections: Section[] }) {
  const current = useReadingPosition(sections);
  const column = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDetailsElement>(null);
  const reading = sections.findIndex(({ id }) => id === current);

  // Keeps the current entry visible in a column taller than the window.
  useEffect(() => {
    const box = column.current;
    const link = box?.querySelector("nav[aria-labelledby] [aria-current]");
    if (!box || !link) return;
    const { top, bottom } = box.getBoundingClientRect();
    const place = link.getBoundingClientRect();
    if (place.top < top || place.bottom > bottom) box.scrollTop += (place.top + place.bottom - top - bottom) / 2;
  }, [current]);

  return (
    <div
      ref={column}
      className="bar no-print sticky top-16 z-10 max-lg:-mx-1 max-lg:bg-paper max-lg:px-1 max-lg:py-3 lg:top-24 lg:max-h-[calc(100dvh-120px)] lg:self-start lg:overflow-y-auto lg:pb-8"
    >
      <details ref={bar} className="group rounded-card border border-line bg-card lg:hidden">
        <summary className="flex min-h-12 items-center justify-between gap-4 px-5 font-semibold after:text-xl after:font-normal after:transition-transform after:content-['+'/''] group-open:after:rotate-45">
          {reading < 0 ? (
            "On this page"
          ) : (
            <span className="truncate">
              <span className="mr-1 inline-block min-w-6 font-normal text-ink-soft tabular-nums">
                <span>{reading + 1}</span>
                <span className="sr-only">: </span>
              </span>
              <span>{sections[reading]?.title}</span>
            </span>
          )}
        </summary>
        <nav
          aria-label="On this page"
          className="max-h-[60dvh] overflow-y-auto overscroll-contain border-t border-line px-5 py-2"
          onClick={() => bar.current?.removeAttribute("open")}
        >
          <List sections={sections} current={current} />
        </nav>
      </details>
      <nav aria-labelledby="contents" className="hidden lg:block">
        <h2 id="contents" className="mb-3 pl-4 text-sm font-semibold tracking-normal">
          On this page
        </h2>
        <List sections={sections} current={current} />
      </nav>
    </div>
  );
}

function List({ sections, current }: { sections: Section[]; current: string | undefined }) {
  return (
    <ol className="text-[15px] leading-snug lg:border-l lg:border-line">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Link
            to={`#${id}`}
            aria-current={id === current || undefined}
            className="flex min-h-11 items-center py-1 text-ink-soft hover:text-ink aria-[current]:font-semibold aria-[current]:text-leaf lg:-ml-px lg:min-h-9 lg:border-l-2 lg:border-transparent lg:pl-4 lg:aria-[current]:border-leaf"
          >
            {title}
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** The last section past the upper third of the window; at the end of the page, the last one. */
function useReadingPosition(sections: Section[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const elements = sections.flatMap(({ id }) => document.getElementById(id) ?? []);
    const update = () => {
      const atFoot = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 4;
      const read = elements.findLast(
        (section) => atFoot || section.getBoundingClientRect().top < window.innerHeight / 3,
      );
      setCurrent(read?.id);
    };
    const first = requestAnimationFrame(update);
    addEventListener("scroll", update, { passive: true });
    return () => {
      cancelAnimationFrame(first);
      removeEventListener("scroll", update);
    };
  }, [sections]);
  return current;
}
