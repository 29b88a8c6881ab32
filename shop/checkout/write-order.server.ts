/** The statement that places an order: of a cart, or by hand. */
import { randomUUID } from "node:crypto";
import { sql, type Placeholder, type SQL } from "drizzle-orm";
import { columnsOf } from "#db/columns-of.ts";
import { Retry, statement, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { NO_CAMPAIGN, type Campaign } from "#shop/campaign.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { amountsOf, cartTotals } from "#shop/cart/totals.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { isChargedAtShipping, latestShipDay } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import type { AppliedDiscount } from "#shop/discounts/discount.ts";
import { takeStock } from "#shop/inventory/stock.server.ts";
import { enqueueGiven, queuedJob, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { firstStage, statusAfter } from "#shop/orders/lifecycle.ts";
import { orderEvents, orders } from "#shop/orders/order.tables.ts";
import { ADDRESS_PARTS } from "#shop/orders/order.ts";
import type { GiftReason } from "#shop/orders/reasons.ts";
import { insertUnitColumns } from "#shop/orders/units.sql.ts";
import { UNIT_COLUMNS, unitsOfLines } from "#shop/orders/units.ts";
import { PAGE_MINUTES } from "#shop/payments/open-page.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import { paymentPolicy } from "#shop/policies.ts";
import type { PointsByKey } from "#shop/rate-limits/rate-limits.server.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { shipBy } from "#shop/shipping/methods.ts";
import type { DueTax } from "#shop/tax/quote.server.ts";
import type { CheckoutForm } from "./checkout-form.ts";
import { byCart, type CheckoutLine } from "./checkout-lines.server.ts";

export type ConfirmedOrder = {
  checkoutKey: string;
  form: CheckoutForm;
  /** Effective date of the terms that the buyer agrees to, YYYY-MM-DD. */
  termsVersion: string;
  campaign?: Campaign;
  /** The order begins as unpaid and reserves stock until its payment is authorized. */
  mustPay?: boolean;
};

/** Who places an order: its buyer, or a member of the staff, for an account or for someone without one. */
type Placer = Buyer | { staffId: string; userId: string | null };

type PricedOrder = ConfirmedOrder & {
  quote: DueTax | null;
  shipping: ShippingSettings;
  discount: AppliedDiscount | null;
  /** Minutes for which it reserves stock until it is paid. */
  holdMinutes?: number;
  /** Why staff placed it at no charge. */
  reason?: GiftReason;
};

const ORDER_COLUMNS = [
  "checkoutKey",
  "userId",
  "sessionId",
  "email",
  "phone",
  ...ADDRESS_PARTS,
  "shippingCountry",
  "shippingMethod",
  "giftMessage",
  "saveInformation",
  "billingAddressSameAsShipping",
  "utmSource",
  "utmCampaign",
  "subtotalCents",
  "discountCents",
  "discountName",
  "discountId",
  "shippingCents",
  "taxCents",
  "shippingTaxCents",
  "taxReference",
  "totalCents",
  "shipBy",
  "termsVersion",
] as const;
const LINE_COLUMNS = [
  "id",
  "productId",
  "name",
  "priceCents",
  "quantity",
  "taxCents",
  "shipsFrom",
  "warrantyYears",
] as const;

const given = <Name extends string>(names: readonly Name[], of = "") =>
  Object.fromEntries(names.map((name) => [name, sql.placeholder(of + name)])) as Record<Name, Placeholder>;
const named = (of: string, columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([name, values]) => [of + name, values]));

const inMinutes = (minutes: number | Placeholder) => sql`now() + ${minutes}::int * interval '1 minute'`;

/** Writes an order that is placed, or held with the payment for which it waits. One text for any number of lines. */
function writing(db: DatabaseOrTransaction, event: "placed" | "held"): SQL {
  const mustPay = event === "held";
  const orderId = sql.placeholder("orderId");
  const line = given(LINE_COLUMNS, "line.");
  const order = db.insert(orders).values({
    ...given(ORDER_COLUMNS),
    id: orderId,
    stage: firstStage(event),
    ...(mustPay
      ? { paymentStatus: "unpaid", holdUntil: inMinutes(sql.placeholder("holdMinutes")) }
      : { attention: sql`CASE WHEN ${sql.placeholder("totalCents")}::int > 0 THEN '{arrange}'::text[] ELSE '{}' END` }),
  });
  const payment = db.insert(payments).values({
    ...given(["kind", "provider", "holdLimits"]),
    orderId,
    amountCents: sql.placeholder("totalCents"),
    expiresAt: inMinutes(PAGE_MINUTES),
  });
  return sql`
    WITH placed AS ${order},
    recorded AS ${db.insert(orderEvents).values({
      orderId,
      type: event,
      toStatus: statusAfter(event),
      actor: sql.placeholder("actor"),
      staffId: sql.placeholder("staffId"),
      data: sql`${sql.placeholder("data")}::jsonb`,
    })},
    frozen AS (
      INSERT INTO order_items (order_id, id, product_id, name, price, quantity, tax, ships_from, warranty_years, position)
      SELECT ${orderId}::uuid, id, product_id, name, price, quantity, tax, ships_from, warranty_years, place - 1
      FROM unnest(${line.id}::uuid[], ${line.productId}::uuid[], ${line.name}::text[], ${line.priceCents}::int[],
        ${line.quantity}::int[], ${line.taxCents}::int[], ${line.shipsFrom}::date[], ${line.warrantyYears}::int[])
        WITH ORDINALITY AS lines (id, product_id, name, price, quantity, tax, ships_from, warranty_years, place)),
    numbered AS (${insertUnitColumns(orderId, given(UNIT_COLUMNS, "unit."))}),
    taken AS (${takeStock(line)}),
    emptied AS (DELETE FROM cart_items WHERE id = ANY (${sql.placeholder("cartLines")}::uuid[]))
    ${mustPay ? sql`, opened AS ${payment}` : sql``}
    SELECT (SELECT count(*) FROM taken)::int AS taken
      ${mustPay ? sql`` : sql`, ${enqueueGiven(sql.placeholder("confirmation"))}`}`;
}

const write = {
  placed: statement<{ taken: number }>("place_order", (db) => writing(db, "placed")),
  held: statement<{ taken: number }>("hold_order", (db) => writing(db, "held")),
};

/**
 * One statement writes the order, takes its stock, and queues the confirmation or creates the payment. If concurrent
 * orders took the stock, the transaction is retried with what is left.
 */
export async function writeOrder(
  tx: DatabaseOrTransaction,
  placer: Placer,
  order: PricedOrder,
  lines: CheckoutLine[],
  permit: MailPermit,
  holdLimits: PointsByKey,
): Promise<string> {
  const { form, checkoutKey, termsVersion, campaign = NO_CAMPAIGN, mustPay, quote, shipping, discount, reason } = order;
  const { holdMinutes = paymentPolicy.reservationMinutes } = order;
  const orderId = randomUUID();
  const amounts = amountsOf(cartTotals(shipping, lines, form.shippingMethod, quote?.taxCents, discount));
  const items = lines.toSorted(byCart).map(({ category, specs, ...line }) => ({
    ...line,
    id: randomUUID(),
    priceCents: line.unitPriceCents,
    taxCents: quote?.lineTaxCents[line.productId] ?? 0,
    discountCents: discount?.lineCents[line.productId] ?? 0,
    warrantyYears: warrantyYears({ category, specs }),
  }));
  const owner = "customerId" in placer ? placer.customerId : "userId" in placer ? placer.userId : null;
  const staffId = "staffId" in placer ? placer.staffId : null;
  const [written] = await write[mustPay ? "held" : "placed"](tx, {
    ...form,
    ...campaign,
    shippingAddressLine2: form.shippingAddressLine2 ?? null,
    giftMessage: form.giftMessage ?? null,
    orderId,
    checkoutKey,
    userId: owner,
    sessionId: "guestId" in placer ? placer.guestId : null,
    actor: staffId ? "staff" : owner ? "customer" : "guest",
    staffId,
    data: reason ? JSON.stringify({ reason }) : null,
    holdMinutes,
    ...amounts,
    discountId: discount?.id ?? null,
    shippingTaxCents: quote?.shippingTaxCents ?? 0,
    taxReference: quote?.reference ?? null,
    shipBy: shipBy(shipping, form.shippingMethod, clock.now(), latestShipDay(lines, clock.now())),
    termsVersion,
    ...named("line.", columnsOf(items, LINE_COLUMNS)),
    ...named("unit.", columnsOf(unitsOfLines(items), UNIT_COLUMNS)),
    cartLines: lines.map(({ id }) => id),
    kind: isChargedAtShipping(lines, clock.now()) ? "setup" : "page",
    provider: form.paymentProvider ?? "stripe",
    holdLimits,
    confirmation: queuedJob({ template: "order-confirmation", orderId }, permit),
  });
  if (written?.taken !== lines.length) throw new Retry("units were sold meanwhile");
  return orderId;
}
