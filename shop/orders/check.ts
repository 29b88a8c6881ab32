/** The books of one order, as equalities: what is charged, captured, applied, refunded and taxed, and where each unit is. */
import { dueItems } from "./actions/money.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { formatMoney } from "#shop/money.ts";
import type { Attempt, Facts, MoneyItem, StoredSummary, Unit } from "./facts.ts";
import { centsOf, isLink, taxOf, type RefundStanding } from "./order-money.ts";
import { isMissing, noticesOf, orderState, type OrderState } from "./state.ts";
import { storedOf, summaryOf } from "./summary.ts";
import { cameBack } from "./unit-history.ts";
import { isGivenBack, isOfSale, isSale, overReversed, soldItems, sumOf, takenItems } from "./tax.ts";

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

type Rule = (state: OrderState) => string[];

const equal = (what: string, cents: number, due: number) =>
  cents === due ? [] : [`${what} is ${formatMoney(cents)} instead of ${formatMoney(due)}`];

/** "payment 2", as staff count them. */
const numbered = (what: string, rows: readonly { id: string }[], id: string) =>
  `${what} ${rows.findIndex((row) => row.id === id) + 1}`;

const SUMMARY_WORDS: Record<keyof StoredSummary, string> = {
  stage: "the stage of the order",
  paymentStatus: "the payment status",
  attention: "what needs a person",
  answerBy: "the day to answer by",
  announceOn: "the day to announce the charge",
};

/** It is sent in place of a unit, whose price pays for it or goes back. */
const isSentFor =
  (number: number) =>
  ({ replaces, isReserved, canceledAt, carriedCents }: Unit): boolean =>
    replaces === number && carriedCents > 0 && !isReserved && canceledAt === null;

const RULES: Rule[] = [
  // Σ items of what is paid = Σ captured + Σ applied.
  ({ charges, facts: { payments, refunds } }) =>
    equal(
      "the sum of the paid charges",
      sum(charges, ({ state, cents }) => (state === "paid" ? cents : 0)),
      sum(payments, ({ state, capturedCents }) => (state === "mismatch" ? 0 : capturedCents)) +
        sum(refunds, ({ appliedTo, appliedCents }) => (isPaid(charges, appliedTo) ? appliedCents : 0)),
    ),
  // Σ attempts = the provider's own sums, by payment.
  ({ facts: { payments, attempts } }) =>
    payments.flatMap(({ id, capturedCents, refundedCents, state }) => {
      const done = attempts.filter((each) => each.paymentId === id && each.state === "done");
      const moved = (kinds: string[]) => sum(done, ({ kind, cents }) => (kinds.includes(kind) ? cents : 0));
      if (state === "mismatch") return [];
      return [
        ...equal(
          `what was captured of ${numbered("payment", payments, id)}`,
          moved(["capture", "charge"]),
          capturedCents,
        ),
        ...equal(`what was refunded of ${numbered("payment", payments, id)}`, moved(["refund"]), refundedCents),
      ];
    }),
  // Each capture is for one charge, whole; each charge is captured once.
  ({ charges, facts: { attempts, refunds } }) =>
    charges.flatMap(({ id, state, cents, by }) => {
      const live = attempts.filter((each) => each.chargeId === id && each.state !== "failed");
      const isAsked = state === "asked" && by !== "link";
      const applied = sum(refunds, (each) => (each.appliedTo === id ? each.appliedCents : 0));
      return isAsked || state === "paid"
        ? equal(`the money of ${numbered("charge", charges, id)}`, sum(live, (each) => each.cents) + applied, cents)
        : [];
    }),
  // A refund gives back its items: applied, done, under way, sent otherwise, or owed and never less than nothing.
  ({ refunds }) => refunds.flatMap((refund) => refundRule(refund, numbered("refund", refunds, refund.id))),
  ({ charges, refunds }) => {
    const charged = charges.filter(({ state }) => state === "paid").flatMap(({ items }) => items);
    const refunded = refunds.flatMap(({ items }) => items);
    return [
      ...(centsOf(refunded) > centsOf(charged) ? ["more is refunded than was charged"] : []),
      ...(taxOf(refunded) > taxOf(charged) ? ["more tax is refunded than was charged"] : []),
      ...(centsOf(refunded) === centsOf(charged)
        ? equal("the tax of all that is refunded", taxOf(refunded), taxOf(charged))
        : []),
      ...[...charged, ...refunded]
        .filter(isNonsense)
        .map(
          ({ kind, unit }) => `${unit === null ? `the ${kind} item` : `unit ${unit}`} has more tax than it comes to`,
        ),
    ];
  },
  // Tax of each record = tax of its items: each paid charge of a taxed order is recorded, each refund reversed.
  (state) => [
    ...state.charges.flatMap((charge) => {
      const { id } = charge;
      const { order, taxRecords } = state.facts;
      const { amountCents, taxCents } = sumOf(
        taxRecords.filter((each) => isOfSale(each, id)).flatMap(({ parts }) => parts),
      );
      const sold = order.taxReference !== null && charge.state === "paid" ? soldItems(state, charge) : [];
      return [
        ...equal(
          `the recorded sale of ${numbered("charge", state.charges, id)}`,
          amountCents + taxCents,
          centsOf(sold),
        ),
        ...equal(`the recorded tax of ${numbered("charge", state.charges, id)}`, taxCents, taxOf(sold)),
      ];
    }),
    ...state.refunds.flatMap((refund) => {
      const { id } = refund;
      const { order, taxRecords } = state.facts;
      const items = takenItems(state, refund);
      const records = taxRecords.filter(({ refundId }) => refundId === id);
      const { amountCents, taxCents } = sumOf(records.flatMap(({ parts }) => parts));
      // Reversed tax stays reversed if the refund fails at the bank.
      const isDue = order.taxReference !== null && (records.length > 0 || isGivenBack(refund));
      // An amount without a unit may give back a fee, too.
      const isMixed = state.charges.some((charge) => charge.state === "paid" && !charge.items.every(isSale));
      return [
        ...(isMixed
          ? []
          : equal(
              `the reversed sale of ${numbered("refund", state.refunds, id)}`,
              amountCents + taxCents,
              isDue ? centsOf(items) : 0,
            )),
        ...equal(`the reversed tax of ${numbered("refund", state.refunds, id)}`, taxCents, isDue ? taxOf(items) : 0),
      ];
    }),
    ...overReversed(state.facts.taxRecords),
  ],
  // A kept card is charged only as it was announced.
  ({ facts: { payments, attempts, charges } }) =>
    attempts.flatMap(({ paymentId, kind, chargeId }) => {
      const charge = charges.find(({ id }) => id === chargeId);
      const isByCard = kind === "charge" && payments.some(({ id }) => id === paymentId);
      if (!isByCard || !charge) return [];
      const { announcedAt, chargeOn, approvedAt, createdAt } = charge;
      const isDue = approvedAt !== null || (chargeOn !== null && chargeOn <= newYorkDay(createdAt));
      return announcedAt !== null && isDue
        ? []
        : [`${numbered("charge", charges, charge.id)} on the saved card was not announced`];
    }),
  // A charge is announced for the promised day at the latest.
  ({ charges, promise: { shipBy } }) =>
    charges.flatMap(({ id, state, approvedAt, chargeOn }) =>
      state !== "announced" || approvedAt !== null || shipBy === null || chargeOn! <= shipBy
        ? []
        : [`${numbered("charge", charges, id)} is announced for ${chargeOn}, after the promised day`],
    ),
  // Units that left at a price were charged with the shipping.
  ({ units, shipping }) => {
    const hasLeft = units.some(
      ({ place, isPaid, returnId, valueCents }) => SENT.has(place) && isPaid && returnId === null && valueCents > 0,
    );
    return hasLeft && shipping.valueCents > 0 && shipping.charged === null ? ["the shipping is not charged"] : [];
  },
  // Summary = summary of the fold.
  ({ facts }) => {
    const { stored } = facts.order;
    const is = storedOf(summaryOf(facts));
    return stored
      ? (Object.keys(is) as (keyof StoredSummary)[]).flatMap((key) =>
          inWords(stored[key]) === inWords(is[key])
            ? []
            : [`${SUMMARY_WORDS[key]} is stored as ${inWords(stored[key])} instead of ${inWords(is[key])}`],
        )
      : [];
  },
  // Each unit has one place, is charged once and refunded once.
  ({ facts }) => [
    ...twice(
      "packed",
      facts.packed.filter(({ releasedAt }) => !releasedAt).map(({ unit }) => unit),
    ),
    ...twice(
      "charged",
      facts.chargeItems.flatMap(({ unit, releasedAt }) => (releasedAt ? [] : (unit ?? []))),
    ),
    ...twice(
      "refunded",
      facts.refundItems.flatMap(({ unit }) => unit ?? []),
    ),
    ...twice(
      "in a return",
      facts.returned.flatMap(({ unit, endedAt }) => (endedAt ? [] : unit)),
    ),
    ...twice(
      "charged for shipping",
      facts.chargeItems.flatMap(({ kind, releasedAt }) => (kind === "shipping" && !releasedAt ? 0 : [])),
    ),
    ...twice(
      "refunded for shipping",
      facts.refundItems.flatMap(({ kind }) => (kind === "shipping" ? 0 : [])),
    ),
  ],
  ({ units, facts }) =>
    units.flatMap(
      ({
        number,
        place,
        parcel,
        valueCents,
        taxCents,
        waivedCents,
        isPaid,
        refunded,
        charged,
        canceledAt,
        cancelReason,
      }) => [
        ...(charged && isPaid && charged.cents !== valueCents
          ? [`unit ${number} was charged ${formatMoney(charged.cents)} instead of ${formatMoney(valueCents)}`]
          : []),
        ...(charged && isPaid ? equal(`the tax of unit ${number}`, charged.taxCents, taxCents + waivedCents) : []),
        ...(canceledAt && parcel && !WRITTEN_OFF.has(parcel.state)
          ? [`unit ${number} is canceled and in a parcel`]
          : []),
        ...(SENT.has(place) && valueCents > 0 && !isPaid ? [`unit ${number} is ${place} and not paid`] : []),
        ...(place === "canceled" && isPaid && !refunded ? [`unit ${number} is canceled, paid, and not refunded`] : []),
        ...(cancelReason === "unpaid" && isPaid ? [`unit ${number} is canceled as not paid`] : []),
        ...(refunded && !isPaid ? [`unit ${number} is refunded and was not paid`] : []),
        ...(isPaid && !refunded && facts.units.some(isSentFor(number))
          ? [`unit ${number} is replaced and its price kept`]
          : []),
        ...(refunded && charged && refunded.cents > charged.cents
          ? [`unit ${number} is refunded for more than it was charged`]
          : []),
      ],
    ),
  // A unit leaves its parcel when that fails, is sent again, whole, or a return brings it. Once a parcel brought it, it is not sent again.
  ({ parcels, units, facts }) =>
    facts.packed.flatMap((row) => {
      const parcel = parcels.find(({ id }) => id === row.parcelId)!;
      const unit = units.find(({ number }) => number === row.unit)!;
      const hasArrived = parcels.some((other) => other.state === "delivered" && other.units.includes(unit));
      const isOver =
        parcel.state === "delivered" ? !isMissing(unit) : parcel.state === "failed" || parcel.isSentAgain || hasArrived;
      const isRight = row.releasedAt ? isOver || cameBack(facts, row) : parcel.state !== "failed";
      return isRight
        ? []
        : [`unit ${row.unit} is ${row.releasedAt ? "out of" : "in"} a parcel that is ${parcel.state}`];
    }),
  // The fee of a repair stays due, whatever else of its order is canceled.
  ({ facts: { order }, charges, money }) => {
    const items = charges.filter(({ state }) => state === "paid").flatMap((charge) => charge.items);
    const fees = centsOf(items.filter(({ kind }) => kind === "fee" || kind === "repair"));
    return order.end !== null
      ? equal("the money kept of an order that ended", Math.max(0, money.leftCents - fees), 0)
      : [];
  },
  // The promised day is not after that of the latest notice.
  ({ facts }) => {
    const { shipBy } = facts.order;
    const until = noticesOf(facts).at(-1)?.until ?? null;
    return until !== null && (shipBy === null || shipBy > until)
      ? [`the day ${shipBy} is after that of its notice`]
      : [];
  },
  // An authorization is captured or voided, not both; once nothing is due it is voided, but for a charge by a link.
  (state) => {
    const { payments, attempts } = state.facts;
    const isDue = dueItems(state).length > 0;
    return payments.flatMap((payment) => {
      const { id } = payment;
      const name = numbered("payment", payments, id);
      const ofPayment = attempts.filter((each) => each.paymentId === id);
      const isUnderWay = (kind: Attempt["kind"]) =>
        ofPayment.some((each) => each.kind === kind && (each.state === "asked" || each.state === "sent"));
      const isVoided = ofPayment.some(({ kind }) => kind === "void");
      return [
        ...(isUnderWay("void") && isUnderWay("capture") ? [`${name} is being voided and captured`] : []),
        ...(!isDue && payment.state === "authorized" && !isLink(payment) && !isVoided && !isUnderWay("capture")
          ? [`${name} is authorized, and nothing is due`]
          : []),
      ];
    });
  },
];

const inWords = (value: StoredSummary[keyof StoredSummary]): string => value?.toString() || "none";

const isPaid = (charges: OrderState["charges"], chargeId: string | null) =>
  charges.some(({ id, state }) => id === chargeId && state === "paid");

/** States of a parcel in which something was written off, or that turned up since. */
const WRITTEN_OFF = new Set(["lost", "refused", "delivered"]);
const SENT = new Set(["shipped", "delivered", "refused", "back", "lost"]);
const isNonsense = ({ cents, taxCents }: MoneyItem) => taxCents < 0 || cents < 0 || taxCents > cents;

const refundRule = (
  { movingCents, owedCents, doneCents, underWayCents, otherwiseCents }: RefundStanding,
  name: string,
) => [
  ...(movingCents < 0 ? [`${name} pays more of an exchange than it is`] : []),
  ...(owedCents < 0 || doneCents + underWayCents > movingCents ? [`${name} gives back more than it is`] : []),
  ...equal(`what ${name} gives back`, doneCents + underWayCents + otherwiseCents + owedCents, movingCents),
];

function twice(what: string, keys: readonly number[]): string[] {
  return new Set(keys).size === keys.length ? [] : [`something is ${what} twice`];
}

/** Differences in the books of an order, in words for staff. Empty if they add up. */
export function check(facts: Facts): string[] {
  const state = orderState(facts);
  return RULES.flatMap((rule) => rule(state));
}
