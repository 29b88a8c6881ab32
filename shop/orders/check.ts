/** The books of one order, as equalities: what is charged, captured, applied, refunded and taxed, and where each unit is. */
import { newYorkDay } from "#shop/new-york-time.ts";
import type { Facts, MoneyItem, StoredSummary } from "./facts.ts";
import { centsOf, noticesOf, orderState, taxOf, type OrderState, type RefundStanding } from "./state.ts";
import { storedOf, summaryOf } from "./summary.ts";
import { isGivenBack, isOfSale, isSale, overReversed, soldItems, sumOf, takenItems } from "./tax.ts";

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

type Rule = (state: OrderState) => string[];

const equal = (what: string, left: number, right: number) =>
  left === right ? [] : [`${what}: ${left} is not ${right}`];

const RULES: Rule[] = [
  // Σ items of what is paid = Σ captured + Σ applied.
  ({ charges, facts: { payments, refunds } }) =>
    equal(
      "paid charges and captured money",
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
        ...equal(`captures of payment ${id}`, moved(["capture", "charge"]), capturedCents),
        ...equal(`refunds of payment ${id}`, moved(["refund"]), refundedCents),
      ];
    }),
  // Each capture is for one charge, whole; each charge is captured once.
  ({ charges, facts: { attempts, refunds } }) =>
    charges.flatMap(({ id, state, cents, by }) => {
      const live = attempts.filter((each) => each.chargeId === id && each.state !== "failed");
      const isAsked = state === "asked" && by !== "link";
      const applied = sum(refunds, (each) => (each.appliedTo === id ? each.appliedCents : 0));
      return isAsked || state === "paid"
        ? equal(`money of charge ${id}`, sum(live, (each) => each.cents) + applied, cents)
        : [];
    }),
  // A refund gives back its items: applied, done, under way, sent otherwise, or owed and never less than nothing.
  ({ refunds }) => refunds.flatMap(refundRule),
  ({ charges, refunds }) => {
    const charged = charges.filter(({ state }) => state === "paid").flatMap(({ items }) => items);
    const refunded = refunds.flatMap(({ items }) => items);
    return [
      ...(centsOf(refunded) > centsOf(charged) ? ["more is refunded than was charged"] : []),
      ...(taxOf(refunded) > taxOf(charged) ? ["more tax is refunded than was charged"] : []),
      ...(centsOf(refunded) === centsOf(charged)
        ? equal("tax of all that is refunded", taxOf(refunded), taxOf(charged))
        : []),
      ...[...charged, ...refunded]
        .filter(isNonsense)
        .map(({ kind, unit }) => `item ${kind} ${unit} has more tax than cents`),
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
        ...equal(`recorded sale of charge ${id}`, amountCents + taxCents, centsOf(sold)),
        ...equal(`recorded tax of charge ${id}`, taxCents, taxOf(sold)),
      ];
    }),
    ...state.refunds.flatMap((refund) => {
      const { id } = refund;
      const { order, taxRecords } = state.facts;
      const items = takenItems(state, refund);
      const records = taxRecords.filter(({ refundId }) => refundId === id);
      const { amountCents, taxCents } = sumOf(records.flatMap(({ parts }) => parts));
      // What a refund took back stays so if it fails at the bank.
      const isDue = order.taxReference !== null && (records.length > 0 || isGivenBack(refund));
      // An amount without a unit may give back a fee, too.
      const isMixed = state.charges.some((charge) => charge.state === "paid" && !charge.items.every(isSale));
      return [
        ...(isMixed ? [] : equal(`reversed sale of refund ${id}`, amountCents + taxCents, isDue ? centsOf(items) : 0)),
        ...equal(`reversed tax of refund ${id}`, taxCents, isDue ? taxOf(items) : 0),
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
      return announcedAt !== null && isDue ? [] : [`charge ${charge.id} of the kept card was not announced`];
    }),
  // Summary = summary of the fold.
  ({ facts }) => {
    const { stored } = facts.order;
    const is = storedOf(summaryOf(facts));
    return stored
      ? (Object.keys(is) as (keyof StoredSummary)[]).flatMap((key) =>
          stored[key] === is[key] ? [] : [`${key} is ${stored[key]}, not ${is[key]}`],
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
      "in returns",
      facts.returned.flatMap(({ unit, endedAt }) => (endedAt ? [] : unit)),
    ),
    ...twice(
      "shipping charged",
      facts.chargeItems.flatMap(({ kind, releasedAt }) => (kind === "shipping" && !releasedAt ? 0 : [])),
    ),
    ...twice(
      "shipping refunded",
      facts.refundItems.flatMap(({ kind }) => (kind === "shipping" ? 0 : [])),
    ),
  ],
  ({ units }) =>
    units.flatMap(
      ({ number, place, parcel, valueCents, taxCents, waivedCents, isPaid, refunded, charged, canceledAt }) => [
        ...(charged && isPaid && charged.cents !== valueCents
          ? [`unit ${number} was charged ${charged.cents} instead of ${valueCents}`]
          : []),
        ...(charged && isPaid ? equal(`tax of unit ${number}`, charged.taxCents, taxCents + waivedCents) : []),
        ...(canceledAt && parcel ? [`unit ${number} is canceled and in a parcel`] : []),
        ...(SENT.has(place) && valueCents > 0 && !isPaid ? [`unit ${number} is ${place} and not paid`] : []),
        ...(place === "canceled" && isPaid && !refunded ? [`unit ${number} is canceled, paid, and not refunded`] : []),
        ...(refunded && !isPaid ? [`unit ${number} is refunded and was not paid`] : []),
        ...(refunded && charged && refunded.cents > charged.cents
          ? [`unit ${number} is refunded for more than it was charged`]
          : []),
      ],
    ),
  // A unit leaves its parcel when that fails or is sent again, whole, or when it goes back to its owner.
  ({ parcels, facts: { packed, returned } }) =>
    packed.flatMap(({ parcelId, unit, releasedAt }) => {
      const parcel = parcels.find(({ id }) => id === parcelId)!;
      const isOver = parcel.state === "failed" || parcel.isSentAgain;
      const goesBack = returned.some((row) => row.unit === unit && row.goesBackAt !== null);
      return isOver === (releasedAt !== null) || (releasedAt && goesBack)
        ? []
        : [`unit ${unit} is ${releasedAt ? "out of" : "in"} a parcel that is ${parcel.state}`];
    }),
  // The fee of a repair stays due, whatever else of its order is canceled.
  ({ facts: { order }, charges, money }) => {
    const items = charges.filter(({ state }) => state === "paid").flatMap((charge) => charge.items);
    const fees = centsOf(items.filter(({ kind }) => kind === "fee" || kind === "repair"));
    const isOver = order.end === "canceled" || order.end === "declined";
    return isOver ? equal("money kept of an order that ended", Math.max(0, money.leftCents - fees), 0) : [];
  },
  // The promised day is that of the latest notice.
  ({ facts }) => {
    const last = noticesOf(facts).at(-1);
    return last && last.until !== facts.order.shipBy ? [`the day ${facts.order.shipBy} is not that of its notice`] : [];
  },
  ({ facts: { order, payments, attempts } }) =>
    payments.flatMap(({ id, state }) => {
      const isVoided = attempts.some((each) => each.paymentId === id && each.kind === "void");
      return order.end && state === "authorized" && !isVoided ? [`payment ${id} of an ended order is kept`] : [];
    }),
];

const isPaid = (charges: OrderState["charges"], chargeId: string | null) =>
  charges.some(({ id, state }) => id === chargeId && state === "paid");

const SENT = new Set(["shipped", "delivered", "refused", "back", "lost"]);
const isNonsense = ({ cents, taxCents }: MoneyItem) => taxCents < 0 || cents < 0 || taxCents > cents;

const refundRule = ({ id, movingCents, owedCents, doneCents, underWayCents, otherwiseAt }: RefundStanding) => [
  ...(movingCents < 0 ? [`refund ${id} applies more than it is`] : []),
  ...(owedCents < 0 || doneCents + underWayCents > movingCents ? [`refund ${id} gives back more than it is`] : []),
  ...(otherwiseAt ? [] : equal(`refund ${id}`, doneCents + underWayCents + owedCents, movingCents)),
];

function twice(what: string, keys: readonly number[]): string[] {
  return new Set(keys).size === keys.length ? [] : [`a unit is twice ${what}`];
}

/** What does not add up in the books of an order, in words for staff. Empty if all of it does. */
export function check(facts: Facts): string[] {
  const state = orderState(facts);
  return RULES.flatMap((rule) => rule(state));
}
