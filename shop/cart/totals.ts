/** The only adding-up in the shop: subtotal, shipping, tax, total (SPEC 9). All amounts in cents. */
export const FREE_SHIPPING_FROM_CENTS = 100_00;

export const SHIPPING_METHODS = {
  standard: { name: "Standard Shipping", window: "5-7 business days", priceCents: 9_99 },
  express: { name: "Express Shipping", window: "2-3 business days", priceCents: 19_99 },
  overnight: { name: "Overnight Shipping", window: "1 business day", priceCents: 34_99 },
} as const;
export type ShippingMethod = keyof typeof SHIPPING_METHODS;

export type Totals = {
  itemCount: number;
  subtotalCents: number;
  shippingCents: number;
  taxCents: number;
  totalCents: number;
  /** What is missing to free shipping; 0 once it is reached. */
  freeShippingGapCents: number;
};

/** What a shipping method costs at a subtotal: nothing from $100, else its price. */
export function shippingPrice(method: ShippingMethod, subtotalCents: number): number {
  return subtotalCents >= FREE_SHIPPING_FROM_CENTS ? 0 : SHIPPING_METHODS[method].priceCents;
}

/** Adds up lines of integer cents. Nothing to ship costs nothing to ship. Tax is always 0. */
export function cartTotals(
  lines: ReadonlyArray<{ unitPriceCents: number; quantity: number }>,
  method: ShippingMethod = "standard",
): Totals {
  const itemCount = lines.reduce((sum, line) => sum + line.quantity, 0);
  const subtotalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
  const shippingCents = itemCount === 0 ? 0 : shippingPrice(method, subtotalCents);
  const taxCents = 0;
  return {
    itemCount,
    subtotalCents,
    shippingCents,
    taxCents,
    totalCents: subtotalCents + shippingCents + taxCents,
    freeShippingGapCents: Math.max(0, FREE_SHIPPING_FROM_CENTS - subtotalCents),
  };
}
