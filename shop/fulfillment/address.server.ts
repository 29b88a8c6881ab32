/** Changes of the delivery address for what has not shipped: by staff, and by the buyer, whose new state may change the tax. */
import { and, eq, inArray } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import type { EmailJob } from "#shop/mail/email.ts";
import { consumeMail, enqueueEmail, refundMail } from "#shop/mail/enqueue-email.server.ts";
import { isAllowed, type ActorOf } from "#shop/orders/lifecycle.ts";
import { addressLines, amountsCharged, isUnsent } from "#shop/orders/order.ts";
import { noteOrder } from "#shop/orders/order-events.server.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import { taxUnits } from "#shop/orders/units.sql.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { quoteTax, type DueTax, type QuoteRefusal } from "#shop/tax/quote.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import {
  audit,
  DONE,
  mail,
  readOrder,
  REPEATED,
  waitingShipment,
  withOrder,
  wrongStatus,
  type Done,
  type LockedOrder,
  type Refused,
  type Result,
} from "./locked-order.server.ts";
import { isAllShipped } from "./order-actions.ts";
import { writeNote } from "./order-notes.server.ts";
import { labels } from "./shipment.tables.ts";

const ADDRESS_WORDS = {
  shippingFirstName: "first name",
  shippingLastName: "last name",
  shippingAddressLine1: "street",
  shippingAddressLine2: "apartment",
  shippingCity: "city",
  shippingState: "state",
  shippingPostalCode: "ZIP code",
} as const;
type AddressPart = keyof typeof ADDRESS_WORDS;
export type Address = Pick<Order, AddressPart>;

const PARTS = Object.keys(ADDRESS_WORDS) as AddressPart[];

/** Returns the address of an order without its other columns. */
export const addressOf = (order: Address): Address =>
  Object.fromEntries(PARTS.map((part) => [part, order[part]])) as Address;

/** Address as one text, for comparison. */
export const addressLine = (address: Address): string => addressLines(address).join("\n");

const changedParts = (was: Address, now: Address): string[] =>
  PARTS.filter((part) => (was[part] ?? "") !== (now[part] ?? "")).map((part) => ADDRESS_WORDS[part]);

/** A parcel waits for its charge, or a label with the address is being bought. */
async function isParcelUnderWay(tx: DatabaseOrTransaction, order: LockedOrder): Promise<boolean> {
  const due = and(eq(labels.orderId, order.id), inArray(labels.state, ["asked", "bought"]));
  return waitingShipment(order) !== undefined || (await tx.$count(labels, due)) > 0;
}

type Writing = { actor: ActorOf<"address-changed">; by: Acting | null; totalCents: number | null };

/** Writes the address of a locked order. Returns its email. The note holds both, since parcels may have gone to the former one. */
async function writeAddress(
  tx: DatabaseOrTransaction,
  was: LockedOrder,
  address: Address,
  { actor, by, totalCents }: Writing,
): Promise<EmailJob> {
  const orderId = was.id;
  await tx.update(orders).set(addressOf(address)).where(eq(orders.id, orderId));
  const [from, to] = [was, address].map((each) => addressLines(each).join(", "));
  await writeNote(tx, orderId, "address", `From ${from}\nto ${to}`, by);
  await noteOrder(tx, orderId, "address-changed", actor, totalCents === null ? undefined : { totalCents }, by?.staffId);
  return { template: "order-address-changed", orderId, changed: changedParts(was, address), totalCents };
}

/**
 * Corrects the address for what has not shipped yet, and emails the customer. The tax stays as it was. The audit log has
 * only the names of the changed parts. `seen` is the addressLine on the submitted page. Refusals: 'meanwhile' if the
 * address has changed since, 'status' if the whole order has shipped or it has ended, 'under-way' while a parcel waits for
 * its capture or its label is bought.
 */
export const correctAddress = (
  db: Database,
  orderId: string,
  { address, seen }: { address: Address; seen: string },
  by: Acting,
): Promise<Result<"under-way" | "meanwhile">> =>
  withOrder(db, orderId, async (was, tx): Promise<Result<"under-way" | "meanwhile">> => {
    if (addressLine(was) === addressLine(address)) return REPEATED;
    const isOpen = isAllowed("canceled", was.status) || isAllowed("parcel-shipped", was.status);
    if (!isOpen || isAllShipped(was)) return wrongStatus(was);
    if (await isParcelUnderWay(tx, was)) return { ok: false, reason: "under-way" };
    if (addressLine(was).replaceAll(/\s+/g, " ") !== seen.replaceAll(/\s+/g, " ")) {
      return { ok: false, reason: "meanwhile" };
    }
    await mail(tx, await writeAddress(tx, was, address, { actor: "staff", by, totalCents: null }));
    await audit(tx, by, "address", orderId, { after: { changed: changedParts(was, address).join(", ") } });
    return DONE;
  });

/** The tax of an order at its new address, and what it then charges, in cents. `quote` is null if the tax stays. */
type NewTax = { ok: true; quote: DueTax | null; taxCents: number; totalCents: number };

type ChangeRefusal =
  | Refused<"under-way" | "meanwhile" | "unknown-tax">
  /** The page showed another tax, or none. `fixed`: the payment allows no such total, or some of it is charged. */
  | { ok: false; reason: "tax" | "fixed"; taxCents: number; totalCents: number }
  | { ok: false; reason: "no-quote"; why: QuoteRefusal["reason"]; wait: number }
  | { ok: false; reason: "too-many"; wait: number };

type Buyer = {
  actor: "customer" | "guest";
  network: string;
  rateLimits: RateLimits;
  taxProvider: TaxProvider | null;
  /** Tax that the page showed, in cents. */
  seenTaxCents: number | undefined;
};

/**
 * Changes the address for the buyer of `order`, as the buyer was allowed to see it, until everything has shipped or is
 * being charged, and emails the change. The tax of another state is quoted and must be the one that was seen. Refusals:
 * 'tax' with the amounts to confirm; 'fixed' if the total may not rise to that, because its payment is for less, or not
 * change at all, because some of it is charged; 'unknown-tax' if taxed orders cannot be quoted anymore; 'no-quote';
 * 'too-many' emails; 'meanwhile' if the state changed since; 'not-found' if the order is another's by now.
 */
export async function changeAddress(
  db: Database,
  order: Order,
  address: Address,
  buyer: Buyer,
): Promise<Done | ChangeRefusal> {
  const { actor, network, rateLimits, seenTaxCents } = buyer;
  const quoted = await quoteFor(db, order, address, buyer);
  if (!quoted.ok) return quoted;
  const now = await readOrder(db, order.id);
  const tax = now ? await newTax(db, now, order, quoted.quote) : ({ ok: false, reason: "not-found" } as const);
  if (!tax.ok) return tax;
  const { taxCents, totalCents } = tax;
  if (taxCents !== order.taxCents && taxCents !== seenTaxCents)
    return { ok: false, reason: "tax", taxCents, totalCents };
  const caused = { to: order.email, network };
  const counted = await consumeMail(rateLimits, caused);
  if (!counted.permit) return { ok: false, reason: "too-many", wait: counted.wait };
  const result = await withOrder(db, order.id, async (was, tx): Promise<Done | ChangeRefusal> => {
    const still = await newTax(tx, was, order, quoted.quote);
    if (!still.ok) return still;
    if (addressLine(was) === addressLine(address)) return REPEATED;
    if (still.quote) await writeTax(tx, was, still.quote);
    const newTotal = still.taxCents === was.taxCents ? null : still.totalCents;
    const job = await writeAddress(tx, was, address, { actor, by: null, totalCents: newTotal });
    await enqueueEmail(tx, job, counted.permit);
    return DONE;
  });
  if (!result.ok || result.repeated) await refundMail(rateLimits, caused);
  return result;
}

/** The quote at another state; null if the tax stays: the state is the same, or the shop collects none. */
async function quoteFor(
  db: Database,
  order: Order,
  { shippingState: state, shippingPostalCode: postalCode }: Address,
  { network, rateLimits, taxProvider }: Buyer,
): Promise<{ ok: true; quote: DueTax | null } | ChangeRefusal> {
  if (state === order.shippingState || (!taxProvider && order.taxCents === 0)) return { ok: true, quote: null };
  if (!taxProvider) return { ok: false, reason: "unknown-tax" };
  const { productId, quantity, priceCents: unitPriceCents } = orderItems;
  const lines = await db
    .select({ productId, quantity, unitPriceCents })
    .from(orderItems)
    .where(eq(orderItems.orderId, order.id));
  const asked = { lines, shippingCents: order.shippingCents, state, postalCode, placedAt: order.createdAt };
  const quoted = await quoteTax(db, rateLimits, taxProvider, network, asked);
  return quoted.ok ? quoted : { ok: false, reason: "no-quote", why: quoted.reason, wait: quoted.wait };
}

/** Checks that an order may have another address, and what it then charges. */
async function newTax(
  tx: DatabaseOrTransaction,
  was: LockedOrder,
  seen: Order,
  quote: DueTax | null,
): Promise<NewTax | ChangeRefusal> {
  if (was.userId !== seen.userId || was.linkVersion !== seen.linkVersion) return { ok: false, reason: "not-found" };
  if (!isUnsent(was) || isAllShipped(was)) return wrongStatus(was);
  if (await isParcelUnderWay(tx, was)) return { ok: false, reason: "under-way" };
  if (was.shippingState !== seen.shippingState) return { ok: false, reason: "meanwhile" };
  const { totalCents: formerCents } = amountsCharged(was, was.lines);
  const asItWas = { ok: true, quote: null, taxCents: was.taxCents, totalCents: formerCents } as const;
  if (!quote) return asItWas;
  const { taxCents } = quote;
  const { totalCents } = amountsCharged({ ...was, ...quote }, taxedLines(was, quote));
  const paid = await tx
    .select({ kind: payments.kind, state: payments.state, capturedCents: payments.capturedCents })
    .from(payments)
    .where(eq(payments.orderId, was.id));
  const isCharged = paid.some(({ capturedCents }) => capturedCents > 0);
  if (isCharged && taxCents === was.taxCents) return asItWas;
  // A refused charge is paid on a page of its amount.
  const isFixed = paid.some(
    ({ kind, state }) => kind === "charge" || (kind === "page" && state !== "closed" && state !== "failed"),
  );
  if (isCharged || (isFixed && totalCents > formerCents)) return { ok: false, reason: "fixed", taxCents, totalCents };
  return { ok: true, quote, taxCents, totalCents };
}

const taxedLines = ({ lines }: LockedOrder, { lineTaxCents }: DueTax) =>
  lines.map((line) => ({ ...line, taxCents: lineTaxCents[line.productId] ?? 0 }));

/** Replaces the tax of a locked order of which nothing is charged yet. */
async function writeTax(tx: DatabaseOrTransaction, was: LockedOrder, quote: DueTax): Promise<void> {
  const { taxCents, shippingTaxCents, reference } = quote;
  const totalCents = was.subtotalCents + was.shippingCents + taxCents;
  await tx
    .update(orders)
    .set({ taxCents, shippingTaxCents, totalCents, taxReference: reference })
    .where(eq(orders.id, was.id));
  const lines = taxedLines(was, quote);
  for (const line of lines)
    await tx.update(orderItems).set({ taxCents: line.taxCents }).where(eq(orderItems.id, line.id));
  await tx.execute(taxUnits(was.id, unitsOfLines(lines)));
}
