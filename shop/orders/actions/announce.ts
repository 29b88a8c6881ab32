/**
 * Announcements of charges on a kept card: an email names the units, the sum, the card and the day some days before. Terms,
 * "How you pay": the shop charges a kept card only as it announced.
 */
import { daysAfter, latestDay } from "#shop/new-york-time.ts";
import { paymentPolicy } from "#shop/policies.ts";
import { shippingDay } from "#shop/shipping/methods.ts";
import { apply, decided, merge, NOTHING, refused, type Change, type DecidedBy, type Decision } from "../change.ts";
import type { Line, MoneyItem } from "../facts.ts";
import { centsOf, mayChargeCard, type ChargeStanding } from "../order-money.ts";
import { endsUnanswered, isWaiting, noticesOf, orderState, type OrderState, type UnitState } from "../state.ts";
import { endCharge, newCharge, shippingItems, toCharge, unitItem, unitsRefused } from "./money.ts";
import { notice } from "./notice.ts";

/** Units that wait, cost something, and are in no announcement. */
const toAnnounce = ({ units }: OrderState): UnitState[] =>
  units.filter((unit) => toCharge(unit) && unit.announced === null);

/** Something can be announced, for the promised day or, by staff, for an earlier one. */
export const mayAnnounce = (state: OrderState): boolean => mayChargeCard(state) && toAnnounce(state).length > 0;

/** Day on which the charge of what waits is due to be announced. Null if nothing is, there is no day for it, or it is on hold. */
export function announceDay(state: OrderState): string | null {
  const { shipBy } = state.promise;
  return shipBy !== null && !state.facts.order.onHoldSince && mayAnnounce(state)
    ? daysAfter(shipBy, -paymentPolicy.chargeNoticeDays)
    : null;
}

/** First day for a charge that is announced now, from `day` on: it ships then, so that is a day on which carriers work. */
const firstChargeDay = ({ today }: DecidedBy, day: string | null = null): string =>
  latestDay([shippingDay(daysAfter(today, paymentPolicy.chargeNoticeDays)), day])!;

/**
 * The announcement of a charge of some units for a day. A promised one before that is moved by a notice, as any delay. The first
 * announcement has the shipping, and the earliest day.
 */
export function announcement(
  state: OrderState,
  units: readonly UnitState[],
  day: string,
  isEarly: boolean,
  act: DecidedBy,
) {
  const items = [...units.map(unitItem), ...(state.shipping.announced ? [] : shippingItems(state))];
  const { id, change } = newCharge(
    items,
    { state: "announced", by: "ship", announcedAt: act.at, chargeOn: day, isEarly },
    act,
  );
  const told = { chargeId: id, day, cents: centsOf(items) };
  const { shipBy } = state.promise;
  const reason = state.facts.payments.some(({ refusedAt }) => refusedAt) ? "unpaid" : "not-ready";
  const isLater = shipBy !== null && shipBy < day;
  const isSooner = shipBy === null || day < shipBy;
  return merge(change, isLater ? notice(state, { until: day, reason }, act) : {}, {
    events: [{ type: "charge-announced", data: told }],
    emails: [{ template: "charge-announced", ...told, units: units.map(({ number }) => number), isEarly: isSooner }],
  });
}

/** Announces, some days before the promised day, the charge of all that waits. Refused with 'not-due'. */
export function announceCharge(state: OrderState, _input: object, act: DecidedBy): Decision {
  const due = announceDay(state);
  if (due === null || due > act.today) return refused("not-due");
  const day = firstChargeDay(act, state.promise.shipBy);
  return decided(announcement(state, toAnnounce(state), day, false, act));
}

/**
 * Units ship from a day, or now (null), instead of the later one for which their lines were ordered; by an earlier day than
 * was promised, if nothing else waits.
 */
function shipSooner(
  { facts: { lines }, units, promise: { shipBy } }: OrderState,
  sooner: readonly UnitState[],
  from: string | null,
  leavesBy: string,
): Change {
  const others = units.filter((unit) => isWaiting(unit) && !sooner.includes(unit));
  const isLater = ({ shipsFrom }: Line) => shipsFrom !== null && (from === null || from < shipsFrom);
  const isSooner = ({ id }: Line) =>
    sooner.some(({ lineId }) => lineId === id) && !others.some(({ lineId }) => lineId === id);
  const isEarlier = others.length === 0 && (shipBy === null || leavesBy < shipBy);
  return merge(
    { lines: lines.filter((line) => isLater(line) && isSooner(line)).map((line) => ({ ...line, shipsFrom: from })) },
    isEarlier ? { order: { shipBy: leavesBy } } : {},
  );
}

/**
 * Announces the charge of units that are to ship before the promised day, which becomes that of the charge if nothing else
 * waits, and no question about another one is open. Repeated, nothing changes. Refusals: 'no-card', 'on-hold', 'nothing-due'.
 */
export function announceEarly(state: OrderState, { units }: { units: readonly number[] }, act: DecidedBy): Decision {
  if (!mayChargeCard(state)) return refused("no-card");
  if (state.facts.order.onHoldSince) return refused("on-hold");
  const chosen = state.units.filter((unit) => units.includes(unit.number) && toCharge(unit));
  if (chosen.length === 0) return refused("nothing-due");
  const fresh = chosen.filter(({ announced }) => announced === null);
  if (fresh.length === 0) return NOTHING;
  const day = firstChargeDay(act);
  const sooner = state.units.filter((unit) => isWaiting(unit) && (unit.announced || fresh.includes(unit)));
  const { order: promised, ...lines } = shipSooner(state, sooner, day, day);
  const isAsked = state.promise.answerBy !== null;
  return decided(announcement(state, fresh, day, true, act), lines, promised && !isAsked ? { order: promised } : {});
}

/** Announced charges of units that wait, whose day the buyer waits for. */
export const toApprove = ({ charges, units }: OrderState) =>
  charges.filter(
    ({ id, approvedAt }) => approvedAt === null && units.some((unit) => isWaiting(unit) && unit.announced?.id === id),
  );

/**
 * The buyer pressed "Ship it now": announced charges, of `cents` in all as their page said, need not wait for their day, and
 * the buyer agrees to wait for what they are for. What staff can ship early leaves as soon as other orders do. Repeated,
 * nothing changes. Refusals: 'not-announced', 'meanwhile' if they are for another sum by now.
 */
export function approveCharges(state: OrderState, { cents }: { cents: number }, act: DecidedBy): Decision {
  if (!state.charges.some((charge) => charge.state === "announced")) return refused("not-announced");
  const asked = toApprove(state);
  if (asked.length === 0) return NOTHING;
  if (centsOf(asked) !== cents) return refused("meanwhile");
  const sooner = state.units.filter((unit) => isWaiting(unit) && unit.announced?.isEarly);
  const leavesBy = act.shipBy(state.facts.order);
  const rows = state.facts.charges.filter(({ id }) => asked.some((each) => each.id === id));
  const last = noticesOf(state.facts).at(-1);
  const isAnswer =
    state.promise.answerBy !== null && state.units.filter(endsUnanswered).every((unit) => unit.announced);
  return decided(
    {
      charges: rows.map((row) => ({ ...row, approvedAt: act.at })),
      delays: last && isAnswer ? [{ ...last, acceptedAt: act.at }] : [],
      events: [{ type: "charge-approved" }],
    },
    shipSooner(state, sooner, null, leavesBy),
  );
}

/** Takes announcements back: what waits ships on another day, which has an announcement of its own. */
export const withdrawAnnouncements = (state: OrderState, act: DecidedBy): Change =>
  merge(
    ...state.charges
      .filter((charge) => charge.state === "announced")
      .map((charge) => endCharge(state, charge, "withdrawn", act)),
  );

/** The announcement of a charge stays as it is, for other items, or for the next card if its bank refused this one. */
export const keepAnnounced = (
  { announcedAt, chargeOn, approvedAt, isEarly }: ChargeStanding,
  items: readonly MoneyItem[],
  act: DecidedBy,
): Change =>
  newCharge(items, { state: "announced", by: "ship", announcedAt, chargeOn, approvedAt, isEarly }, act).change;

/**
 * Announced charges after a change of what they are for: what is left of their units is announced again, with an email and
 * days to object if that is for more.
 */
export function announceAgain(state: OrderState, changed: Change, act: DecidedBy): Change {
  const announced = state.charges.filter((charge) => charge.state === "announced");
  let change = merge(changed, withdrawAnnouncements(state, act));
  for (const charge of announced.toSorted((a, b) => (a.chargeOn! < b.chargeOn! ? -1 : 1))) {
    const after = orderState(apply(state.facts, change));
    const units = toAnnounce(after).filter(({ number }) => charge.items.some(({ unit }) => unit === number));
    if (units.length === 0) continue;
    const again = announcement(after, units, firstChargeDay(act, charge.chargeOn), charge.isEarly, act);
    const items = again.chargeItems!;
    change = merge(change, centsOf(items) > charge.cents ? again : keepAnnounced(charge, items, act));
  }
  return change;
}

/** A change after which the shipping is in no announcement: what is announced besides is announced again with it. */
export function withShipping(state: OrderState, change: Change, act: DecidedBy): Change {
  const after = orderState(apply(state.facts, change));
  const isLeftOut = after.shipping.announced === null && shippingItems(after).length > 0;
  return isLeftOut && after.charges.some((charge) => charge.state === "announced")
    ? announceAgain(state, change, act)
    : change;
}

/** Cents of the charge that was refused last, as far as it is not paid: its buyer can pay them on a page. */
export function refusedCents(state: OrderState): number {
  const units = unitsRefused(state);
  return units.length > 0 ? centsOf([...units.map(unitItem), ...shippingItems(state)]) : 0;
}
