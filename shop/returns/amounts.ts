/** Amounts of returns and exchanges, in cents. */

/** More for the wanted product than for the one that comes back, before tax; less if negative. */
export const differenceOf = (line: { priceCents: number; units: number }, wantedPriceCents: number): number =>
  (wantedPriceCents - line.priceCents) * line.units;
