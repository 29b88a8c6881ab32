/** Changes of the delivery address for what has not shipped: by staff, and by the buyer. The tax of another state is quoted first. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { transaction, type Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { consumeMail, refundMail } from "#shop/mail/enqueue-email.server.ts";
import { formatMoney } from "#shop/money.ts";
import { changeAddress, isTaxed, movedTax, type Move, type MovedTax } from "#shop/orders/actions/change-address.ts";
import { refused, type Refusal } from "#shop/orders/change.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { addressLine, addressLines, changedParts } from "#shop/orders/order.ts";
import { orderItems, orders } from "#shop/orders/order.tables.ts";
import type { Order } from "#shop/orders/orders.server.ts";
import { decideOn, type By } from "#shop/orders/run.server.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { orderState } from "#shop/orders/state.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { quoteTax, type DueTax, type QuoteRefusal } from "#shop/tax/quote.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { audit, staff, type Done } from "./locked-order.server.ts";
import { writeNote } from "./order-notes.server.ts";
import type { RefundRefusal } from "./refund.server.ts";
import { labels } from "./shipment.tables.ts";

export type AddressRefusal =
  | { ok: false; reason: "not-found" | "under-way" | "meanwhile" | "unpaid" | "unknown-tax" }
  | { ok: false; reason: "status"; status: OrderStatus }
  /** The tax is another and must be seen first; or it cannot change: of this payment, or once something is charged. */
  | ({ ok: false; reason: "tax" | "fixed" | "charged" } & MovedTax)
  | { ok: false; reason: "no-quote"; why: QuoteRefusal["reason"]; wait: number };

type Desk = {
  /** Limits by the sender of the request. */
  network: string;
  rateLimits: RateLimits;
  taxProvider: TaxProvider | null;
  providers: PaymentProviders | null;
};
type Moving = Omit<Move, "tax">;
type Moved = Done | AddressRefusal | RefundRefusal;

/** The tax of all that was bought in another state; null if it stays: the state is the same, or the shop collects none. */
async function taxThere(
  db: Database,
  order: Order,
  { shippingState: state, shippingPostalCode: postalCode }: Move["address"],
  { network, rateLimits, taxProvider }: Desk,
): Promise<{ ok: true; quote: DueTax | null } | AddressRefusal> {
  if (state === order.shippingState || (!taxProvider && order.taxCents === 0)) return { ok: true, quote: null };
  if (!taxProvider) return { ok: false, reason: "unknown-tax" };
  const { productId, quantity, returnId } = orderItems;
  const amountCents = sql<number>`(SELECT sum(price)::int FROM order_units WHERE order_item_id = ${orderItems.id})`;
  const all = await db
    .select({ productId, quantity, amountCents, returnId })
    .from(orderItems)
    .where(eq(orderItems.orderId, order.id));
  const lines = all.filter((line) => line.returnId === null);
  const asked = { lines, shippingCents: order.shippingCents, state, postalCode, placedAt: order.createdAt };
  const quoted = await quoteTax(db, rateLimits, taxProvider, network, asked);
  return quoted.ok ? quoted : { ok: false, reason: "no-quote", why: quoted.reason, wait: quoted.wait };
}

/** Moves an order that is still whose it was. The note holds both addresses, since parcels may have gone to the former one. */
async function move(
  db: Database,
  order: Order,
  moving: Moving,
  { by, acting }: { by: By; acting: Acting | null },
  desk: Desk,
): Promise<Moved> {
  const { address, bears } = moving;
  const seen = await readFacts(db, order.id);
  const isSeenTaxed = seen !== null && isTaxed(orderState(seen));
  const quoted = isSeenTaxed ? await taxThere(db, order, address, desk) : { ok: true as const, quote: null };
  if (!quoted.ok) return quoted;
  const tax = quoted.quote;
  let sums: MovedTax | null = null;
  const decided = await transaction(db, async (tx) => {
    const [now] = await tx.select().from(orders).where(eq(orders.id, order.id)).for("update");
    if (now?.userId !== order.userId || now.linkVersion !== order.linkVersion)
      return { ok: false, reason: "not-found" } as const;
    const due = and(eq(labels.orderId, order.id), inArray(labels.state, ["asked", "bought"]));
    const isLabelDue = (await tx.$count(labels, due)) > 0;
    const result = await decideOn(
      tx,
      order.id,
      (state, act) => {
        if (isTaxed(state) && !isSeenTaxed) return refused("meanwhile");
        sums = tax && movedTax(state, tax);
        const decision = changeAddress(state, { ...moving, tax }, act);
        if (!decision.ok || !decision.change.order) return decision;
        return isLabelDue ? { ok: false, reason: "under-way" } : decision;
      },
      by,
    );
    if (!result.ok || result.repeated) return result;
    const [from, to] = [now, address].map((each) => addressLines(each).join(", "));
    await writeNote(tx, order.id, "address", [`From ${from}`, `to ${to}`, ...taxWords(sums, bears)].join("\n"), acting);
    const changed = changedParts(now, address).join(", ");
    if (acting) await audit(tx, acting, "address", order.id, { after: { changed, ...auditOf(sums, bears) } });
    return result;
  });
  if (!decided.ok) {
    const { status, ...refusal } = decided as Refusal & { status?: OrderStatus };
    return { ...refusal, ...(refusal.reason === "status" && { status }), ...(sums as MovedTax | null) } as Moved;
  }
  for (const id of ("change" in decided && decided.change.run) || [])
    if (desk.providers) await runAction(db, desk.providers, id);
  return { ok: true, repeated: decided.repeated };
}

const isMore = (sums: MovedTax | null): sums is MovedTax => sums !== null && sums.toCents > sums.fromCents;

function taxWords(sums: MovedTax | null, bears: Move["bears"]): string[] {
  if (!sums || sums.toCents === sums.fromCents) return [];
  const tax = `Sales tax from ${formatMoney(sums.fromCents)} to ${formatMoney(sums.toCents)}`;
  return [isMore(sums) && bears === "shop" ? `${tax}, of which we pay ${formatMoney(sums.waivedCents)}` : tax];
}

const auditOf = (sums: MovedTax | null, bears: Move["bears"]) => ({
  ...(sums && sums.toCents !== sums.fromCents && { taxCents: sums.toCents }),
  ...(isMore(sums) && bears === "shop" && { waivedCents: sums.waivedCents }),
});

/**
 * Changes the address for staff, and emails the customer. What the tax there is more, `bears` decides: the customer pays it,
 * or the shop, within the limit of the member's refunds. The audit log has only the names of the changed parts.
 */
export const correctAddress = async (
  db: Database,
  order: Order,
  moving: Moving,
  { by, isVerified }: { by: Acting; isVerified: boolean },
  desk: Omit<Desk, "network">,
): Promise<Moved> =>
  move(db, order, moving, { by: staff({ ...by, isVerified }), acting: by }, { ...desk, network: by.address });

/**
 * Changes the address for the buyer of `order`, as the buyer was allowed to see it, and emails the change. Refused like
 * changeAddress, and with 'unknown-tax' if taxed orders cannot be quoted any more, 'no-quote', 'too-many' emails, and
 * 'not-found' if the order is another's by now.
 */
export async function moveByBuyer(
  db: Database,
  order: Order,
  moving: Pick<Moving, "address" | "seenTaxCents">,
  actor: "customer" | "guest",
  desk: Desk,
): Promise<Done | AddressRefusal | { ok: false; reason: "too-many"; wait: number }> {
  const caused = { to: order.email, network: desk.network };
  const counted = await consumeMail(desk.rateLimits, caused);
  if (!counted.permit) return { ok: false, reason: "too-many", wait: counted.wait };
  const from = addressLine(order);
  const who = { by: { by: actor }, acting: null };
  const result = await move(db, order, { ...moving, from }, who, desk);
  if (!result.ok || result.repeated) await refundMail(desk.rateLimits, caused);
  return result as Exclude<Moved, RefundRefusal>;
}
