/** Payment pages at the provider: one at a time for an order, and the same one while it is open. */
import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import { transaction, type Database, type DatabaseOrTransaction } from "#db/connection.server.ts";
import { clock } from "#shop/clock.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { refusedCents } from "#shop/orders/actions/announce.ts";
import { mayBePaid, mayPayOnPage } from "#shop/orders/actions/money.ts";
import { amountsCharged, isEnded, isUnpaid, isUnsent, orderNumber } from "#shop/orders/order.ts";
import { asOrdered, orderItems, orders } from "#shop/orders/order.tables.ts";
import { isLink, isSurplus } from "#shop/orders/order-money.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { orderUnits } from "#shop/orders/unit.tables.ts";
import { lineColumns } from "#shop/orders/units.sql.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import {
  closeUnopened,
  isChargedByParcel,
  isMoneyUnderWay,
  isRefused,
  latestCard,
  lockPayments,
  type LockedOrder,
  type Payment,
} from "./locked-payments.server.ts";
import { paymentLinking } from "./open-provider.server.ts";
import { METHOD_NAMES, PAYMENT_METHODS } from "./payment-method.ts";
import { payments, type PaymentKind } from "./payment.tables.ts";
import { ProviderError, providerFor, type PaymentOrder, type PaymentProviders } from "./provider.ts";
import { closePage, reconcilePayment } from "./reconcile.server.ts";
import { returnUrl } from "./return-link.server.ts";

/** Maximum lifetime of a page; the shop closes it when the reservation ends. */
export const PAGE_MINUTES = 65;
/** Stripe opens none that would end sooner: docs.stripe.com/api/checkout/sessions/create, `expires_at`. */
const SHORTEST_PAGE_MINUTES = 30;

/** Too old to be opened: an order by a link waits for days. */
const isLate = ({ expiresAt }: Payment): boolean =>
  expiresAt !== null && expiresAt.getTime() < clock.now().getTime() + (SHORTEST_PAGE_MINUTES + 1) * 60_000;

type OpenedPage =
  | { ok: true; url: string }
  | {
      ok: false;
      /**
       * `over`: the order can no longer be paid. `away` and `busy`: the provider cannot open a page now, but may soon.
       */
      reason: "paid" | "over" | "away" | "busy";
    };

/** `pay` what is due; `card`: change the saved card; or pay one charge that was asked for. */
type Wanted = "pay" | "card" | { chargeId: string };

/**
 * Returns the address of the order's payment page, opened again if the former one has closed. To pay: only for unpaid
 * orders within their reservation, and for others whose payment failed or was requested, or whose charge was refused. To
 * change the card: while a card is kept for what has not shipped. The caller has checked ownership.
 */
export async function openPage(
  db: Database,
  providers: PaymentProviders,
  orderId: string,
  wanted: Wanted = "pay",
): Promise<OpenedPage> {
  try {
    let page = await transaction(db, (tx) => payable(tx, orderId, wanted));
    if ("ok" in page) return page;
    if (page.payment.state === "open") {
      // A page for something else is closed first, because an order has one at a time.
      await (page.isWanted ? reconcilePayment : closePage)(db, providers, page.payment.id);
      page = await transaction(db, (tx) => payable(tx, orderId, wanted));
      if ("ok" in page) return page;
    }
    if (!page.isWanted) return { ok: false, reason: "away" };
    if (page.payment.state === "open") return { ok: true, url: page.payment.url ?? "" };
    return await open(db, providers, page.payment);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { ok: false, reason: error.kind === "busy" ? "busy" : "away" };
  }
}

type Page = { payment: Payment; isWanted: boolean };

async function payable(
  tx: DatabaseOrTransaction,
  orderId: string,
  wanted: Wanted,
): Promise<Page | Extract<OpenedPage, { ok: false }>> {
  const locked = await lockPayments(tx, orderId);
  if (!locked) return { ok: false, reason: "over" };
  if (typeof wanted === "object") return payableCharge(tx, locked, wanted.chargeId);
  const order = { ...locked, payments: locked.payments.filter((each) => !isLink(each)) };
  const isByParcel = isChargedByParcel(order.payments);
  const hasCard = isByParcel && !isUnpaid(order);
  const refusal = hasCard ? await refusalOfCard(tx, order, wanted) : await refusalOf(tx, order);
  if (refusal) return { ok: false, reason: refusal };
  const paysParcel = hasCard && wanted === "pay";
  const kind: PaymentKind = isByParcel && !paysParcel ? "setup" : "page";
  const amountCents = paysParcel
    ? refusedCents(orderState((await readFacts(tx, orderId))!))
    : (await chargeOf(tx, orderId)).totalCents;
  if (paysParcel && amountCents === 0) return { ok: false, reason: "paid" };
  const live = order.payments.find((each) => isPage(each) && (each.state === "open" || each.state === "opening"));
  const isWanted = live?.kind === kind && live.amountCents === amountCents;
  if (live?.state === "opening" && (!isWanted || isLate(live))) await closeUnopened(tx, [orderId]);
  else if (live) return { payment: live, isWanted };
  return { payment: await insertPage(tx, order, { kind, amountCents }), isWanted: true };
}

/** A page for a charge that waits for it; the one that is open already is the same. */
async function payableCharge(tx: DatabaseOrTransaction, order: LockedOrder, chargeId: string) {
  const state = orderState((await readFacts(tx, order.id))!);
  const charge = state.charges.find(({ id }) => id === chargeId);
  if (charge?.state !== "asked" || charge.by !== "link") return { ok: false, reason: "over" } as const;
  const own = order.payments.filter((each) => isLink(each) && each.chargeId === chargeId);
  if (own.some(isPaying(state))) return { ok: false, reason: "paid" } as const;
  const live = own.find((each) => each.state === "open" || each.state === "opening");
  const payment = live ?? (await insertPage(tx, order, { kind: "page", amountCents: charge.dueCents, chargeId }));
  return { payment, isWanted: true };
}

/** It pays, or is about to: not if all that was captured of it goes back. */
const isPaying =
  (order: OrderState) =>
  ({ id, state }: Payment): boolean =>
    state === "authorized" || state === "mismatch" || (state === "captured" && !isSurplus(order, id));

type NewPage = { kind: PaymentKind; amountCents: number; chargeId?: string };

async function insertPage(tx: DatabaseOrTransaction, order: LockedOrder, page: NewPage): Promise<Payment> {
  const [made] = await tx
    .insert(payments)
    .values({
      ...page,
      orderId: order.id,
      provider: order.payments.findLast((each) => isPage(each) && each.provider !== "manual")?.provider ?? "stripe",
      expiresAt: sql`now() + ${PAGE_MINUTES} * interval '1 minute'`,
    })
    .returning();
  await writeSummary(tx, order.id);
  return made!;
}

const isPage = ({ kind }: Payment) => kind !== "charge";

/** For an order that is charged by parcel, and whose card is kept. */
async function refusalOfCard(
  tx: DatabaseOrTransaction,
  order: LockedOrder,
  wanted: Exclude<Wanted, object>,
): Promise<"paid" | "over" | null> {
  if (!isUnsent(order) || !latestCard(order)) return "over";
  if (await isMoneyUnderWay(tx, order.id)) return "paid";
  return wanted === "card" || isRefused(order) ? null : "paid";
}

async function refusalOf(tx: DatabaseOrTransaction, order: LockedOrder): Promise<"paid" | "over" | null> {
  const { isReservationOver, payments: all } = order;
  const state = orderState((await readFacts(tx, order.id))!);
  if (all.some(isPaying(state))) return "paid";
  if (isUnpaid(order)) return isReservationOver ? "over" : null;
  if (isEnded(order)) return "over";
  // A confirmed order is payable after a failed payment or a request by staff, unless a capture is under way.
  if (!mayBePaid(state) || (await isMoneyUnderWay(tx, order.id))) return "paid";
  return mayPayOnPage(state) ? null : "over";
}

async function chargeOf(db: DatabaseOrTransaction, orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const lines = await db
    .select(lineColumns)
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(...asOrdered);
  if (!order) throw new Error("a payment has no order");
  return { order, ...amountsCharged(order, lines) };
}

/** What is bought and not canceled, by its price: a discount may leave the units of a line a cent apart. */
const linesToPay = (db: Database, orderId: string): Promise<PaymentOrder["lines"]> =>
  db
    .select({ name: orderItems.name, unitPriceCents: orderUnits.priceCents, quantity: count() })
    .from(orderUnits)
    .innerJoin(orderItems, eq(orderItems.id, orderUnits.orderItemId))
    .where(and(eq(orderUnits.orderId, orderId), isNull(orderUnits.returnId), isNull(orderUnits.canceledAt)))
    .groupBy(orderItems.id, orderUnits.priceCents)
    .orderBy(...asOrdered, desc(orderUnits.priceCents));

async function open(db: Database, providers: PaymentProviders, payment: Payment): Promise<OpenedPage> {
  const provider = providerFor(providers, payment);
  const isOpening = and(eq(payments.id, payment.id), eq(payments.state, "opening"));
  const page = await provider.open(await paymentOrder(db, payment)).catch(async (error: unknown) => {
    // The idempotency key would repeat the failure and nobody has seen a page, so another payment replaces this one.
    const isLost = error instanceof ProviderError && (error.kind === "fault" || error.kind === "refused");
    if (isLost) await db.update(payments).set({ state: "closed" }).where(isOpening);
    throw error;
  });
  const { rowCount } = await db
    .update(payments)
    .set({ ...page, state: "open" })
    .where(isOpening);
  if (rowCount === 1) return { ok: true, url: page.url };
  const [now] = await db.select().from(payments).where(eq(payments.id, payment.id));
  // A concurrent request opened the same page.
  if (now?.state === "open" && now.reference === page.reference) return { ok: true, url: page.url };
  // The order ended in the meantime, or another page is wanted.
  if (now?.reference === null) {
    await provider.close({ reference: page.reference, intentReference: null });
  }
  return { ok: false, reason: "over" };
}

type PageContent = Pick<PaymentOrder, "mode" | "savesFor" | "lines" | "shippingCents" | "taxCents">;

/** Parameters never vary for one payment, so that its idempotency key returns the same page. */
async function paymentOrder(db: Database, payment: Payment): Promise<PaymentOrder> {
  const { order, shippingCents, taxCents } = await chargeOf(db, payment.orderId);
  const [setup] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.kind, "setup")))
    .limit(1);
  const back = returnUrl(order, paymentLinking(), payment.createdAt);
  const single = (name: string): PageContent => ({
    mode: "authorize",
    lines: [{ name, unitPriceCents: payment.amountCents, quantity: 1 }],
    shippingCents: 0,
    taxCents: 0,
  });
  const turnedOn = settingsAt(payment.createdAt).payments;
  const number = orderNumber(order.id);
  const ofParcel: PageContent = { ...single(`Your package for order ${number}`), savesFor: "later" };
  const ofOrder: PageContent = {
    mode: payment.kind === "setup" ? "save" : "authorize",
    lines: await linesToPay(db, order.id),
    shippingCents,
    taxCents,
  };
  return {
    paymentId: payment.id,
    orderNumber: number,
    email: order.email,
    asksBillingAddress: !order.billingAddressSameAsShipping,
    amountCents: payment.amountCents,
    methods: METHOD_NAMES.filter((name) => turnedOn[name] && PAYMENT_METHODS[name].provider === payment.provider),
    ...(isLink(payment)
      ? single(`Your return for order ${number}`)
      : payment.kind === "page" && setup
        ? ofParcel
        : ofOrder),
    expiresAt: payment.expiresAt ?? new Date(payment.createdAt.getTime() + PAGE_MINUTES * 60_000),
    successUrl: back,
    cancelUrl: back,
  };
}
