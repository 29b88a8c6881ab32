import { Children, useEffect, useRef, useState, type ReactNode } from "react";
import { ChevronLeft, ChevronRight } from "lucide-react";

type CarouselProps = {
  /** Names the carousel for those who hear it. */
  label: string;
  /** Stands in the row of the buttons, usually the section's heading. */
  heading?: ReactNode;
  /** One child is one slide. */
  children: ReactNode;
  /** Sets the width of a slide. */
  itemClassName?: string;
};

/** A row that scrolls by itself: swiped, wheeled, or moved with the arrow keys and two buttons. */
export function Carousel({
  label,
  heading,
  children,
  itemClassName = "w-[78%] sm:w-[46%] lg:w-[calc((100%-48px)/3)]",
}: CarouselProps) {
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
            {first === last ? first + 1 : `${first + 1}–${last + 1}`} of {slides.length}
          </p>
          <TurnButton
            label="Previous"
            disabled={first === 0}
            onClick={() => turn(-1)}
            icon={<ChevronLeft size={22} />}
          />
          <TurnButton
            label="Next"
            disabled={last === slides.length - 1}
            onClick={() => turn(1)}
            icon={<ChevronRight size={22} />}
          />
        </div>
      </div>
      <ul
        ref={list}
        tabIndex={0}
        aria-label={label}
        className="relative -mx-(--bleed) mt-8 flex snap-x snap-mandatory scroll-px-(--bleed) gap-4 overflow-x-auto overscroll-x-contain scroll-smooth px-(--bleed) py-1 [--bleed:clamp(20px,4vw,48px)] [scrollbar-width:none] md:gap-6 lg:[--bleed:4px] noscript:[scrollbar-width:thin]"
      >
        {slides.map((slide, index) => (
          <li key={index} className={`further-down flex shrink-0 snap-start [--about:400px] *:w-full ${itemClassName}`}>
            {slide}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TurnButton({
  label,
  disabled,
  onClick,
  icon,
}: {
  label: string;
  disabled: boolean;
  onClick: () => void;
  icon: ReactNode;
}) {
  // aria-disabled, so that the focus stays when the last slide is reached.
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      className="icon-button aria-disabled:cursor-default aria-disabled:opacity-35"
    >
      {icon}
    </button>
  );
}

/** Indexes of the first and last slide in view; until measured, all of them. */
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
