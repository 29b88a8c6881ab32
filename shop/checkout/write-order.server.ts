/** The statement that sells a cart. */
import { randomUUID } from "node:crypto";
import { inArray, sql } from "drizzle-orm";
import { Retry, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { NO_CAMPAIGN, type Campaign } from "#shop/campaign.ts";
import type { Buyer } from "#shop/cart/cart.ts";
import { cartItems } from "#shop/cart/cart.tables.ts";
import { cartTotals } from "#shop/cart/totals.ts";
import { warrantyYears } from "#shop/catalog/product.ts";
import { isChargedAtShipping, latestShipDay } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import { takeStock } from "#shop/inventory/stock.server.ts";
import { enqueueEmailCall, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { firstStage, statusAfter } from "#shop/orders/lifecycle.ts";
import { orderEvents, orderItems, orders } from "#shop/orders/order.tables.ts";
import { insertUnits } from "#shop/orders/units.sql.ts";
import { unitsOfLines } from "#shop/orders/units.ts";
import { PAGE_MINUTES } from "#shop/payments/open-page.server.ts";
import { payments } from "#shop/payments/payment.tables.ts";
import { paymentPolicy } from "#shop/policies.ts";
import type { PointsByKey } from "#shop/rate-limits/rate-limits.server.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { orderDay, shipBy } from "#shop/shipping/methods.ts";
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

type PricedOrder = ConfirmedOrder & { quote: DueTax | null; shipping: ShippingSettings };

const inMinutes = (minutes: number) => sql`now() + ${minutes} * interval '1 minute'`;

/**
 * One statement writes the order, takes its stock, and queues the confirmation or creates the payment. If concurrent
 * orders took the stock, the transaction is retried with what is left.
 */
export async function writeOrder(
  tx: DatabaseOrTransaction,
  buyer: Buyer,
  { form, checkoutKey, termsVersion, campaign = NO_CAMPAIGN, mustPay, quote, shipping }: PricedOrder,
  lines: CheckoutLine[],
  permit: MailPermit,
  holdLimits: PointsByKey,
): Promise<string> {
  const orderId = randomUUID();
  const event = mustPay ? "held" : "placed";
  const { subtotalCents, shippingCents, taxCents, totalCents } = cartTotals(
    shipping,
    lines,
    form.shippingMethod,
    quote?.taxCents,
  );
  const order = tx.insert(orders).values({
    ...form,
    ...campaign,
    ...("customerId" in buyer ? { userId: buyer.customerId } : { sessionId: buyer.guestId }),
    id: orderId,
    checkoutKey,
    subtotalCents,
    shippingCents,
    taxCents,
    shippingTaxCents: quote?.shippingTaxCents ?? 0,
    taxReference: quote?.reference,
    totalCents,
    shipBy: shipBy(shipping, form.shippingMethod, orderDay(clock.now()), latestShipDay(lines, clock.now())),
    termsVersion,
    stage: firstStage(event),
    ...(mustPay && { paymentStatus: "unpaid", holdUntil: inMinutes(paymentPolicy.reservationMinutes) }),
  });
  const items = lines
    .toSorted(byCart)
    .map(({ productId, name, quantity, shipsFrom, category, specs, ...line }, position) => ({
      id: randomUUID(),
      orderId,
      productId,
      name,
      priceCents: line.unitPriceCents,
      quantity,
      position,
      taxCents: quote?.lineTaxCents[productId] ?? 0,
      shipsFrom,
      warrantyYears: warrantyYears({ category, specs }),
    }));
  const payment = tx.insert(payments).values({
    orderId,
    kind: isChargedAtShipping(lines, clock.now()) ? "setup" : "page",
    provider: form.paymentProvider ?? "stripe",
    amountCents: totalCents,
    expiresAt: inMinutes(PAGE_MINUTES),
    holdLimits,
  });
  const { rows } = await tx.execute<{ taken: number }>(sql`
    WITH placed AS ${order},
    recorded AS ${tx.insert(orderEvents).values({
      orderId,
      type: event,
      toStatus: statusAfter(event),
      actor: "customerId" in buyer ? "customer" : "guest",
    })},
    frozen AS ${tx.insert(orderItems).values(items)},
    numbered AS (${insertUnits(orderId, unitsOfLines(items))}),
    taken AS (${takeStock(lines)}),
    emptied AS ${tx.delete(cartItems).where(
      inArray(
        cartItems.id,
        lines.map(({ id }) => id),
      ),
    )}
    ${mustPay ? sql`, opened AS ${payment}` : sql``}
    SELECT (SELECT count(*) FROM taken)::int AS taken
      ${mustPay ? sql`` : sql`, ${enqueueEmailCall({ template: "order-confirmation", orderId }, permit)}`}`);
  if (rows[0]?.taken !== lines.length) throw new Retry("units were sold meanwhile");
  return orderId;
}
