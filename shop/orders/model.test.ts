/** The books of an order add up after whatever happens to it, in any order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { overstocked, STEP_KINDS, take, type Step } from "#tests/support/order-model.ts";
import { at, begin, RATES, type Start, type World } from "#tests/support/order-world.ts";
import { isInTable } from "#tests/support/books.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { check } from "./check.ts";
import type { MoneyItem, RefundItem } from "./facts.ts";
import { statusEvents } from "./follow.ts";
import { summaryOf } from "./summary.ts";
import { statusOf } from "./lifecycle.ts";
import { headlineOf } from "./situation-words.ts";
import { DISPUTE } from "./reasons.ts";
import { situationOf, type Situation } from "./situation.ts";
import { askedCents, centsOf } from "./order-money.ts";
import { endsUnanswered, isAstray, isToCancel, mayShip, orderState, type OrderState, type UnitState } from "./state.ts";

/** The same lives in each run; MODEL_RUNS asks for so many others. */
const RUNS = process.env.MODEL_RUNS
  ? { numRuns: Number(process.env.MODEL_RUNS) }
  : { numRuns: 2_000, seed: 20_261_128 };

const start: fc.Arbitrary<Start> = fc
  .record({
    mode: fc.constantFrom("page", "card", "arranged"),
    shippingState: fc.constantFrom(...Object.keys(RATES)),
    lines: fc.array(
      fc.record({
        priceCents: fc.constantFrom(0, 1_200, 2_401, 8_900, 14_999),
        units: fc.integer({ min: 1, max: 3 }),
        isLater: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    shippingCents: fc.constantFrom(0, 999),
    percentOff: fc.constantFrom(0, 10, 33, 100),
  })
  .map(({ lines, ...order }) => {
    const taxOf = (cents: number) => Math.round(cents * RATES[order.shippingState]!);
    const taxed = lines.map((line) => ({
      ...line,
      taxCents: taxOf(line.priceCents * line.units * (1 - order.percentOff / 100)),
    }));
    return { ...order, lines: taxed, shippingTaxCents: taxOf(order.shippingCents) };
  });

const number = fc.nat({ max: 9_999 });
const step: fc.Arbitrary<Step> = fc.tuple(fc.nat({ max: STEP_KINDS - 1 }), number, number, number);

const OVER: readonly Situation[] = ["delivered", "returned", "canceled", "declined", "expired"];

/** The title of an order that its buyer reads as over while something of it is to come, or as refunded while nothing is. */
function wrongWords(order: OrderState, day: string): string | null {
  const situation = situationOf(order, at(day));
  const said = { cardName: null, hasFailed: false, hasPayments: true, returnUntil: null };
  const days = { ships: "By Jan 7", arrives: null };
  const { title, lead } = headlineOf(situation, { order, shipping: FIRST_SETTINGS.shipping, days, ...said });
  const isToCome = order.units.some(({ place }) => ["waiting", "packing", "shipped"].includes(place));
  const isRefunded = order.refunds.some(({ movingCents }) => movingCents > 0);
  if (lead.includes("$0.00")) return lead;
  return (isToCome && OVER.includes(situation)) || (situation === "partly-refunded" && !isRefunded) ? title : null;
}

const feesOf = (items: readonly MoneyItem[]) => centsOf(items.filter(({ kind }) => kind === "fee"));

const isByUs = ({ facts }: OrderState, refundId: string) =>
  facts.refunds.some(({ id, reason }) => id === refundId && reason !== DISPUTE && reason !== "provider");

/** Money that was given back without its name, although the payment or the whole says what it was for. */
function nameless(was: OrderState, { facts, change }: World): string[] {
  const is = orderState(facts);
  const hasPrice = ({ isPaid, refunded, isReplaced }: UnitState) => isPaid && !refunded && !isReplaced;
  const found =
    is.money.leftForGoodsCents <= 0 && is.refunds.length > 0 && is.units.some(hasPrice)
      ? ["all is given back, and a unit is not"]
      : [];
  // The bank or the dashboard gave back a whole payment, of which nothing was given back before.
  const seen = (change.refunds ?? []).filter(
    ({ id }) => !isByUs(is, id) && !was.refunds.some((refund) => refund.id === id),
  );
  const items = (change.refundItems ?? []).filter(({ refundId }) => seen.some(({ id }) => id === refundId));
  for (const { id, capturedCents, refundedCents, dispute } of was.facts.payments) {
    const isOf = (attempt: { paymentId: string; refundId: string | null }) =>
      attempt.paymentId === id && seen.some((refund) => refund.id === attempt.refundId);
    const isHere =
      (change.attempts ?? []).some(isOf) || facts.payments.some((each) => each.id === id && each.dispute !== dispute);
    const isFirst = refundedCents === 0 && !was.facts.attempts.some((each) => each.paymentId === id && each.refundId);
    if (!isHere || !isFirst || capturedCents === 0 || centsOf(items) < capturedCents) continue;
    const isPaidHere = (chargeId: string | undefined) =>
      facts.attempts.some((each) => each.paymentId === id && each.chargeId === chargeId && each.state === "done");
    const paid = is.charges.filter((charge) => isPaidHere(charge.id) && charge.dueCents === charge.cents);
    const isPaid = ({ charged }: UnitState) => paid.some((charge) => charge.id === charged?.chargeId);
    if (is.units.some((unit) => hasPrice(unit) && isPaid(unit)))
      found.push("a payment is given back, and its unit is not");
    if (
      paid.some(({ returnId, items: [item] }) =>
        is.money.services.some((each) => each.returnId === returnId && each.kind === item?.kind),
      )
    )
      found.push("a payment is given back, and its service is not");
  }
  return found;
}

/** Cents by which shares of a line's rounded tax, or of a price that was cut to what came back, may differ from the rate. */
const ROUNDED_CENTS = 4;

/** Sales whose tax is not that of where they are recorded or reversed. */
function wrongTax({ facts, change }: World): string[] {
  const { units } = orderState(facts);
  return (change.taxRecords ?? []).flatMap(({ chargeId, address }) =>
    units
      .filter(({ charged }) => charged?.chargeId === chargeId)
      .map((unit) => unit.taxCents + unit.waivedCents - unit.priceCents * RATES[address.state]!)
      .filter((cents) => Math.abs(cents) > ROUNDED_CENTS)
      .map((cents) => `a sale is recorded where its tax is another by ${Math.round(cents)}`),
  );
}

/** Effects of a step on the order that its return does not allow. */
function wrongStep(before: World, after: World): string[] {
  const [was, is] = [before, after].map(({ facts }) => orderState(facts)) as [OrderState, OrderState];
  const found: string[] = [];
  // Days count from the first arrival.
  const isLater = ({ firstParcel: first }: UnitState, unit: number) =>
    first?.deliveredAt && first.shippedAt! < is.units[unit]!.firstParcel!.shippedAt!;
  if (was.units.some(isLater)) found.push("an arrival moved");
  if (was.deliveredAt && !is.deliveredAt) found.push("what had arrived has not");
  // A question about a delay ends with its answer, a payment, another notice, or what it asks about.
  const answers = ["accept-delay", "approve", "record-payment", "delay", "delay-late"];
  const isAsked = was.promise.answerBy !== null && is.units.some(endsUnanswered);
  if (isAsked && is.promise.answerBy === null && !answers.includes(after.history.at(-1)!))
    found.push("the question of a delay is forgotten");
  // No day is promised before the first payment, and that one promises a day to come.
  const wasHeld = before.facts.payments.some(({ state }) => !["opening", "open", "closed"].includes(state));
  const isFirst = !wasHeld && before.facts.attempts.length === 0 && was.stage !== "unpaid";
  const mustPay = was.units.some((unit) => mayShip(unit) && !unit.isPaid && unit.valueCents > 0);
  if (isFirst && mustPay && after.history.at(-1) === "delay-late")
    found.push("a delay is told before the first payment");
  const isPaid = (isFirst && is.money.authorized) || (was.stage === "expired" && is.stage !== "expired");
  if (isPaid && is.promise.shipBy !== null && is.promise.shipBy < after.day)
    found.push("the first payment promises a day that is over");
  // An order is over once nothing of it is owed.
  if (is.stage === "shipped" && !is.units.some((unit) => unit.place === "shipped" || isAstray(unit)))
    found.push("an order of which nothing is on its way is open");
  // The money of a service gives back no goods, and none that staff give as an amount.
  const isOfGoods = ({ kind, cents, refundId }: RefundItem) =>
    ["unit", "shipping", ...(isByUs(is, refundId) ? ["goodwill"] : [])].includes(kind) && cents > 0;
  if (
    (after.change.refundItems ?? []).some(isOfGoods) &&
    is.money.leftForGoodsCents < Math.min(0, was.money.leftForGoodsCents)
  )
    found.push("goods are refunded by the money of a service");
  found.push(...nameless(was, after), ...wrongTax(after));
  // A unit that was given back before it left stays, but for a customer's own.
  const hasShipped = (number: number) =>
    (after.change.packed ?? []).some(({ unit, releasedAt }) => unit === number && releasedAt === null) &&
    is.units[number - 1]!.place !== "delivered";
  if (was.units.some((unit) => isToCancel(unit) && unit.place === "waiting" && hasShipped(unit.number)))
    found.push("what was refunded is packed");
  // A bank that takes more than was promised has paid all of that.
  const isByBank = (after.change.refundItems ?? []).some(({ refundId }) =>
    is.refunds.some(({ id, reason }) => id === refundId && reason === DISPUTE),
  );
  if (isByBank && is.refunds.some(({ owedCents }) => owedCents > 0))
    found.push("money is owed that the bank has given back");
  // Money that was paid to staff is given back only by what they record as sent, and no provider is asked for it.
  const byHand = is.facts.payments.filter(({ kind }) => kind === "arranged");
  const refundedOf = ({ facts: { payments } }: OrderState) =>
    payments.reduce((sum, { kind, refundedCents }) => sum + (kind === "arranged" ? refundedCents : 0), 0);
  if (refundedOf(is) !== refundedOf(was) && after.history.at(-1) !== "record-sent")
    found.push("staff are said to have sent what they have not");
  if (is.facts.attempts.some(({ paymentId, state }) => state === "asked" && byHand.some(({ id }) => id === paymentId)))
    found.push("a provider is asked for what was paid to staff");
  const { attention } = summaryOf(after.facts);
  if (is.refunds.some(({ byHandCents }) => byHandCents > 0) && !attention.includes("refund-owed"))
    found.push("staff do not see what they have to send");
  for (const row of after.returns) {
    const old = before.returns.find(({ id }) => id === row.id);
    const ofReturn = ({ returnId }: { returnId: string | null }) => returnId === row.id;
    const fee =
      feesOf(is.charges.filter((each) => ofReturn(each) && each.state === "paid").flatMap(({ items }) => items)) -
      feesOf(is.refunds.filter(ofReturn).flatMap(({ items }) => items));
    const isOver = row.state === "declined" || row.state === "withdrawn" || row.state === "expired";
    if (isOver && old?.state !== row.state && fee > 0 && is.money.leftCents > 0)
      found.push("the fee of what never came is kept");
    const isToCome = after.facts.returned.some(
      ({ returnId, unit, goesBackAt }) =>
        returnId === row.id &&
        goesBackAt !== null &&
        is.units.some(({ number, place }) => number === unit && (place === "waiting" || place === "packing")),
    );
    if (row.state === "closed" && old?.state !== "closed" && isToCome)
      found.push("a return is over before what it sends has left");
    if (old?.outcome === row.outcome || row.outcome === null) continue;
    const repair = is.charges.filter(ofReturn).flatMap(({ items }) => items.filter(({ kind }) => kind === "repair"));
    const askedFor = fee + askedCents(row.quoteCents! - fee);
    if (row.outcome === "repair" && row.kind === "repair" && fee + centsOf(repair) !== askedFor)
      found.push("a repair costs something else than was said");
    if (row.outcome === "replacement" && row.kind !== "exchange" && was.money.leftTaxCents !== is.money.leftTaxCents)
      found.push("a replacement changes the tax");
  }
  return found;
}

test("the books add up after each of many steps", () => {
  fc.assert(
    fc.property(start, fc.array(step, { maxLength: 40, size: "max" }), (first, steps) => {
      let world = begin(first);
      for (const each of steps) {
        const after = take(world, each);
        if (after.facts !== world.facts) {
          const [was, is] = [orderState(world.facts), orderState(after.facts)];
          const events = statusEvents(after.change, statusOf(was.stage), statusOf(is.stage));
          const wrong = events.filter(({ type, fromStatus, toStatus }) => !isInTable(type, fromStatus, toStatus));
          const words = wrongWords(is, after.day);
          const found = {
            books: check(after.facts),
            events: wrong,
            words,
            stock: overstocked(after),
            step: wrongStep(world, after),
          };
          expect([after.history, found]).toEqual([
            after.history,
            { books: [], events: [], words: null, stock: [], step: [] },
          ]);
        }
        world = after;
      }
    }),
    RUNS,
  );
}, 600_000);
