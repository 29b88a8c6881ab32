import type { CSSProperties } from "react";

type StarsProps = {
  rating: number;
  /** The rating is in the text beside it. */
  isDecoration?: boolean;
};

export function Stars({ rating, isDecoration = false }: StarsProps) {
  const label = isDecoration
    ? ({ "aria-hidden": true } as const)
    : ({ role: "img", "aria-label": `${rating} of 5 stars` } as const);
  return <span {...label} className="stars" style={{ "--filled": Math.round(rating) } as CSSProperties} />;
}

const STAR = "m12 2 3.1 6.3 6.9 1-5 4.8 1.2 6.9-6.2-3.2L5.8 21 7 14.1 2 9.3l6.9-1z";

/** In the color of the text. */
export function SmallStars({ rating }: { rating: number }) {
  return (
    <svg
      role="img"
      aria-label={`${rating} out of 5 stars`}
      viewBox="0 0 132 24"
      strokeWidth="1.6"
      strokeLinejoin="round"
      className="h-4 stroke-ink-soft"
    >
      {[0, 1, 2, 3, 4].map((place) => (
        <path
          key={place}
          d={STAR}
          transform={`translate(${place * 27})`}
          className={place < rating ? "fill-ink-soft" : "fill-none"}
        />
      ))}
    </svg>
  );
}
