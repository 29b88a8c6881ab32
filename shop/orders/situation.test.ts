/** Situations of orders and their words: each order was placed on 2027-01-04 to ship by 2027-01-07. */
import { expect, it } from "vitest";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { returnRow } from "#tests/support/return-in-memory.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { inspect, receive } from "#shop/returns/actions/inspect.ts";
import { requestReturn } from "#shop/returns/actions/request.ts";
import { resolve } from "#shop/returns/actions/resolve.ts";
import type { ReturnCase, ReturnDecision } from "#shop/returns/facts.ts";
import type { Outcome, ReturnKind } from "#shop/returns/lifecycle.ts";
import { announceEarly, approveCharges } from "./actions/announce.ts";
import { acceptDelay } from "./actions/answer-delay.ts";
import { endOrder, writeOff } from "./actions/cancel.ts";
import { delay } from "./actions/delay.ts";
import { parcelNews, parcelProgress, receiveBack, sendAgain, undoShipment } from "./actions/parcels.ts";
import { recordPayment } from "./actions/pay.ts";
import { recordSent, refund, resolveRefund, retryRefund } from "./actions/refund.ts";
import { ship } from "./actions/ship.ts";
import type { DecidedBy } from "./change.ts";
import type { Payment } from "./facts.ts";
import { orderDays } from "./order-days.ts";
import { headlineOf, SITUATION_WORDS, statusOf } from "./situation-words.ts";
import { situationOf } from "./situation.ts";
import { summaryOf } from "./summary.ts";

type Order = ReturnType<typeof orderOf>;
type Step = (order: Order) => unknown;

const TODAY = "2027-01-04T17:00:00Z";
const { shipping } = FIRST_SETTINGS;

const units =
  (...numbers: number[]): Step =>
  ({ shipUnits }) =>
    shipUnits(...numbers);
const news =
  (state: "delivered" | "refused" | "lost", place = -1): Step =>
  ({ decide, state: now }) => {
    const parcelId = now().facts.parcels.at(place)!.id;
    decide((order, act) => parcelNews(order, { parcelId, state }, act));
  };
const scanned: Step = ({ decide, state }) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  const at = new Date(TODAY);
  decide((order) => parcelProgress(order, { parcelId, progress: "out-for-delivery", at }));
};
const isBack: Step = ({ decide, state }) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  decide((order, act) => receiveBack(order, { parcelId, restocks: false }, act));
};
const writtenOff: Step = ({ decide, state }) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  decide((order, act) => writeOff(order, { parcelId, reason: "sold-out" }, act));
};
const again: Step = ({ decide, state }) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  decide((order, act) => sendAgain(order, { parcelId, shipBy: "2027-01-13" }, act));
};
const refunded =
  (...numbers: number[]): Step =>
  ({ decide, settle }) => {
    decide((order, act) => refund(order, { reason: "damaged", units: numbers }, act));
    settle();
  };
const sentOtherwise: Step = ({ decide, state }) => {
  const refundId = state().refunds[0]!.id;
  decide((order, act) => resolveRefund(order, { refundId }, act));
};
const sentBack: Step = ({ decide, state }) => {
  const { id: refundId, byHandCents: cents } = state().refunds[0]!;
  decide((order, act) => recordSent(order, { refundId, cents }, act));
};
const triedAgain: Step = ({ decide, state }) => {
  const refundId = state().refunds[0]!.id;
  decide((order, act) => retryRefund(order, { refundId }, act));
};
const allRefunded: Step = ({ decide }) =>
  decide((order, act) => refund(order, { reason: "goodwill", goodwillCents: order.money.leftCents }, act));
const settled: Step = ({ settle }) => settle();
/** The bank refuses what ships. */
const refused: Step = ({ decide, settle }) => {
  decide((order, act) => announceEarly(order, { units: [1] }, act));
  decide((order, act) => approveCharges(order, {}, act));
  decide((order, act) => ship(order, { units: [1], carrier: "ups", trackingNumber: "refused" }, act));
  settle("failed");
};
/** The bank does not let the authorized money through. */
const notTaken =
  (unit: number): Step =>
  (it) => {
    it.decide((order, act) => ship(order, { units: [unit], carrier: "ups", trackingNumber: "refused" }, act));
    it.settle("failed");
    paysWith({ state: "failed", authorizedCents: 0 })(it);
  };
const undone: Step = ({ decide, state }) => {
  const parcelId = state().facts.parcels.at(-1)!.id;
  decide((order, act) => undoShipment(order, { parcelId }, act));
};
const preOrdered: Step = ({ set }) =>
  set((facts) => ({
    ...facts,
    lines: facts.lines.map((line) => ({ ...line, shipsFrom: line.position === 1 ? "2027-01-07" : null })),
  }));
const recorded: Step = ({ decide }) => {
  const arrangement = { how: "check" as const, reference: "1042" };
  decide((order, act) => recordPayment(order, { cents: 40_00, arrangement }, act));
};
const delayed =
  (until: string | null): Step =>
  ({ decide }) =>
    decide((order, act) => delay(order, { until, reason: "supplier" }, act));
const accepted: Step = ({ decide }) => decide((order, act) => acceptDelay(order, {}, act));
const ended =
  (as: "canceled" | "declined" | "expired", outcome: "done" | "failed" | "asked" = "done"): Step =>
  ({ decide, settle }) => {
    expect(decide((order, act) => endOrder(order, { as }, act))).toMatchObject({ ok: true });
    if (outcome !== "asked") settle(outcome);
  };
const unpaid: Step = ({ set }) => set((facts) => ({ ...facts, order: { ...facts.order, confirmedAt: null } }));
const paysWith =
  (more: Partial<Payment>): Step =>
  ({ set }) =>
    set((facts) => ({ ...facts, payments: facts.payments.map((payment) => ({ ...payment, ...more })) }));
const asked: Step = ({ set }) => set((facts) => ({ ...facts, order: { ...facts.order, isPaymentAsked: true } }));

const OTHER = { productId: "other", name: "Another product", priceCents: 40_00, taxCents: 0, warrantyYears: null };

/** A return of the units as far as it is: asked for, received, or with an outcome. */
const returns =
  (kind: ReturnKind, numbers: number[], outcome?: Outcome | "received"): Step =>
  ({ decide, state, settle }) => {
    let row = returnRow({ kind, labelBy: kind === "warranty" ? "us" : "customer", createdAt: new Date(TODAY) });
    const step = (act: (given: ReturnCase, by: DecidedBy) => ReturnDecision) => {
      const decided = decide((order, by) => {
        const result = act({ order, row }, by);
        if (result.ok) row = { ...row, ...result.row };
        return result;
      });
      expect(decided).toMatchObject({ ok: true });
    };
    const wanted = kind === "exchange" ? OTHER : null;
    step(({ order }, by) => requestReturn(order, { row, units: numbers, wanted }, by));
    if (outcome === "part" || (kind === "defect" && outcome === "replacement"))
      return step((given, by) => resolve(given, { outcome, part: OTHER }, by));
    if (outcome === undefined) return undefined;
    row = { ...row, state: "authorized" };
    step((given, by) => receive(given, {}, by));
    if (outcome === "received") return undefined;
    const inspected = Object.fromEntries(numbers.map((unit) => [unit, { condition: "new", isRestocked: false }]));
    step((given, by) => inspect(given, { units: inspected as never, deduction: null }, by));
    step((given, by) => resolve(given, { outcome }, by));
    settle();
    return state();
  };

const shippedFor =
  (shippingCents: number): Step =>
  ({ set }) =>
    set((facts) => ({ ...facts, order: { ...facts.order, shippingCents } }));

/** The customer's own product is on its way back to them. */
const ownSent: Step[] = [units(1), news("delivered"), returns("return", [1], "sent-back"), units(1)];

type Kind = "page" | "card" | "arranged";
type Case = [title: string, lead: string, status: string, order: [Kind, ...number[]], ...steps: Step[]];

const BANK = "Your bank may take 3-5 days to show it.";
const WRITE = "Just contact us if you’d like it sent again.";
const LOVE = "We hope you love it.";
const REST = "The rest ships by Jan 7.";
const SOON = "We’ll email you when it ships.";
const FIRST = "The first package should arrive Jan 11–13.";
const TELL = "Please tell us by February 6 if you’ll wait. Otherwise we’ll cancel";
const RETURN = "You can see your return below.";

const ONE: Case[3] = ["page", 40_00];
const TWO: Case[3] = ["page", 40_00, 40_00];
const FREE: Case[3] = ["arranged", 0];

const CASES: Case[] = [
  [
    "Waiting for your payment",
    "We’ve reserved your items and won’t charge you until they ship.",
    "Unpaid",
    ONE,
    unpaid,
    paysWith({ state: "open", authorizedCents: 0 }),
  ],
  [
    "Waiting for your card",
    "We’ve reserved your items. Save your card to finish your order. We’ll charge it as each package ships.",
    "Unpaid",
    ["card", 40_00],
    unpaid,
    paysWith({ state: "open", hasCard: false }),
  ],
  [
    "We need your payment",
    "Your order is ready for payment. You won’t be charged until it ships.",
    "Payment due",
    ["arranged", 40_00],
    asked,
  ],
  [
    "We need your payment",
    "Your order is ready for payment. You won’t be charged until it ships.",
    "Payment due",
    ONE,
    paysWith({ state: "failed", authorizedCents: 0 }),
  ],
  [
    "We need your payment",
    "Your bank declined the payment, so nothing has shipped. Pay again and we’ll ship it.",
    "Payment due",
    ONE,
    notTaken(1),
  ],
  [
    "We need your payment",
    "Your bank declined the payment, so the rest hasn’t shipped. Pay again and we’ll ship it.",
    "Payment due",
    ["page", 0, 40_00],
    units(1),
    notTaken(2),
  ],
  [
    "We need your payment",
    "Your bank declined the charge, so the package hasn’t shipped, and nothing was charged. Pay by January 11 and we’ll ship it.",
    "Payment due",
    ["card", 40_00],
    refused,
  ],
  [
    "We need your payment",
    "Your bank declined the charge, so the package hasn’t shipped, and nothing was charged. Pay by January 11 and we’ll ship it.",
    "Payment due",
    ["card", 40_00, 40_00],
    units(2),
    refused,
  ],
  ["We’re getting it ready", `${SOON} You won’t be charged until then.`, "Processing", ONE],
  [
    "We’re getting it ready",
    `${SOON} We’ll charge your Visa •••• 4242 as each package ships.`,
    "Processing",
    ["card", 40_00],
  ],
  ["We’re getting it ready", `${SOON} You weren’t charged.`, "Processing", ["arranged", 40_00]],
  ["We’re getting it ready", `${SOON} You weren’t charged.`, "Processing", FREE],
  ["We’re getting it ready", `${SOON} We won’t charge you again.`, "Processing", ["arranged", 40_00], recorded],
  [
    "Your order is delayed",
    "We expect to ship it by January 20. You don’t need to do anything to keep it.",
    "Delayed",
    ONE,
    delayed("2027-01-20"),
  ],
  [
    "Your order is delayed",
    `We can’t say yet when it will ship. ${TELL} it and you won’t pay for it.`,
    "Delayed",
    ONE,
    delayed(null),
  ],
  [
    "Your order is delayed",
    "We can’t say yet when it will ship. Thanks for waiting.",
    "Delayed",
    ONE,
    delayed(null),
    accepted,
  ],
  ["We’re sending it again", `${SOON} You won’t pay for it twice.`, "Processing", ONE, units(1), news("lost"), again],
  [
    "Your order is delayed",
    "We expect to ship it by January 20. You don’t need to do anything to keep it.",
    "Delayed",
    ONE,
    units(1),
    news("lost"),
    again,
    delayed("2027-01-20"),
  ],
  ["Partly on its way", `${FIRST} ${REST}`, "Partially shipped", TWO, units(1)],
  ["Partly on its way", `${FIRST} ${REST}`, "Partially shipped", ["page", 40_00, 40_00, 40_00], units(1), units(2)],
  [
    "Partly on its way",
    `The next package should arrive Jan 11–13. ${REST}`,
    "Partially shipped",
    ["page", 40_00, 40_00, 40_00],
    units(1),
    news("delivered"),
    units(2),
  ],
  [
    "Partly on its way",
    `${FIRST} ${REST}`,
    "Partially shipped",
    ["page", 40_00, 40_00, 40_00],
    units(1),
    news("lost"),
    refunded(1),
    units(2),
  ],
  ["Partly delivered", REST, "Partially delivered", TWO, units(1), news("delivered")],
  [
    "Partly delivered",
    `We can’t say yet when the rest will ship. ${TELL} the rest and you won’t pay for it.`,
    "Partially delivered",
    TWO,
    units(1),
    news("delivered"),
    delayed(null),
  ],
  [
    "Partly delivered",
    "We can’t say yet when the rest will ship. Thanks for waiting.",
    "Partially delivered",
    TWO,
    units(1),
    news("delivered"),
    delayed(null),
    accepted,
  ],
  [
    "Partly delivered",
    "The rest ships by Jan 20.",
    "Partially delivered",
    TWO,
    units(1),
    news("delivered"),
    delayed("2027-01-20"),
    accepted,
  ],
  ["Partly delivered", "The rest ships by Jan 7.", "Partially delivered", TWO, preOrdered, units(1), news("delivered")],
  [
    "Partly delivered",
    `You can see your refund below. ${BANK}`,
    "Partially delivered",
    TWO,
    units(1),
    news("delivered"),
    units(2),
    news("refused"),
    refunded(2),
  ],
  ["Partly refunded", REST, "Partially refunded", TWO, units(1), news("lost"), refunded(1)],
  [
    "Your refund is on its way",
    "Your money is on its way back, within 3-5 business days.",
    "Being refunded",
    ONE,
    units(1),
    undone,
    allRefunded,
  ],
  ["Refunded", `We’ve refunded the full $80.00. ${BANK}`, "Refunded", TWO, units(1), allRefunded, settled],
  [
    "Partly delivered",
    `You can see your refund below. ${BANK}`,
    "Partially delivered",
    TWO,
    units(1),
    news("delivered"),
    allRefunded,
  ],
  ["On its way", "It should arrive Jan 11–13.", "Shipped", ONE, units(1)],
  ["On its way", "The last package should arrive Jan 11–13.", "Shipped", TWO, units(1), units(2)],
  ["On its way", "The last package should arrive Jan 11–13.", "Shipped", TWO, units(1), units(2), news("delivered")],
  [
    "On its way",
    "The last package should arrive Jan 11–13.",
    "Shipped",
    TWO,
    units(1),
    news("lost"),
    refunded(1),
    units(2),
  ],
  ["Out for delivery", "It should arrive today.", "Out for delivery", ONE, units(1), scanned],
  [
    "A package is lost",
    "We’re sorry. We’ll send it again, or refund you if we don’t have it anymore.",
    "Package lost",
    ONE,
    units(1),
    news("lost"),
  ],
  [
    "A package is lost",
    "We’re sorry. We’ll send it again, or email you if we don’t have it anymore.",
    "Package lost",
    FREE,
    units(1),
    news("lost"),
  ],
  [
    "A package is lost",
    "We’re sorry. We’ll send it again, or refund you if we don’t have it anymore.",
    "Package lost",
    TWO,
    units(1),
    news("lost"),
    refunded(1),
    units(2),
    news("lost"),
  ],
  [
    "A package is lost",
    "We’re sorry. We’ll send it again, or refund you if we don’t have it anymore.",
    "Package lost",
    TWO,
    units(1),
    news("delivered"),
    units(2),
    returns("exchange", [1], "replacement"),
    news("lost"),
  ],
  [
    "On its way back",
    "The package was refused or couldn’t be delivered. We’ll refund it within 5-7 business days once we have it back.",
    "On its way back",
    ONE,
    units(1),
    news("refused"),
  ],
  [
    "On its way back",
    `The package was refused or couldn’t be delivered. ${WRITE}`,
    "On its way back",
    FREE,
    units(1),
    news("refused"),
  ],
  [
    "Back with us",
    "We’ll refund it within 5-7 business days, unless you’d like it sent again.",
    "Back with us",
    ONE,
    units(1),
    news("refused"),
    isBack,
  ],
  ["Back with us", WRITE, "Back with us", FREE, units(1), news("refused"), isBack],
  ["Delivered", LOVE, "Delivered", ONE, units(1), news("delivered")],
  ["Delivered", LOVE, "Delivered", TWO, units(1, 2), news("delivered"), returns("return", [1])],
  ["Delivered", RETURN, "Delivered", ONE, units(1), news("delivered"), returns("return", [1])],
  ["Returned", RETURN, "Returned", ONE, units(1), news("delivered"), returns("return", [1], "received")],
  ["Returned", RETURN, "Returned", ONE, units(1), news("delivered"), returns("exchange", [1], "received")],
  [
    "Your replacement ships soon",
    "We’ll email you the tracking number.",
    "Processing",
    TWO,
    units(1, 2),
    news("delivered"),
    returns("exchange", [1], "replacement"),
  ],
  [
    "Your replacement ships soon",
    "We expect to ship it by January 20. You don’t need to do anything to keep it.",
    "Processing",
    ONE,
    units(1),
    news("delivered"),
    returns("exchange", [1], "replacement"),
    delayed("2027-01-20"),
  ],
  [
    "Your replacement is on its way",
    "It should arrive Jan 11–13.",
    "Shipped",
    ONE,
    units(1),
    news("delivered"),
    returns("exchange", [1], "replacement"),
    units(2),
  ],
  [
    "Delivered",
    LOVE,
    "Delivered",
    ONE,
    units(1),
    news("delivered"),
    returns("exchange", [1], "replacement"),
    units(2),
    news("delivered"),
  ],
  [
    "Your part ships soon",
    "We’ll email you the tracking number.",
    "Processing",
    ONE,
    units(1),
    news("delivered"),
    returns("warranty", [1], "part"),
  ],
  [
    "Your product is on its way",
    "It should arrive Jan 11–13.",
    "Shipped",
    ONE,
    units(1),
    news("delivered"),
    returns("return", [1], "sent-back"),
    units(1),
  ],
  [
    "On its way back",
    "The package was refused or couldn’t be delivered. We’ll send it to you again once we have it back.",
    "On its way back",
    ONE,
    ...ownSent,
    news("refused"),
  ],
  ["Back with us", "We’ll send it to you again.", "Back with us", ONE, ...ownSent, news("refused"), isBack],
  [
    "A package is lost",
    "We’re sorry. We’ll send it again, or email you if we don’t have it anymore.",
    "Package lost",
    ONE,
    units(1),
    news("delivered"),
    returns("warranty", [1], "part"),
    units(2),
    news("lost"),
  ],
  [
    "Delivered",
    LOVE,
    "Delivered",
    ONE,
    units(1),
    returns("defect", [1], "replacement"),
    units(2),
    news("delivered"),
    news("refused", 0),
  ],
  [
    "Delivered",
    RETURN,
    "Delivered",
    ONE,
    units(1),
    returns("defect", [1], "replacement"),
    units(2),
    news("delivered"),
    news("refused", 0),
    returns("return", [2], "received"),
  ],
  [
    "We’re getting it ready",
    "We’ll email you when it ships. We won’t charge you again.",
    "Processing",
    TWO,
    units(1),
    returns("defect", [1], "replacement"),
    news("refused"),
  ],
  [
    "Back with us",
    "We’ll refund it within 5-7 business days, unless you’d like it sent again.",
    "Back with us",
    ["page", 0, 40_00],
    units(1, 2),
    news("refused"),
    isBack,
    writtenOff,
  ],
  ["Refunded", `We’ve refunded the full $40.00. ${BANK}`, "Refunded", ONE, units(1), news("delivered"), refunded(1)],
  [
    "Refunded",
    `We’ve refunded the full $40.00. ${BANK}`,
    "Refunded",
    ONE,
    units(1),
    news("refused"),
    isBack,
    refunded(1),
  ],
  [
    "Refunded",
    `We’ve refunded the full $40.00. ${BANK}`,
    "Refunded",
    ONE,
    units(1),
    news("delivered"),
    returns("return", [1], "refund"),
  ],
  [
    "Refunded",
    "We’ve refunded the full $40.00.",
    "Refunded",
    ["arranged", 40_00],
    recorded,
    units(1),
    news("delivered"),
    refunded(1),
    sentBack,
  ],
  [
    "Canceled",
    `We’ve refunded $40.00. ${BANK}`,
    "Canceled",
    ONE,
    shippedFor(9_99),
    units(1),
    news("refused"),
    isBack,
    refunded(1),
  ],
  ["Canceled", "You weren’t charged.", "Canceled", ONE, ended("canceled")],
  [
    "Canceled",
    "Your money is on its way back, within 3-5 business days.",
    "Canceled",
    ONE,
    units(1),
    undone,
    ended("canceled", "asked"),
  ],
  [
    "Canceled",
    "Your bank didn’t accept the refund. We’re working on it and will email you.",
    "Canceled",
    ONE,
    units(1),
    undone,
    ended("canceled", "failed"),
  ],
  [
    "Canceled",
    "Your money is on its way back, within 3-5 business days.",
    "Canceled",
    ONE,
    units(1),
    undone,
    ended("canceled", "failed"),
    triedAgain,
  ],
  [
    "Refunded",
    `We’ve refunded the full $40.00. ${BANK}`,
    "Refunded",
    ONE,
    units(1),
    undone,
    ended("canceled", "failed"),
    sentOtherwise,
  ],
  ["We couldn’t accept this order", "We’re sorry. You weren’t charged.", "Declined", ONE, ended("declined")],
  [
    "This order wasn’t paid in time",
    "Its items are no longer reserved. You weren’t charged.",
    "Expired",
    ONE,
    unpaid,
    ended("expired"),
  ],
];

function wordsOf({ state }: Order, more: Partial<Parameters<typeof headlineOf>[1]> = {}, now = TODAY) {
  const order = state();
  const { stage, promise, totalCents, facts } = order;
  const { paymentStatus } = summaryOf(facts);
  const placed = { ...facts.order, ...promise, stage, totalCents, paymentStatus };
  const days = orderDays(placed, facts.lines, shipping, new Date(now));
  const cardName = order.money.card ? "Visa •••• 4242" : null;
  const said = { order, shipping, days, cardName, hasFailed: false, hasPayments: true, returnUntil: null };
  const situation = situationOf(order, new Date(now));
  return { ...headlineOf(situation, { ...said, ...more }), ...statusOf(situation) };
}

it.each(CASES)("“%s” %s “%s”: %j", (title, lead, status, [mode, ...prices], ...steps) => {
  const order = orderOf(mode, prices);
  for (const step of steps) step(order);
  expect(wordsOf(order)).toMatchObject({ title, lead, status });
});

it("each situation has a case", () => {
  const titles = CASES.map(([title]) => title);
  for (const { title } of Object.values(SITUATION_WORDS))
    if (typeof title === "string") expect(titles).toContain(title);
});

it.each<[string, Case[3], Step[], Parameters<typeof wordsOf>[1], string]>([
  [
    "the last day of a return",
    ONE,
    [units(1), news("delivered")],
    { returnUntil: "2027-02-10" },
    `${LOVE} If not, you can return it until February 10.`,
  ],
  [
    "a payment that failed",
    ONE,
    [unpaid],
    { hasFailed: true },
    "Your last payment didn’t go through. Try again, or pay another way. We’ve reserved your items and won’t charge you until they ship.",
  ],
  [
    "a shop without a provider",
    ["arranged", 40_00],
    [asked],
    { hasPayments: false },
    "Your order is ready for payment. We’ll contact you about the payment.",
  ],
])("%s is named", (_name, [mode, ...prices], steps, more, lead) => {
  const order = orderOf(mode, prices);
  for (const step of steps) step(order);
  expect(wordsOf(order, more).lead).toBe(lead);
});

it.each([
  ["Out for delivery", [units(1), scanned], "On its way", "It should arrive Jan 11–13."],
  ["with a rest", [units(1), news("delivered")], "Partly delivered", "The rest will follow."],
] as const)("%s, a day that is over is not named", (what, steps, title, lead) => {
  const order = orderOf("page", what === "with a rest" ? [40_00, 40_00] : [40_00]);
  for (const step of steps) step(order);
  expect(wordsOf(order, {}, "2027-01-09T17:00:00Z")).toMatchObject({ title, lead });
});
