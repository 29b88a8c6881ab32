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
