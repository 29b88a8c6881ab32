/** Orders that staff place for someone: to be paid by a link or as arranged, or at no charge. They ship like every order. */
import { and, eq, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { amountsOf, cartTotals, type Amounts } from "#shop/cart/totals.ts";
import { discountedLines, type AppliedDiscount } from "#shop/discounts/discount.ts";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { shareOut } from "#shop/money.ts";
import { recordPayment } from "#shop/orders/actions/pay.ts";
import { orders } from "#shop/orders/order.tables.ts";
import type { GiftReason } from "#shop/orders/reasons.ts";
import { decideOn } from "#shop/orders/run.server.ts";
import type { Arrangement } from "#shop/payments/arrangement.ts";
import { paymentPolicy } from "#shop/policies.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { settings } from "#shop/settings/settings.server.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { shippingPrice } from "#shop/shipping/methods.ts";
import { FRESH_REFUND_CENTS, may, REFUND_LIMIT_CENTS, type Permission } from "#shop/staff/permissions.ts";
import { quoteTax, type DueTax, type QuoteRefusal } from "#shop/tax/quote.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import { readChosen, type CheckoutLine } from "./checkout-lines.server.ts";
import { writeOrder } from "./write-order.server.ts";

const LINK_MINUTES = paymentPolicy.linkDays * 24 * 60;

type Contact = Pick<CheckoutForm, "email" | "phone" | "shippingMethod"> &
  Pick<CheckoutForm, Extract<keyof CheckoutForm, `shipping${string}`>>;

export type OrderByHand = {
  /** Random key of the form: a repeated submission places one order. */
  formKey: string;
  contact: Omit<Contact, "shippingCountry">;
  /** Each product once. `unitCents` is a price of its own, at most that of today; null for that. */
  lines: { productId: string; quantity: number; unitCents: number | null }[];
  /** Off the whole order, beside what its own prices are less. */
  discountCents: number;
  /** Name of the discount, which the customer reads. */
  reason: string;
  isShippingFree: boolean;
  payment: { by: "link" } | { by: "arranged"; arrangement: Arrangement } | { by: "nothing"; reason: GiftReason };
  termsVersion: string;
};

type Quoting = { rateLimits: RateLimits; taxProvider: TaxProvider | null };
type By = { by: Acting; isVerified: boolean };

export type Refusal =
  | { ok: false; reason: "forbidden" | "nothing-chosen" | "discount" | "no-reason" | "too-small" | "unverified" }
  /** Cents that are given away, above the limit of the role. */
  | { ok: false; reason: "limit"; cents: number }
  | { ok: false; reason: "short"; productId: string; unitsLeft: number }
  | { ok: false; reason: "price"; productId: string; priceCents: number }
  | { ok: false; reason: "no-quote"; why: QuoteRefusal["reason"]; wait: number };

type Priced = {
  ok: true;
  lines: CheckoutLine[];
  shipping: ShippingSettings;
  discount: AppliedDiscount | null;
  quote: DueTax | null;
  amounts: Amounts;
};

const refuse = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;

const PERMISSIONS: Record<OrderByHand["payment"]["by"], Permission> = {
  link: "orders:place",
  arranged: "payments:record",
  nothing: "orders:give",
};

/** The line that more is asked of than is for sale. */
function shortOf(chosen: OrderByHand["lines"], lines: CheckoutLine[]): Refusal | null {
  for (const { productId, quantity } of chosen) {
    const unitsLeft = lines.find((line) => line.productId === productId)?.inventoryCount ?? 0;
    if (quantity > unitsLeft) return { ...refuse("short"), productId, unitsLeft };
  }
  return null;
}

/** What is off each line by its own price, and its share of what is off the order. */
function discountOf(
  { lines: chosen, discountCents, reason }: OrderByHand,
  lines: CheckoutLine[],
): AppliedDiscount | null {
  const own = lines.map(({ productId, unitPriceCents, quantity }) => {
    const unitCents = chosen.find((line) => line.productId === productId)?.unitCents ?? unitPriceCents;
    return { productId, off: (unitPriceCents - unitCents) * quantity, left: unitCents * quantity };
  });
  const shares = shareOut(
    discountCents,
    own.map(({ left }) => left),
  );
  const lineCents = Object.fromEntries(own.map(({ productId, off }, place) => [productId, off + shares[place]!]));
  const cents = Object.values(lineCents).reduce((sum, off) => sum + off, 0);
  return cents > 0 ? { id: null, code: null, name: reason, cents, lineCents, freesShipping: false } : null;
}

/**
 * Prices an order: its lines at the prices of today or their own, its discount, shipping, and tax as at checkout. At no charge
 * its lines cost nothing. Refusals: 'forbidden', 'limit' and 'unverified' for what the role may not give; 'short' and 'price' of
 * a product; 'discount' above what the products cost, 'no-reason' without its name, 'too-small' to be charged, 'no-quote'.
 */
async function priceByHand(
  db: Database,
  { rateLimits, taxProvider }: Quoting,
  order: OrderByHand,
  { by, isVerified }: By,
): Promise<Priced | Refusal> {
  const { contact, payment } = order;
  if (!may(by.role, PERMISSIONS[payment.by])) return refuse("forbidden");
  if (order.lines.length === 0) return refuse("nothing-chosen");
  const found = await readChosen(db, order.lines);
  const short = shortOf(order.lines, found);
  if (short) return short;
  const isFree = payment.by === "nothing";
  const method = contact.shippingMethod;
  const usual = settings().shipping;
  const shipping = isFree || order.isShippingFree ? { ...usual, [method]: { ...usual[method], priceCents: 0 } } : usual;
  if (isFree) {
    const lines = found.map((line) => ({ ...line, unitPriceCents: 0 }));
    return {
      ok: true,
      lines,
      shipping,
      discount: null,
      quote: null,
      amounts: amountsOf(cartTotals(shipping, lines, method)),
    };
  }
  for (const { productId, unitCents } of order.lines) {
    const priceCents = found.find((line) => line.productId === productId)!.unitPriceCents;
    if (unitCents !== null && unitCents > priceCents) return { ...refuse("price"), productId, priceCents };
  }
  const discount = discountOf(order, found);
  const { subtotalCents } = cartTotals(shipping, found, method);
  if (discount && discount.cents > subtotalCents) return refuse("discount");
  if (discount && order.reason === "") return refuse("no-reason");
  const givenCents = (discount?.cents ?? 0) + (order.isShippingFree ? shippingPrice(usual, method, subtotalCents) : 0);
  if (givenCents > 0 && !may(by.role, "orders:refund")) return refuse("forbidden");
  if (givenCents > (REFUND_LIMIT_CENTS[by.role] ?? Infinity)) return { ...refuse("limit"), cents: givenCents };
  if (givenCents > FRESH_REFUND_CENTS && !isVerified) return refuse("unverified");
  const { shippingCents } = cartTotals(shipping, found, method, 0, discount);
  const { shippingState: state, shippingPostalCode: postalCode } = contact;
  const asked = { lines: discountedLines(found, discount), shippingCents, state, postalCode };
  const quoted = taxProvider && (await quoteTax(db, rateLimits, taxProvider, `staff ${by.staffId}`, asked));
  if (quoted && !quoted.ok) return { ...refuse("no-quote"), why: quoted.reason, wait: quoted.wait };
  const quote = quoted?.quote ?? null;
  const amounts = amountsOf(cartTotals(shipping, found, method, quote?.taxCents, discount));
  if (amounts.totalCents < paymentPolicy.smallestChargeCents) return refuse("too-small");
  return { ok: true, lines: found, shipping, discount, quote, amounts };
}

export type PlacedByHand =
  | { ok: true; orderId: string; repeated: boolean }
  | Refusal
  | { ok: false; reason: "too-many-emails" }
  | { ok: false; reason: "total"; amounts: Amounts };

/**
 * Places an order whose total the member has seen, in cents, by the same statement as the checkout. By a link it is unpaid, and
 * holds its stock for three days; its customer is emailed the link. Otherwise it is confirmed, and paid as arranged or for
 * nothing. It belongs to the account that has proven its email. Refusals: 'total' with the amounts as they are, 'too-many-emails', and
 * those of priceByHand.
 */
export async function placeByHand(
  db: Database,
  quoting: Quoting,
  order: OrderByHand & { seenCents: number | null },
  { takePermit, ...by }: By & { takePermit: () => Promise<MailPermit | null> },
): Promise<PlacedByHand> {
  const known = await placedWith(db, order.formKey);
  if (known) return known;
  const priced = await priceByHand(db, quoting, order, by);
  if (!priced.ok) return priced;
  const { amounts } = priced;
  if (amounts.totalCents !== order.seenCents) return { ...refuse("total"), amounts };
  const permit = await takePermit();
  if (!permit) return refuse("too-many-emails");
  return transaction(db, async (tx): Promise<PlacedByHand> => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${order.formKey}, 0))`);
    const repeated = await placedWith(tx, order.formKey);
    // Units that were sold meanwhile are found by the statement, which then runs again.
    const short = repeated ?? shortOf(order.lines, await readChosen(tx, order.lines));
    return short ?? { ok: true, orderId: await write(tx, order, priced, by.by, permit), repeated: false };
  });
}

async function placedWith(db: DatabaseOrTransaction, formKey: string) {
  const [found] = await db.select({ id: orders.id }).from(orders).where(eq(orders.checkoutKey, formKey));
  return found ? ({ ok: true, orderId: found.id, repeated: true } as const) : null;
}

async function write(
  tx: DatabaseOrTransaction,
  { formKey, contact, payment, termsVersion }: OrderByHand,
  { lines, amounts, ...priced }: Priced,
  by: Acting,
  permit: MailPermit,
): Promise<string> {
  const { staffId } = by;
  const isOwner = and(eq(users.email, contact.email.toLowerCase()), eq(users.emailVerified, true));
  const [account] = await tx.select({ id: users.id }).from(users).where(isOwner);
  const written = {
    ...priced,
    checkoutKey: formKey,
    form: { ...contact, shippingCountry: "US" as const, billingAddressSameAsShipping: true, saveInformation: false },
    termsVersion,
    mustPay: payment.by === "link",
    holdMinutes: LINK_MINUTES,
    ...(payment.by === "nothing" && { reason: payment.reason }),
  };
  const orderId = await writeOrder(tx, { staffId, userId: account?.id ?? null }, written, lines, permit, {});
  if (payment.by === "link") await enqueueEmail(tx, { template: "order-to-pay", orderId }, permit);
  if (payment.by === "arranged") await record(tx, orderId, amounts.totalCents, payment.arrangement, staffId);
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const after = {
    units,
    cents: amounts.totalCents,
    discountCents: amounts.discountCents,
    ...(payment.by === "nothing" && { reason: payment.reason }),
    ...(payment.by === "arranged" && { how: payment.arrangement.how }),
  };
  await writeAudit(tx, by, { action: "order.place", subject: `order:${orderId}`, after });
  return orderId;
}

async function record(
  tx: DatabaseOrTransaction,
  orderId: string,
  cents: number,
  arrangement: Arrangement,
  staffId: string,
): Promise<void> {
  const recorded = await decideOn(tx, orderId, (state, act) => recordPayment(state, { cents, arrangement }, act), {
    by: "staff",
    staffId,
  });
  if (!recorded.ok) throw new Error(`a payment of an order by hand was not recorded: ${recorded.reason}`);
}
