/** Discounts: codes that a shopper enters, and bundles that apply by themselves. An order has at most one. */
import { formatMoney, shareOut } from "#shop/money.ts";
import { paymentPolicy } from "#shop/policies.ts";

export const DISCOUNT_KINDS = ["percent", "amount", "shipping"] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

const CODE = /^[A-Z0-9][A-Z0-9-]{1,29}$/;

/** A typed code as it is stored; null if it is none. */
export function readCode(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  return CODE.test(code) ? code : null;
}

/** Units of any of some products that a bundle needs. */
export type BundlePart = { productIds: string[]; units: number };

export type Discount = {
  id: string;
  /** What a shopper enters, in capitals; null for a bundle. */
  code: string | null;
  /** Its name in the totals: the code, or the words of a bundle. */
  name: string;
  kind: DiscountKind;
  /** A percentage, or cents: of a bundle, for each whole set of its parts. */
  value: number;
  /** Subtotal from which it applies, in cents. */
  minimumCents: number;
  /** Products that it lowers; null for all. */
  productIds: string[] | null;
  /** What must be in the cart together; empty for a code. */
  bundle: BundlePart[];
};

export type DiscountableLine = { productId: string; unitPriceCents: number; quantity: number };

/** A discount of a cart. `lineCents` are by product, of all its units, and add up to `cents`. */
export type AppliedDiscount = Pick<Discount, "code" | "name"> & {
  /** Null if staff gave it by hand. */
  id: string | null;
  cents: number;
  lineCents: Record<string, number>;
  /** The cheapest method is free. */
  freesShipping: boolean;
};

const amountOf = ({ unitPriceCents, quantity }: DiscountableLine): number => unitPriceCents * quantity;
const sumOf = (lines: readonly DiscountableLine[]): number => lines.reduce((sum, line) => sum + amountOf(line), 0);

/** Whole sets of a bundle in a cart. */
const setsOf = (bundle: readonly BundlePart[], lines: readonly DiscountableLine[]): number =>
  Math.min(
    ...bundle.map(({ productIds, units }) => {
      const found = lines.filter(({ productId }) => productIds.includes(productId));
      return Math.floor(found.reduce((sum, { quantity }) => sum + quantity, 0) / units);
    }),
  );

/** Cents off what is lowered: never more than it costs, and nothing is left that is too small to charge. */
function centsOff({ kind, value, bundle }: Discount, lines: readonly DiscountableLine[], subtotalCents: number) {
  const cents = sumOf(lines);
  if (kind === "shipping") return 0;
  const sets = bundle.length > 0 ? setsOf(bundle, lines) : 1;
  const off = kind === "percent" ? Math.round((cents * value) / 100) : Math.min(value * sets, cents);
  return subtotalCents - off < paymentPolicy.smallestChargeCents ? cents : off;
}

/** Lines with what all their units cost, less the discount. */
export const discountedLines = (lines: readonly DiscountableLine[], applied: AppliedDiscount | null) =>
  lines.map(({ productId, quantity, unitPriceCents }) => ({
    productId,
    quantity,
    amountCents: unitPriceCents * quantity - (applied?.lineCents[productId] ?? 0),
  }));

export type DiscountProblem = { reason: "minimum"; missingCents: number } | { reason: "products" };

/**
 * Applies a discount to the lines of a cart, at the prices that they have without it. Refusals: 'minimum' with the cents that
 * are missing, 'products' if nothing in the cart is lowered.
 */
export function applyDiscount(
  discount: Discount,
  lines: readonly DiscountableLine[],
): { ok: true; applied: AppliedDiscount } | ({ ok: false } & DiscountProblem) {
  const { id, code, name, kind, minimumCents, productIds, bundle } = discount;
  const subtotalCents = sumOf(lines);
  const named = bundle.length > 0 ? bundle.flatMap((part) => part.productIds) : productIds;
  const lowered = lines.filter(({ productId }) => named?.includes(productId) ?? true);
  const isWhole = bundle.length === 0 || setsOf(bundle, lines) > 0;
  if (lowered.length === 0 || !isWhole) return { ok: false, reason: "products" };
  if (subtotalCents < minimumCents) return { ok: false, reason: "minimum", missingCents: minimumCents - subtotalCents };
  const cents = centsOff(discount, lowered, subtotalCents);
  const shares = shareOut(cents, lowered.map(amountOf));
  const lineCents = Object.fromEntries(lowered.map(({ productId }, place) => [productId, shares[place]!]));
  return { ok: true, applied: { id, code, name, cents, lineCents, freesShipping: kind === "shipping" } };
}

/** Words for a code that a cart does not qualify for yet. */
export const problemWords = (code: string, problem: DiscountProblem): string =>
  problem.reason === "minimum"
    ? `Add ${formatMoney(problem.missingCents)} more to use ${code}.`
    : `${code} doesn’t apply to anything in your cart.`;

export type CartDiscount = {
  /** The discount that counts. */
  applied: AppliedDiscount | null;
  /** The code that the shopper has entered, and why it does not count. */
  code: string | null;
  problem: string | null;
};

/** A code as it may be used now, or why it may not. */
export type FoundCode = { code: string; discount: Discount | null; problem: string | null };

type Discountable = {
  lines: readonly DiscountableLine[];
  /** Price of the cheapest method without a discount. */
  shippingCents: number;
};

/**
 * Chooses the one discount of a cart: the entered code, unless a bundle saves more; without a code, the bundle that saves
 * most.
 */
export function chooseDiscount(
  { lines, shippingCents }: Discountable,
  found: FoundCode | null,
  bundles: readonly Discount[],
): CartDiscount {
  const [bundle = null] = bundles
    .flatMap((each) => {
      const result = applyDiscount(each, lines);
      return result.ok ? [result.applied] : [];
    })
    .toSorted((a, b) => b.cents - a.cents);
  const code = found?.code ?? null;
  const without = (problem: string | null): CartDiscount => ({ applied: bundle, code, problem });
  if (!found?.discount || lines.length === 0) return without(found?.problem ?? null);
  const result = applyDiscount(found.discount, lines);
  if (!result.ok) return without(problemWords(found.code, result));
  const { freesShipping, cents } = result.applied;
  const savedCents = freesShipping ? shippingCents : cents;
  if (freesShipping && savedCents === 0) return without(`Your shipping is free without ${found.code}.`);
  if (!bundle || bundle.cents <= savedCents) return { applied: result.applied, code, problem: null };
  return without(
    `${bundle.name} already saves you ${formatMoney(bundle.cents)}, more than ${found.code} would. Discounts don’t combine.`,
  );
}

const MOST_NAMED = 2;

/** "10% off, orders $50+, once per customer", as staff read it. */
export function discountWords(
  discount: Omit<Discount, "id"> & { isOncePerInbox: boolean },
  names: Map<string, string>,
): string {
  const { kind, value, minimumCents, productIds, bundle, isOncePerInbox } = discount;
  const listed = (ids: readonly string[]) =>
    ids.length > MOST_NAMED
      ? `any of ${ids.length} products`
      : ids.map((id) => names.get(id) ?? "a deleted product").join(" or ");
  const off = { percent: `${value}% off`, amount: `${formatMoney(value)} off`, shipping: "Free shipping" }[kind];
  return [
    off,
    ...bundle.map((part) => `${part.units} × ${listed(part.productIds)}`),
    ...(productIds ? [listed(productIds)] : []),
    ...(minimumCents > 0 ? [`orders ${formatMoney(minimumCents)}+`] : []),
    ...(isOncePerInbox ? ["once per customer"] : []),
  ].join(", ");
}
