/**
 * Announcements of charges on a kept card: an email names the units, the sum, the card and the day some days before. Terms,
 * "How you pay": the shop charges a kept card only as it announced.
 */
import { daysAfter } from "#shop/new-york-time.ts";
import { paymentPolicy } from "#shop/policies.ts";
import {
  decided,
  merge,
  NOTHING,
  refused,
  type Change,
  type DecidedBy,
  type Decision,
  type Facts,
  type Line,
} from "../facts.ts";
import { centsOf, isWaiting, mayChargeCard, type OrderState, type UnitState } from "../state.ts";
import { newCharge, shippingItems, toCharge, unitItem, withdraw } from "./money.ts";

/** Units that wait, cost something, and are in no announcement. */
const toAnnounce = ({ units }: OrderState): UnitState[] =>
  units.filter((unit) => toCharge(unit) && unit.announced === null);

/** Day on which the charge of what waits is due to be announced. Null if there is nothing to announce, or no day for it. */
export function announceDay(state: OrderState): string | null {
  const { shipBy } = state.promise;
  const isDue = shipBy !== null && mayChargeCard(state) && toAnnounce(state).length > 0;
  return isDue ? daysAfter(shipBy, -paymentPolicy.chargeNoticeDays) : null;
}

/** Staff can announce the charge of something, to ship it before the promised day. */
export const mayAnnounce = (state: OrderState): boolean => mayChargeCard(state) && toAnnounce(state).length > 0;

/** The announcement of a charge of some units for a day. */
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
  return merge(change, {
    events: [{ type: "charge-announced", data: told }],
    emails: [{ situation: "charge-announced", ...told, units: units.map(({ number }) => number), isEarly }],
  });
}

/** Announces, some days before the promised day, the charge of all that waits. Refused with 'not-due'. */
export function announceCharge(state: OrderState, _input: object, act: DecidedBy): Decision {
  const due = announceDay(state);
  if (due === null || due > act.today) return refused("not-due");
  const earliest = daysAfter(act.today, paymentPolicy.chargeNoticeDays);
  const day = state.promise.shipBy! > earliest ? state.promise.shipBy! : earliest;
  return decided(announcement(state, toAnnounce(state), day, false, act));
}

/**
 * Units ship from a day, or now (null), instead of the later one for which their lines were ordered; by `leavesBy`, if
 * nothing else waits.
 */
function shipSooner(
  { facts: { lines }, units, promise: { shipBy } }: OrderState,
  sooner: readonly UnitState[],
  { from, leavesBy }: { from: string | null; leavesBy: string },
  act: DecidedBy,
): Change {
  const others = units.filter((unit) => isWaiting(unit) && !sooner.includes(unit));
  const isLater = ({ shipsFrom }: Line) => shipsFrom !== null && (from === null || from < shipsFrom);
  const isSooner = ({ id }: Line) =>
    sooner.some(({ lineId }) => lineId === id) && !others.some(({ lineId }) => lineId === id);
  return {
    lines: lines.filter((line) => isLater(line) && isSooner(line)).map((line) => ({ ...line, shipsFrom: from })),
    ...(others.length === 0 &&
      (shipBy === null || leavesBy < shipBy) && { order: { shipBy: leavesBy, promisedAt: act.at } }),
  };
}

/**
 * Announces the charge of units that are to ship before the promised day, which becomes that of the charge if nothing else
 * waits. Repeated, nothing changes. Refusals: 'no-card', 'on-hold', 'nothing-due'.
 */
export function announceEarly(state: OrderState, { units }: { units: readonly number[] }, act: DecidedBy): Decision {
  if (!mayChargeCard(state)) return refused("no-card");
  if (state.facts.order.onHoldSince) return refused("on-hold");
  const chosen = state.units.filter((unit) => units.includes(unit.number) && toCharge(unit));
  if (chosen.length === 0) return refused("nothing-due");
  const fresh = chosen.filter(({ announced }) => announced === null);
  if (fresh.length === 0) return NOTHING;
  const day = daysAfter(act.today, paymentPolicy.chargeNoticeDays);
  const sooner = state.units.filter((unit) => isWaiting(unit) && (unit.announced || fresh.includes(unit)));
  return decided(
    announcement(state, fresh, day, true, act),
    shipSooner(state, sooner, { from: day, leavesBy: day }, act),
  );
}

/** Announced charges of units that wait, whose day the buyer waits for. */
export const toApprove = ({ charges, units }: OrderState) =>
  charges.filter(
    ({ id, approvedAt }) => approvedAt === null && units.some((unit) => isWaiting(unit) && unit.announced?.id === id),
  );

/**
 * The buyer pressed "Ship it now": announced charges need not wait for their day. What staff can ship early leaves as soon
 * as other orders do. Repeated, nothing changes. Refused with 'not-announced'.
 */
export function approveCharges(state: OrderState, _input: object, act: DecidedBy): Decision {
  if (!state.charges.some((charge) => charge.state === "announced")) return refused("not-announced");
  const asked = toApprove(state);
  if (asked.length === 0) return NOTHING;
  const sooner = state.units.filter((unit) => isWaiting(unit) && unit.announced?.isEarly);
  const leavesBy = act.shipBy(state.facts.order.shippingMethod);
  const rows = state.facts.charges.filter(({ id }) => asked.some((each) => each.id === id));
  return decided(
    {
      charges: rows.map((row) => ({ ...row, approvedAt: act.at })),
      events: [{ type: "charge-approved" }],
    },
    shipSooner(state, sooner, { from: null, leavesBy }, act),
  );
}

/** Takes announcements back: what waits ships on another day, which has an announcement of its own. */
export const withdrawAnnouncements = ({ charges }: Pick<OrderState, "charges">, act: DecidedBy): Change =>
  merge(...charges.filter(({ state }) => state === "announced").map((charge) => withdraw(charge, act)));

/** What a charge was announced as stays so for the next card, if its bank refused this one. */
export function announceAgain({ chargeItems }: Facts, refusedId: string, state: OrderState, act: DecidedBy): Change {
  const charge = state.charges.find(({ id }) => id === refusedId)!;
  if (charge.announcedAt === null) return {};
  const { announcedAt, chargeOn, approvedAt, isEarly } = charge;
  const items = chargeItems
    .filter(({ chargeId, releasedAt }) => chargeId === refusedId && releasedAt === null)
    .map(({ kind, unit, cents, taxCents }) => ({ kind, unit, cents, taxCents }));
  return newCharge(items, { state: "announced", by: "ship", announcedAt, chargeOn, approvedAt, isEarly }, act).change;
}
