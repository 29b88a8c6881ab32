/**
 * Announcements of charges on a kept card: an email names the units, the sum, the card and the day some days before. Terms,
 * "How you pay": the shop charges a kept card only as it announced.
 */
import { daysAfter } from "#shop/new-york-time.ts";
import { paymentPolicy } from "#shop/policies.ts";
import { decided, merge, NOTHING, refused, type DecidedBy, type Change, type Decision } from "../facts.ts";
import { centsOf, isWaiting, type OrderState } from "../state.ts";
import { dueItems, newCharge } from "./money.ts";

/** Announces the charge of all units that wait, for a day at least the notice ahead. Refusals: 'no-card', 'nothing-due'. */
export function announceCharge(state: OrderState, { shipsOn }: { shipsOn: string | null }, act: DecidedBy): Decision {
  const { money, stage } = state;
  if (!money.isByCard || !money.card || money.isRefused || stage === "unpaid" || state.facts.order.end)
    return refused("no-card");
  const items = dueItems(state);
  if (items.length === 0) return refused("nothing-due");
  const earliest = daysAfter(act.today, paymentPolicy.chargeNoticeDays);
  const chargeOn = shipsOn !== null && shipsOn > earliest ? shipsOn : earliest;
  const { id, change } = newCharge(items, { state: "announced", by: "ship", announcedAt: act.at, chargeOn }, act);
  return decided(change, {
    events: [{ type: "charge-announced", data: { chargeId: id, day: chargeOn, cents: centsOf(items) } }],
    emails: [{ situation: "charge-announced", chargeId: id, day: chargeOn, cents: centsOf(items) }],
  });
}

/** The buyer pressed "Ship it now": the announced charges need not wait for their day. Repeated, nothing changes. */
export function approveCharges({ charges, facts, units }: OrderState, _input: object, act: DecidedBy): Decision {
  if (!units.some(isWaiting)) return NOTHING;
  const announced = charges.filter(({ state, approvedAt }) => state === "announced" && approvedAt === null);
  if (announced.length === 0) return NOTHING;
  const rows = facts.charges.filter(({ id }) => announced.some((each) => each.id === id));
  const parts: Change[] = rows.map((row) => ({ charges: [{ ...row, approvedAt: act.at }] }));
  return decided(merge(...parts), { events: [{ type: "charge-approved" }] });
}
