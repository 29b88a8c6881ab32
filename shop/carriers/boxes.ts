/** Boxes to pack parcels in. Their sizes are settings. */
import type { ParcelSettings } from "#shop/settings/settings.ts";

/** The smallest comes first. */
const NAMES = { mailer: "Padded mailer", small: "Small box", bowl: "Bowl box", large: "Large box" };

export type BoxName = keyof typeof NAMES;
export const BOX_NAMES = Object.keys(NAMES) as BoxName[];

/** "Small box, 10 × 8 × 6 in". */
export const boxWords = (parcels: ParcelSettings, box: BoxName): string =>
  `${NAMES[box]}, ${parcels[box].inches.join(" × ")} in`;

/** 150 lb, the most that carriers take. */
export const MAX_OUNCES = 2_400;

/**
 * Suggests a box, unless one is chosen, and its weight in ounces when packed: null if the weight of a product is not
 * known.
 */
export function suggestPacking(
  parcels: ParcelSettings,
  lines: readonly { units: number; weightOz: number | null }[],
  chosen?: BoxName,
): { box: BoxName; ounces: number | null } {
  const contents = lines.reduce((sum, { units, weightOz }) => sum + units * (weightOz ?? 0), 0);
  const box = chosen ?? BOX_NAMES.find((name) => contents <= parcels[name].holdsOunces) ?? "large";
  const isKnown = lines.every(({ weightOz }) => weightOz !== null);
  return { box, ounces: isKnown ? contents + parcels[box].ounces : null };
}
