/** Two people do the same at once: it happens once, and the books add up. ROUNDS=20 repeats each action that often (once without it). */
import { expect, test } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { announceAll, placedOrder } from "#tests/support/placed-order.ts";
import { setUnits } from "#tests/support/stock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { announceCharge, announceEarly, approveCharges, toApprove } from "./actions/announce.ts";
import { centsOf } from "./order-money.ts";
import { acceptDelay, endUnanswered } from "./actions/answer-delay.ts";
import { cancelUnits, endOrder } from "./actions/cancel.ts";
import { changeAddress } from "./actions/change-address.ts";
import { confirmOrder } from "./actions/confirm.ts";
import { delay, delayLate } from "./actions/delay.ts";
import { moneyMoved } from "./actions/money-moved.ts";
import {
  correctTracking,
  deliverAll,
  parcelNews,
  parcelProgress,
  receiveBack,
  sendAgain,
  undoShipment,
  type News,
} from "./actions/parcels.ts";
import { recordPayment } from "./actions/pay.ts";
import { refund, resolveRefund, retryRefund } from "./actions/refund.ts";
import { ship } from "./actions/ship.ts";
import { check } from "./check.ts";
import { readFacts } from "./facts.server.ts";
import type { DecidedBy, Decision } from "./change.ts";
import type { Facts } from "./facts.ts";
import { addressLine, addressOf } from "./order.ts";
import { withOrder } from "./run.server.ts";
import type { OrderState } from "./state.ts";

const shop = useFreshDatabase();
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const SLUG = "charging-dock";
const TODAY = newYorkDay(new Date());

type Decide = (state: OrderState, act: DecidedBy) => Decision;
/** The action, of an order as it stands. */
type Action = (facts: Facts) => Decide;

const factsOf = async (id: string) => (await readFacts(shop.db, id))!;
const run = (id: string, decide: Decide) => withOrder(shop.db, id, decide, { by: "staff" });
async function after(id: string, ...actions: Action[]): Promise<string> {
  for (const action of actions)
    expect(await run(id, action(await factsOf(id)))).toMatchObject({ ok: true, repeated: false });
  return id;
}
const set = (text: string, id: string) => shop.pool.query(text, [id]);
const place = async (how: Parameters<typeof placedOrder>[2]) => (await placedOrder(shop.db, { [SLUG]: 2 }, how)).id;
const authorized = () => place({ isAuthorized: true });
const paid = () => place({ isArranged: true });
const onCard = () => place({ keepsCard: true });
async function announced(): Promise<string> {
  const id = await onCard();
  await announceAll(shop.db, id);
  await set("UPDATE charges SET approved_at = NULL WHERE order_id = $1", id);
  return id;
}
async function held(): Promise<string> {
  const id = await place({ status: "unpaid" });
  await set(
    `INSERT INTO payments (order_id, provider, reference, state, amount) SELECT id, 'stripe', id::text, 'open', total
     FROM orders WHERE id = $1`,
    id,
  );
  return id;
}

const shipped: Action = () => (state, act) => ship(state, { carrier: "usps", trackingNumber: "1042" }, act);
const news =
  (state: News["state"]): Action =>
  ({ parcels }) =>
  (order, act) =>
    parcelNews(order, { parcelId: parcels[0]!.id, state }, act);
const back: Action =
  ({ parcels }) =>
  (state, act) =>
    receiveBack(state, { parcelId: parcels[0]!.id, restocks: true }, act);
const refunded: Action = () => (state, act) => refund(state, { reason: "damaged", units: [1] }, act);
/** The provider's answer to what is under way. */
const answered =
  (outcome: "done" | "failed"): Action =>
  ({ attempts, payments }) =>
  (state, act) => {
    const { id, kind, cents, paymentId } = attempts.at(-1)!;
    const payment = payments.find((each) => each.id === paymentId)!;
    const isDone = outcome === "done";
    const sum = kind === "refund" ? { refundedCents: cents } : { state: "captured" as const, capturedCents: cents };
    return moneyMoved(state, { attemptId: id, outcome, payment: { ...payment, ...(isDone && sum) } }, act);
  };
const delayed: Action = () => (state, act) => delay(state, { until: daysAfter(TODAY, 20), reason: "supplier" }, act);
const delayedAgain: Action = () => (state, act) => delay(state, { until: null, reason: "supplier" }, act);
const unanswered = async () => {
  const id = await after(await paid(), delayed, delayedAgain);
  await set("UPDATE delay_notices SET answer_by = current_date - 3 WHERE order_id = $1 AND answer_by IS NOT NULL", id);
  await set("UPDATE orders SET answer_by = current_date - 3 WHERE id = $1", id);
  return id;
};
const late = async () => {
  const id = await paid();
  await set("UPDATE orders SET ship_by = current_date - 3 WHERE id = $1", id);
  return id;
};
const refusedRefund = async () => after(await authorized(), shipped, answered("done"), refunded, answered("failed"));

const ACTIONS: [string, () => Promise<string>, Action][] = [
  [
    "a payment confirms it",
    held,
    ({ payments: [payment] }) =>
      (state, act) => {
        const amount = payment!.amountCents;
        return confirmOrder(state, { payment: { ...payment!, state: "authorized", authorizedCents: amount } }, act);
      },
  ],
  [
    "a payment is recorded",
    () => place({}),
    () => (state, act) => {
      const arrangement = { how: "check", reference: "1042" };
      return recordPayment(state, { cents: state.totalCents, arrangement }, act);
    },
  ],
  ["it ships, and is charged", authorized, shipped],
  ["it ships, and is paid", paid, shipped],
  ["its capture is answered", async () => after(await authorized(), shipped), answered("done")],
  ["its capture is refused", async () => after(await authorized(), shipped), answered("failed")],
  [
    "a shipment is undone",
    async () => after(await paid(), shipped),
    ({ parcels }) =>
      (state, act) =>
        undoShipment(state, { parcelId: parcels[0]!.id }, act),
  ],
  [
    "a tracking number is corrected",
    async () => after(await paid(), shipped),
    ({ parcels }) =>
      (state) =>
        correctTracking(state, { parcelId: parcels[0]!.id, carrier: "ups", trackingNumber: "2042" }),
  ],
  [
    "a parcel is scanned",
    async () => after(await paid(), shipped),
    ({ parcels }) =>
      (state) =>
        parcelProgress(state, { parcelId: parcels[0]!.id, progress: "in-transit", at: new Date() }),
  ],
  ["all is delivered", async () => after(await paid(), shipped), () => (state, act) => deliverAll(state, {}, act)],
  ["a parcel arrives", async () => after(await paid(), shipped), news("delivered")],
  ["a parcel is lost", async () => after(await paid(), shipped), news("lost")],
  ["a parcel is refused", async () => after(await paid(), shipped), news("refused")],
  ["a parcel comes back", async () => after(await paid(), shipped, news("refused")), back],
  [
    "a parcel is sent again",
    async () => after(await paid(), shipped, news("refused"), back),
    ({ parcels }) =>
      (state, act) =>
        sendAgain(state, { parcelId: parcels[0]!.id, shipBy: daysAfter(TODAY, 2) }, act),
  ],
  [
    "a unit is canceled",
    paid,
    () => (state, act) =>
      cancelUnits(state, { units: [1], reason: "asked", restocks: true, refundsReplacements: true }, act),
  ],
  ["it is canceled", authorized, () => (state, act) => endOrder(state, { as: "canceled", reason: "asked" }, act)],
  [
    "it is canceled, and was paid",
    paid,
    () => (state, act) => endOrder(state, { as: "canceled", reason: "asked" }, act),
  ],
  ["a unit is refunded", async () => after(await authorized(), shipped, answered("done")), refunded],
  [
    "a refund is answered",
    async () => after(await authorized(), shipped, answered("done"), refunded),
    answered("done"),
  ],
  [
    "a refund is tried again",
    refusedRefund,
    ({ refunds }) =>
      (state, act) =>
        retryRefund(state, { refundId: refunds[0]!.id }, act),
  ],
  [
    "a refund is sent another way",
    refusedRefund,
    ({ refunds }) =>
      (state, act) =>
        resolveRefund(state, { refundId: refunds[0]!.id }, act),
  ],
  ["it is delayed", paid, delayed],
  ["it is late", late, () => (state, act) => delayLate(state, {}, act)],
  [
    "its buyer agrees to wait",
    async () => after(await paid(), delayed),
    () => (state, act) => acceptDelay(state, { until: state.promise.shipBy }, act),
  ],
  ["its buyer does not answer", unanswered, () => (state, act) => endUnanswered(state, {}, act)],
  ["its charge is announced", onCard, () => (state, act) => announceCharge(state, {}, act)],
  ["its charge is announced early", onCard, () => (state, act) => announceEarly(state, { units: [1, 2] }, act)],
  [
    "its buyer approves the charge",
    announced,
    () => (state, act) => approveCharges(state, { cents: centsOf(toApprove(state)) }, act),
  ],
  [
    "it goes to another address",
    paid,
    ({ order }) =>
      (state, act) => {
        const address = { ...addressOf(order), shippingAddressLine1: "1 Other Street" };
        return changeAddress(state, { address, from: addressLine(order), tax: null, bears: "shop" }, act);
      },
  ],
];

test.each(ACTIONS)("%s once", async (_what, prepare, action) => {
  await setUnits(shop.pool, SLUG, 1_000);
  for (let round = 0; round < ROUNDS; round++) {
    const id = await prepare();
    const before = await factsOf(id);
    expect(check(before)).toEqual([]);
    const decide = action(before);
    const both = await Promise.all([run(id, decide), run(id, decide)]);
    const done = both.filter((each) => each.ok && !each.repeated);
    expect(done).toHaveLength(1);
    const facts = await factsOf(id);
    expect(check(facts)).toEqual([]);
    expect(facts).toMatchObject({ ...(done[0] as { after: Facts }).after, order: { id } });
  }
});
