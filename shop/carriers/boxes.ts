/** Boxes to pack parcels in. */

type Box = {
  name: string;
  /** Inner size. */
  inches: readonly [length: number, width: number, height: number];
  /** Weight of the empty box with its padding. */
  ounces: number;
  /** Weight of the contents for which it is suggested. */
  holdsOunces: number;
};

/** The smallest comes first. */
export const BOXES = {
  mailer: { name: "Padded mailer", inches: [10, 8, 2], ounces: 1, holdsOunces: 10 },
  small: { name: "Small box", inches: [10, 8, 6], ounces: 6, holdsOunces: 45 },
  bowl: { name: "Bowl box", inches: [14, 14, 10], ounces: 16, holdsOunces: 100 },
  large: { name: "Large box", inches: [28, 14, 10], ounces: 30, holdsOunces: Infinity },
} as const satisfies Record<string, Box>;
export type BoxName = keyof typeof BOXES;
export const BOX_NAMES = Object.keys(BOXES) as BoxName[];

/** 150 lb, the most that carriers take. */
export const MAX_OUNCES = 2_400;

/** Suggests a box, and its weight in ounces when packed: null if the weight of a product is not known. */
export function suggestPacking(lines: readonly { units: number; weightOz: number | null }[]): {
  box: BoxName;
  ounces: number | null;
} {
  const contents = lines.reduce((sum, { units, weightOz }) => sum + units * (weightOz ?? 0), 0);
  const box = BOX_NAMES.find((name) => contents <= BOXES[name].holdsOunces) ?? "large";
  const isKnown = lines.every(({ weightOz }) => weightOz !== null);
  return { box, ounces: isKnown ? contents + BOXES[box].ounces : null };
}
