/** Expected lines, shipping and tax: the cart as the page showed it. The server compares them and never trusts them. */
import { lineProblem, type CartLine } from "#shop/cart/cart.ts";
import { MAX_LINE_QUANTITY, shipDayWords } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import type { AppliedDiscount, CartDiscount } from "#shop/discounts/discount.ts";
import { formatMoney } from "#shop/money.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { type Range, withUnit } from "#shop/units.ts";
import { SHIPPING_METHODS, shippingPrice, type ShippingMethod, type ShippingPrices } from "#shop/shipping/methods.ts";

export type ExpectedLine = Pick<CartLine, "productId" | "quantity" | "unitPriceCents" | "shipsFrom">;
/** Prices and longest business days of the methods. */
export type ExpectedShipping = ShippingPrices & Record<ShippingMethod, { businessDays: Pick<Range, "max"> }>;
/** Discount that counted; null without one. */
export type ExpectedDiscount = Pick<AppliedDiscount, "name" | "cents"> | null;
export type OrderProblem = { productId: string; name: string; message: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_LINES = 200;

/** Encodes the lines as one form field: "id:quantity:cents", for a pre-order with ":2027-01-12", joined by commas. */
export function formatExpectedLines(lines: readonly ExpectedLine[]): string {
  return lines
    .map(({ productId, quantity, unitPriceCents, shipsFrom }) =>
      [productId, quantity, unitPriceCents, ...(shipsFrom ? [shipsFrom] : [])].join(":"),
    )
    .join(",");
}

/** Decodes that field, without malformed and repeated lines. */
export function parseExpectedLines(text: string): ExpectedLine[] {
  const expected = new Map<string, ExpectedLine>();
  for (const part of text.split(",", MAX_LINES)) {
    const [productId = "", quantity, cents, shipsFrom = null] = part.split(":");
    const line = { productId, quantity: Number(quantity), unitPriceCents: Number(cents), shipsFrom };
    const isLine =
      UUID.test(productId) &&
      Number.isInteger(line.quantity) &&
      line.quantity >= 1 &&
      line.quantity <= MAX_LINE_QUANTITY &&
      Number.isInteger(line.unitPriceCents) &&
      line.unitPriceCents >= 0 &&
      line.unitPriceCents < 1e8;
    if (isLine) expected.set(productId, line);
  }
  return [...expected.values()];
}

/** Encodes shipping as one form field: "10000:999f-7:1999f-3:3499-1", f for prices that are free from the first, then days. */
export const formatExpectedShipping = (shipping: ExpectedShipping): string =>
  [
    shipping.freeFromCents,
    ...SHIPPING_METHODS.map((method) => {
      const { priceCents, isFree, businessDays } = shipping[method];
      return `${priceCents}${isFree ? "f" : ""}-${businessDays.max}`;
    }),
  ].join(":");

/** Decodes that field; null if it is none. */
export function parseExpectedShipping(text: string): ExpectedShipping | null {
  if (!/^\d{1,7}(?::\d{1,7}f?-\d{1,2}){3}$/.test(text)) return null;
  const [freeFrom = "", ...methods] = text.split(":");
  const seen = (method = "") => {
    const [price = "", days] = method.split("-");
    const businessDays = { max: Number(days) };
    return { priceCents: Number.parseInt(price, 10), isFree: price.endsWith("f"), isOffered: true, businessDays };
  };
  const [standard, express, overnight] = methods;
  return {
    freeFromCents: Number(freeFrom),
    standard: seen(standard),
    express: seen(express),
    overnight: seen(overnight),
  };
}

/** Encodes a discount as one form field: "990:SPRING10". */
export const formatExpectedDiscount = (discount: ExpectedDiscount): string =>
  discount ? `${discount.cents}:${discount.name}` : "";

/** Decodes that field; null if it is none. */
export function parseExpectedDiscount(text: string): ExpectedDiscount {
  const [, cents, name] = /^(\d{1,8}):(.{1,100})$/.exec(text) ?? [];
  return cents && name ? { cents: Number(cents), name } : null;
}

const AGAIN = "Check the summary, then place your order again.";

/** Words for a tax that is not the one that the shopper saw, with the new total in cents; null if it is. */
export function taxProblem(taxCents: number, expectedCents: number, totalCents: number): string | null {
  if (taxCents === expectedCents) return null;
  const change =
    expectedCents === 0
      ? `Sales tax at your address is ${formatMoney(taxCents)}`
      : `Sales tax is now ${formatMoney(taxCents)} instead of ${formatMoney(expectedCents)}`;
  return `${change}, so your total is ${formatMoney(totalCents)}. ${AGAIN}`;
}

const priceWords = (cents: number) => (cents === 0 ? "free" : formatMoney(cents));

export type DiscountRefusal = {
  ok: false;
  reason: "discount-changed";
  message: string;
  /** The entered code does not count. */
  isCodeRefused: boolean;
};

/** The refusal of a discount that is not the one that the shopper saw; null if it is. */
export function discountRefusal(
  { applied, problem }: CartDiscount,
  expected: ExpectedDiscount,
): DiscountRefusal | null {
  if (applied?.name === expected?.name && applied?.cents === expected?.cents) return null;
  const change = applied ? `${applied.name} now saves you ${formatMoney(applied.cents)}.` : "The discount has ended.";
  const message = `${problem ?? change} ${AGAIN}`;
  return { ok: false, reason: "discount-changed", message, isCodeRefused: problem !== null };
}

/** Words for a method that is not offered any more, costs something else at a subtotal than the shopper saw, or takes longer. */
export function shippingProblem(
  current: ShippingSettings,
  expected: ExpectedShipping,
  method: ShippingMethod,
  subtotalCents: number,
): string | null {
  const { name, isOffered } = current[method];
  if (!isOffered) return `${name} is no longer offered. Choose another shipping method, then place your order again.`;
  const now = shippingPrice(current, method, subtotalCents);
  const before = shippingPrice(expected, method, subtotalCents);
  if (now !== before) return `${name} is now ${priceWords(now)} instead of ${priceWords(before)}. ${AGAIN}`;
  const { max } = current[method].businessDays;
  const { max: maxBefore } = expected[method].businessDays;
  if (max <= maxBefore) return null;
  return `${name} now takes up to ${withUnit(max, "business day")} instead of ${maxBefore}. ${AGAIN}`;
}

/** `shipsFrom` is null once its day has come. */
type CurrentLine = ExpectedLine &
  Pick<CartLine, "name" | "maxQuantity"> & {
    /** Invitation-only, and the shopper has none. */
    isClosed: boolean;
  };

/** Returns each line that differs from what the shopper saw, with the remedy. */
export function lineProblems(lines: readonly CurrentLine[], expectedLines: readonly ExpectedLine[]): OrderProblem[] {
  const expected = new Map(expectedLines.map((line) => [line.productId, line]));
  const changed = lines.flatMap((line) => {
    const message = problemOf(line, expected.get(line.productId));
    expected.delete(line.productId);
    return message ? [{ productId: line.productId, name: line.name, message }] : [];
  });
  const gone = [...expected.keys()].map((productId) => ({
    productId,
    name: "An item",
    message: `It’s not in your cart anymore. ${AGAIN}`,
  }));
  return [...changed, ...gone];
}

function problemOf(line: CurrentLine, expected: ExpectedLine | undefined): string | null {
  const short = lineProblem(line);
  if (short) return short;
  if (line.isClosed) {
    return "It’s open to our waitlist first. Open the link in your invitation, or remove it from your cart.";
  }
  if (!expected) return `It was just added to your cart. ${AGAIN}`;
  if (expected.quantity !== line.quantity) return `The quantity is now ${line.quantity}. ${AGAIN}`;
  if (expected.unitPriceCents !== line.unitPriceCents)
    return `The price is now ${formatMoney(line.unitPriceCents)} instead of ${formatMoney(expected.unitPriceCents)}. ${AGAIN}`;
  const day = expected.shipsFrom === line.shipsFrom ? null : shipDayWords(line, clock.now());
  return day && `It now ships ${day}. ${AGAIN}`;
}
