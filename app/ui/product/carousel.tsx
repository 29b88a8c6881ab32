import { Children, useEffect, useRef, useState, type ReactNode } from "react";
import { ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";

type CarouselProps = {
  label: string;
  /** Heading in the row of the buttons. */
  heading: ReactNode;
  children: ReactNode;
  itemClassName: string;
};

/** A scrolling row: by swipe, wheel, arrow keys or its two buttons. */
export function Carousel({ label, heading, children, itemClassName }: CarouselProps) {
  const slides = Children.toArray(children);
  const list = useRef<HTMLUListElement>(null);
  const { first, last } = useVisibleSlides(list, slides.length);
  const overflows = last - first + 1 < slides.length;
  const turn = (pages: number) => list.current?.scrollBy({ left: pages * list.current.clientWidth * 0.9 });

  return (
    <section aria-roledescription="carousel" aria-label={label}>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        {heading}
        <div className={`ml-auto flex items-center gap-1 ${overflows ? "" : "invisible"}`}>
          <p aria-live="polite" className="mr-2 text-sm text-ink-soft tabular-nums">
            {`${first === last ? first + 1 : `${first + 1}–${last + 1}`} of ${slides.length}`}
          </p>
          <TurnButton label="Previous" onClick={first > 0 && (() => turn(-1))} icon={ChevronLeft} />
          <TurnButton label="Next" onClick={last < slides.length - 1 && (() => turn(1))} icon={ChevronRight} />
        </div>
      </div>
      <ul
        ref={list}
        tabIndex={0}
        aria-label={label}
        className="relative -mx-(--bleed) mt-8 flex snap-x snap-mandatory scroll-px-(--bleed) gap-4 overflow-x-auto overscroll-x-contain scroll-smooth px-(--bleed) py-1 [--bleed:clamp(20px,4vw,48px)] [scrollbar-width:none] md:gap-6 lg:[--bleed:4px] noscript:[scrollbar-width:thin]"
      >
        {slides.map((slide, index) => (
          <li key={index} className={`flex shrink-0 snap-start *:w-full ${itemClassName}`}>
            {slide}
          </li>
        ))}
      </ul>
    </section>
  );
}

type TurnButtonProps = { label: string; onClick: false | (() => void); icon: LucideIcon };

function TurnButton({ label, onClick, icon: Icon }: TurnButtonProps) {
  // aria-disabled preserves the focus when the last slide is reached.
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={!onClick}
      onClick={onClick || undefined}
      className="icon-button aria-disabled:cursor-default aria-disabled:opacity-35"
    >
      <Icon size={22} />
    </button>
  );
}

/** Indexes of the first and last visible slide; all slides until measured. */
function useVisibleSlides(list: { current: HTMLUListElement | null }, count: number) {
  const [range, setRange] = useState({ first: 0, last: count - 1 });
  useEffect(() => {
    const root = list.current;
    if (!root) return;
    const visible = new Set<number>();
    const slides = [...root.children];
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          visible[isIntersecting ? "add" : "delete"](slides.indexOf(target));
        if (visible.size > 0) setRange({ first: Math.min(...visible), last: Math.max(...visible) });
      },
      { root, threshold: 0.75 },
    );
    for (const slide of slides) observer.observe(slide);
    return () => observer.disconnect();
  }, [list, count]);
  return range;
}
