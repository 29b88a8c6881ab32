/** The colors besides Earth Green that scenes with a bowl were rendered in. */
const OTHER_COLORS = ["Midnight Black", "Frost White"];

export type Shot = { picture: string; alt: string };

/** Returns a scene in that color, or in Earth Green for any other color; the alternative text names the color shown. */
export function sceneIn(colorVariant: string | null, name: string, alt: (color: string) => string): Shot {
  const color = OTHER_COLORS.find((other) => other === colorVariant);
  if (!color) return { picture: name, alt: alt("Earth Green") };
  return { picture: `${name}-${color.toLowerCase().replace(" ", "-")}`, alt: alt(color) };
}

/** Returns both models side by side, in Earth Green if their colors differ. */
export const pairOf = (one: string | null, other: string | null): Shot =>
  sceneIn(
    one === other ? one : null,
    "pro-and-classic",
    (color) => `The Pro with its display and, on its right, the smaller Classic with its light, both in ${color}`,
  );
