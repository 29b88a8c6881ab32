/** Situations of orders and their words: each order was placed on 2027-01-04 to ship by 2027-01-07. */
import { expect, it } from "vitest";
import * as actions from "#tests/support/order-actions.ts";
import { orderOf } from "#tests/support/order-in-memory.ts";
import { page } from "#tests/support/order-world.ts";
import { arrived, requested } from "#tests/support/return-in-memory.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { receive } from "#shop/returns/actions/inspect.ts";
import { resolve } from "#shop/returns/actions/resolve.ts";
import type { Outcome, ReturnKind } from "#shop/returns/lifecycle.ts";
import { captureSeen } from "./actions/capture-seen.ts";
import { orderDays } from "./order-days.ts";
import { headlineOf, SITUATION_WORDS, statusOf } from "./situation-words.ts";
import { situationOf } from "./situation.ts";
import { summaryOf } from "./summary.ts";

const { after, allRefunded, announced, approved, back, delayed, delivered } = actions;
const { lost, packed, refused, refunded, sent, settled, undone, withPayments } = actions;
type Step = (order: actions.Order) => unknown;

const TODAY = "2027-01-04T17:00:00Z";
const { shipping } = FIRST_SETTINGS;

/** The bank refuses what ships: the charge of a kept card, or what was authorized. */
const cardRefused: Step = (order) => after(order, announced(1), approved, packed(1), actions.failed);
const notTaken = (unit: number): Step => {
  const hasFailed = withPayments({ state: "failed", authorizedCents: 0 });
  return (order) => after(order, packed(unit), actions.failed, hasFailed);
};
/** The buyer paid again, and that authorization has ended. */
const authorizedAgain: Step = ({ set }) => {
  const ended = page({ id: "page-1", kind: "page", createdAt: new Date("2027-01-05T17:00:00Z"), state: "failed" });
  set((facts) => ({ ...facts, payments: [...facts.payments, ended] }));
};
const preOrdered: Step = ({ set }) =>
  set((facts) => ({
    ...facts,
    lines: facts.lines.map((line) => ({ ...line, shipsFrom: line.position === 1 ? "2027-01-07" : null })),
  }));
const unpaid = actions.withOrderRow({ confirmedAt: null });
const [open, noCard] = [withPayments({ state: "open", authorizedCents: 0 }), withPayments({ hasCard: false })];
const asked = actions.withOrderRow({ isPaymentAsked: true });
const shippingPaid = actions.withOrderRow({ shippingCents: 9_99 });

const OTHER = { productId: "other", name: "Another product", priceCents: 40_00, taxCents: 0, warrantyYears: null };

/** A return of the units as far as it is: asked for, received, or with an outcome. */
const returns =
  (kind: ReturnKind, units: number[], outcome?: Outcome | "received"): Step =>
  (order) => {
    const isHere = outcome && outcome !== "part" && kind !== "defect";
    const more = { wantedCents: 40_00, labelBy: "customer", state: isHere ? "authorized" : "requested" } as const;
    const made =
      outcome === "received" || !isHere ? requested(order, kind, units, more) : arrived(order, kind, units, more);
    if (outcome === "received") made.step((given, act) => receive(given, {}, act));
    else if (outcome) expect(made.step((given, act) => resolve(given, { outcome, part: OTHER }, act)).ok).toBe(true);
    order.settle();
  };
const [exchanged, isPart] = [returns("exchange", [1], "replacement"), returns("warranty", [1], "part")];
const replaced = returns("defect", [1], "replacement");

/** The fee of a repair was captured for $5.00 too much in the dashboard. */
const feeOverpaid: Step = (order) => {
  requested(order, "repair", [1]).askFee();
  const { id: chargeId } = order.state().charges.find(({ by }) => by === "link")!;
  const cents = { amountCents: 35_00, capturedCents: 40_00 };
  const payment = page({ id: "fee", kind: "page", createdAt: new Date(TODAY), state: "captured", chargeId, ...cents });
  order.decide((state, act) => captureSeen(state, { payment }, act));
  order.settle();
};

/** The customer's own product is on its way back to them. */
const ownSent: Step[] = [sent(1), delivered, returns("return", [1], "sent-back"), sent(1)];

const BANK = "Your bank may take 3-5 days to show it.";
const LOVE = "We hope you love it.";
const REST = "The rest ships by Jan 7.";
const SOON = "We’ll email you when it ships.";
const RETURN = "You can see your return below.";
const READY = "Your order is ready for payment. You won’t be charged until it ships.";
const NO_PAYMENT = "Your bank declined the payment, so";
const NO_CHARGE =
  "Your bank declined the charge, so the package hasn’t shipped, and nothing was charged. Pay by January 11 and we’ll ship it.";
const LATER = "We expect to ship it by January 20. You don’t need to do anything to keep it.";
const TELL = "Please tell us by February 6 if you’ll wait. Otherwise we’ll cancel";
const ANSWER = `We can’t say yet when it will ship. ${TELL} it and you won’t pay for it.`;
const REST_ANSWER = `We can’t say yet when the rest will ship. ${TELL} the rest and you won’t pay for it.`;
const FIRST = "The first package should arrive Jan 11–13.";
const LAST = "The last package should arrive Jan 11–13.";
const SEE_REFUND = `You can see your refund below. ${BANK}`;
const MONEY = "Your money is on its way back, within 3-5 business days.";
const LOST = "We’re sorry. We’ll send it again, or";
const LOST_PAID = `${LOST} refund you if we don’t have it anymore.`;
const LOST_FREE = `${LOST} email you if we don’t have it anymore.`;
const WRITE = "Just contact us if you’d like it sent again.";
const BACK = "The package was refused or couldn’t be delivered.";
const REFUND_OR_AGAIN = "We’ll refund it within 5-7 business days, unless you’d like it sent again.";
const ALL_BACK = `We’ve refunded the full $40.00. ${BANK}`;

type Kind = "page" | "card" | "arranged";
type Bought = [Kind, ...number[]];
const ONE: Bought = ["page", 40_00];
const TWO: Bought = ["page", 40_00, 40_00];
const THREE: Bought = [...TWO, 40_00];
const CARD: Bought = ["card", 40_00];
const CHECK: Bought = ["arranged", 40_00];
const FREE: Bought = ["arranged", 0];
const FREE_FIRST: Bought = ["page", 0, 40_00];

/** By title and status. */
const WORDS: Record<string, [lead: string, order: Bought, ...steps: Step[]][]> = {
  "Waiting for your payment | Unpaid": [
    ["We’ve reserved your items and won’t charge you until they ship.", ONE, unpaid, open],
  ],
  "Waiting for your card | Unpaid": [
    [
      "We’ve reserved your items. Save your card to finish your order. We’ll charge it as each package ships.",
      CARD,
      unpaid,
      open,
      noCard,
    ],
  ],
  "We need your payment | Payment due": [
    [READY, CHECK, asked],
    [READY, ONE, withPayments({ state: "failed", authorizedCents: 0 })],
    [`${NO_PAYMENT} nothing has shipped. Pay again and we’ll ship it.`, ONE, notTaken(1)],
    [`${NO_PAYMENT} the rest hasn’t shipped. Pay again and we’ll ship it.`, FREE_FIRST, sent(1), notTaken(2)],
    [READY, ONE, notTaken(1), authorizedAgain],
    [NO_CHARGE, CARD, cardRefused],
    [NO_CHARGE.replace("11", "20"), CARD, cardRefused, delayed("2027-01-20")],
    [NO_CHARGE, ["card", 40_00, 40_00], sent(2), cardRefused],
  ],
  "We’re getting it ready | Processing": [
    [`${SOON} You won’t be charged until then.`, ONE],
    [`${SOON} We’ll charge your Visa •••• 4242 as each package ships.`, CARD],
    [`${SOON} We won’t charge you again.`, CARD, sent(1), undone],
    [`${SOON} You weren’t charged.`, CHECK],
    [`${SOON} You weren’t charged.`, FREE],
    [`${SOON} We won’t charge you again.`, CHECK, actions.paidByCheck(40_00)],
    [`${SOON} We won’t charge you again.`, TWO, sent(1), replaced, refused],
    [`${SOON} We won’t charge you again.`, TWO, sent(1), replaced, lost],
  ],
  "Your order is delayed | Delayed": [
    [LATER, ONE, delayed("2027-01-20")],
    [ANSWER, ONE, delayed(null)],
    ["We can’t say yet when it will ship. Thanks for waiting.", ONE, delayed(null), actions.accepted],
    [LATER, ONE, sent(1), lost, actions.again, delayed("2027-01-20")],
  ],
  "We’re sending it again | Processing": [[`${SOON} You won’t pay for it twice.`, ONE, sent(1), lost, actions.again]],
  "Partly on its way | Partially shipped": [
    [`${FIRST} ${REST}`, TWO, sent(1)],
    [`${FIRST} ${REST}`, THREE, sent(1), sent(2)],
    [`The next package should arrive Jan 11–13. ${REST}`, THREE, sent(1), delivered, sent(2)],
    [`${FIRST} ${REST}`, THREE, sent(1), lost, refunded(1), sent(2)],
  ],
  "Partly delivered | Partially delivered": [
    [REST, TWO, sent(1), delivered],
    [REST_ANSWER, TWO, sent(1), delivered, delayed(null)],
    [
      "We can’t say yet when the rest will ship. Thanks for waiting.",
      TWO,
      sent(1),
      delivered,
      delayed(null),
      actions.accepted,
    ],
    ["The rest ships by Jan 20.", TWO, sent(1), delivered, delayed("2027-01-20"), actions.accepted],
    [REST, TWO, preOrdered, sent(1), delivered],
    [SEE_REFUND, TWO, sent(1), delivered, sent(2), refused, refunded(2)],
    [SEE_REFUND, TWO, sent(1), delivered, allRefunded],
  ],
  "Partly refunded | Partially refunded": [[REST, TWO, sent(1), lost, refunded(1)]],
  "Your refund is on its way | Being refunded": [[MONEY, ONE, sent(1), undone, allRefunded]],
  "Refunded | Refunded": [
    [`We’ve refunded the full $80.00. ${BANK}`, TWO, sent(1), allRefunded, settled],
    [ALL_BACK, ONE, sent(1), delivered, refunded(1)],
    [ALL_BACK, ONE, sent(1), refused, back(), refunded(1)],
    [ALL_BACK, ONE, sent(1), delivered, returns("return", [1], "refund")],
    [
      "We’ve refunded the full $40.00.",
      CHECK,
      actions.paidByCheck(40_00),
      sent(1),
      delivered,
      refunded(1),
      actions.sentByHand(),
    ],
    [ALL_BACK, ONE, sent(1), undone, actions.ended("canceled"), actions.failed, actions.sentOtherwise],
  ],
  "On its way | Shipped": [
    ["It should arrive Jan 11–13.", ONE, sent(1)],
    [LAST, TWO, sent(1), sent(2)],
    [`The first package has arrived. ${LAST}`, TWO, sent(1), sent(2), delivered],
    [
      `The first package has arrived. ${LAST}`,
      ONE,
      sent(1),
      lost,
      actions.again,
      sent(1),
      actions.news("delivered", 0),
    ],
    [LAST, TWO, sent(1), lost, refunded(1), sent(2)],
  ],
  "Out for delivery | Out for delivery": [["It should arrive today.", ONE, sent(1), actions.scanned]],
  "A package is lost | Package lost": [
    [LOST_PAID, ONE, sent(1), lost],
    [LOST_FREE, FREE, sent(1), lost],
    [LOST_PAID, TWO, sent(1), lost, refunded(1), sent(2), lost],
    [LOST_PAID, TWO, sent(1), delivered, sent(2), exchanged, lost],
    [LOST_FREE, ONE, sent(1), delivered, isPart, sent(2), lost],
  ],
  "On its way back | On its way back": [
    [`${BACK} We’ll refund it within 5-7 business days once we have it back.`, ONE, sent(1), refused],
    [`${BACK} ${WRITE}`, FREE, sent(1), refused],
    [`${BACK} We’ll send it to you again once we have it back.`, ONE, ...ownSent, refused],
  ],
  "Back with us | Back with us": [
    [REFUND_OR_AGAIN, ONE, sent(1), refused, back()],
    [WRITE, FREE, sent(1), refused, back()],
    ["We’ll send it to you again.", ONE, ...ownSent, refused, back(-1, false)],
    [REFUND_OR_AGAIN, FREE_FIRST, sent(1, 2), refused, back(), actions.writtenOff],
  ],
  "Delivered | Delivered": [
    [LOVE, ONE, sent(1), delivered],
    [LOVE, TWO, sent(1, 2), delivered, returns("return", [1])],
    [RETURN, ONE, sent(1), delivered, returns("return", [1])],
    [RETURN, FREE, sent(1), delivered, feeOverpaid],
    [LOVE, ONE, sent(1), delivered, exchanged, sent(2), delivered],
    [LOVE, ONE, sent(1), replaced, sent(2), delivered, actions.news("refused", 0)],
    [
      RETURN,
      ONE,
      sent(1),
      replaced,
      sent(2),
      delivered,
      actions.news("refused", 0),
      returns("return", [2], "received"),
    ],
  ],
  "Returned | Returned": [
    [RETURN, ONE, sent(1), delivered, returns("return", [1], "received")],
    [RETURN, ONE, sent(1), delivered, returns("exchange", [1], "received")],
  ],
  "Your replacement ships soon | Processing": [
    ["We’ll email you the tracking number.", TWO, sent(1, 2), delivered, exchanged],
    [LATER, ONE, sent(1), delivered, exchanged, delayed("2027-01-20")],
  ],
  "Your replacement is on its way | Shipped": [
    ["It should arrive Jan 11–13.", ONE, sent(1), delivered, exchanged, sent(2)],
  ],
  "Your part ships soon | Processing": [["We’ll email you the tracking number.", ONE, sent(1), delivered, isPart]],
  "Your product is on its way | Shipped": [["It should arrive Jan 11–13.", ONE, ...ownSent]],
  "Canceled | Canceled": [
    [`We’ve refunded $40.00. ${BANK}`, ONE, shippingPaid, sent(1), refused, back(), refunded(1)],
    ["You weren’t charged.", ONE, actions.ended("canceled"), settled],
    [MONEY, ONE, sent(1), undone, actions.ended("canceled")],
    [
      "Your bank didn’t accept the refund. We’re working on it and will email you.",
      ONE,
      sent(1),
      undone,
      actions.ended("canceled"),
      actions.failed,
    ],
    [MONEY, ONE, sent(1), undone, actions.ended("canceled"), actions.failed, actions.retried()],
  ],
  "We couldn’t accept this order | Declined": [
    ["We’re sorry. You weren’t charged.", ONE, actions.ended("declined"), settled],
  ],
  "This order wasn’t paid in time | Expired": [
    ["Its items are no longer reserved. You weren’t charged.", ONE, unpaid, actions.ended("expired"), settled],
  ],
};
const CASES = Object.entries(WORDS).flatMap(([words, cases]) =>
  cases.map(([lead, order, ...steps]) => [...words.split(" | "), lead, order, ...steps] as const),
) as [title: string, status: string, lead: string, order: Bought, ...steps: Step[]][];

const begin = ([mode, ...prices]: Bought, steps: Step[]) => after(orderOf(mode, prices), ...steps);

function wordsOf({ state }: actions.Order, more: Partial<Parameters<typeof headlineOf>[1]> = {}, now = TODAY) {
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

it.each(CASES)("“%s” “%s” %s: %j", (title, status, lead, order, ...steps) => {
  expect(wordsOf(begin(order, steps))).toMatchObject({ title, lead, status });
});

it("each situation has a case", () => {
  const titles = CASES.map(([title]) => title);
  for (const { title } of Object.values(SITUATION_WORDS))
    if (typeof title === "string") expect(titles).toContain(title);
});

const FAILED = "Your last payment didn’t go through. Try again, or pay another way.";

it.each<[string, Bought, Step[], Parameters<typeof wordsOf>[1], string]>([
  [
    "the last day of a return",
    ONE,
    [sent(1), delivered],
    { returnUntil: "2027-02-10" },
    `${LOVE} If not, you can return it until February 10.`,
  ],
  [
    "a payment that failed",
    ONE,
    [unpaid],
    { hasFailed: true },
    `${FAILED} We’ve reserved your items and won’t charge you until they ship.`,
  ],
  [
    "a shop without a provider",
    CHECK,
    [asked],
    { hasPayments: false },
    "Your order is ready for payment. We’ll contact you about the payment.",
  ],
])("%s is named", (_name, order, steps, more, lead) => {
  expect(wordsOf(begin(order, steps), more).lead).toBe(lead);
});

it.each<[string, Bought, Step[], string]>([
  ["On its way", ONE, [sent(1), actions.scanned], "It should arrive Jan 11–13."],
  ["Partly delivered", TWO, [sent(1), delivered], "The rest will follow."],
])("“%s” names no day that is over", (title, order, steps, lead) => {
  expect(wordsOf(begin(order, steps), {}, "2027-01-09T17:00:00Z")).toMatchObject({ title, lead });
});
