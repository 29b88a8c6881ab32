/** Consequences of a change of an order's stage: its end, the email about it, and the events with their statuses. */
import { stockOf } from "./actions/parcels.ts";
import { apply, merge, type Change, type DecidedBy } from "./change.ts";
import type { PackedUnit } from "./facts.ts";
import { ORDER_TRANSITIONS, type OrderEvent, type OrderStatus } from "./lifecycle.ts";
import { unnamed } from "./refund-items.ts";
import { isMissing, isWaiting, orderState, type OrderState } from "./state.ts";
import { dueTaxRecords } from "./tax.ts";
import { arrivedLate } from "./unit-history.ts";

const ON_THE_WAY = ["partly-shipped", "shipped"] as const;
/** An order that was over has something to ship again, for a return, or on its way back after all. */
const REOPENED: Change = { events: [{ type: "reopened" }] };
const isOnTheWay = (stage: string): boolean => (ON_THE_WAY as readonly string[]).includes(stage);

/**
 * A change with what follows from it: the names of what it gives back, what has arrived after all, the end of the order, and
 * what the tax provider is to be told.
 */
export function follow(before: OrderState, change: Change, act: DecidedBy): Change {
  if (Object.keys(change).length === 0) return change;
  const ended = withEnd(before, withArrived(before, withNames(before, change), act));
  const taxRecords = before.facts.order.taxReference ? dueTaxRecords(orderState(apply(before.facts, ended))) : [];
  return taxRecords.length > 0 ? merge(ended, { taxRecords }) : ended;
}

/** Units that have arrived, though others were to be sent in their place, are sent no more: what still waits goes back on the shelf. */
function withArrived(before: OrderState, change: Change, act: DecidedBy): Change {
  const { facts, units } = orderState(apply(before.facts, change));
  const found = units.filter((unit) => isMissing(unit) && arrivedLate(facts, unit.number));
  if (found.length === 0) return change;
  const isFound = ({ unit, releasedAt }: PackedUnit) =>
    releasedAt === null && found.some(({ number }) => number === unit);
  return merge(change, {
    packed: [
      ...facts.packed.filter(isFound).map((row) => ({ ...row, releasedAt: act.at })),
      ...found.map(({ number }) => ({ ...arrivedLate(facts, number)!, releasedAt: null })),
    ],
    stock: stockOf(found.filter(isWaiting), 1, "returned"),
  });
}

/** With the last cent of what was paid for goods all of them are given back, by their names. */
function withNames(before: OrderState, change: Change): Change {
  const after = orderState(apply(before.facts, change));
  const last = after.refunds.at(-1);
  const items = last ? unnamed(after).map((item) => ({ ...item, refundId: last.id })) : [];
  return items.length > 0 ? merge(change, { refundItems: items }) : change;
}

/** An order of which nothing is on its way is delivered, or over if nothing arrived, until it turns up. */
function withEnd(before: OrderState, change: Change): Change {
  const { stage, deliveredAt, units } = orderState(apply(before.facts, change));
  const wasOver = before.stage === "delivered" || (before.stage === "canceled" && before.facts.order.end === null);
  if (wasOver && isOnTheWay(stage)) return merge(change, REOPENED);
  if (!(isOnTheWay(before.stage) || wasOver) || stage === before.stage) return change;
  const delivered = before.stage === "canceled" ? "delivered-late" : "delivered";
  const end = stage === "delivered" ? delivered : stage === "canceled" ? "undelivered" : null;
  if (end === null || change.events?.some(({ type }) => type === end)) return change;
  // The arrival of the last parcel is the order's.
  const last = change.events?.find(({ type }) => type === "parcel-delivered");
  const events = change.events?.filter((event) => event !== last) ?? [];
  // An order that ends by an early return, or by a write-off, brings nothing, nor does what was given back since it arrived.
  const isKept = units.some(({ place, refunded }) => place === "delivered" && refunded === null);
  const arrives = last !== undefined || (isKept && before.deliveredAt === null && deliveredAt !== null);
  const data = arrives ? last?.data : { arrives };
  return merge(
    { ...change, events },
    end === "undelivered"
      ? { events: [{ type: end }] }
      : {
          events: [{ type: end, ...(data && { data }) }],
          ...(arrives && { emails: [{ template: "order-delivered" }] }),
        },
  );
}

type Event = {
  type: OrderEvent;
  fromStatus: OrderStatus;
  toStatus: OrderStatus;
  data: Record<string, string | number | boolean | null> | null;
};

/** Events of a change. The one that changes the status says so, and is added if none of them does. */
export function statusEvents({ events = [] }: Change, from: OrderStatus, to: OrderStatus): Event[] {
  const moves = ORDER_TRANSITIONS.filter((each) => each.from === from && each.to === to).map(({ event }) => event);
  const isMove = ({ type }: { type: string }) => from !== to && (moves as string[]).includes(type);
  const all = from === to || events.some(isMove) ? [...events] : [...events, { type: moves[0]! }];
  let status = from;
  return all.map((event): Event => {
    const fromStatus = status;
    if (isMove(event)) status = to;
    return {
      type: event.type as OrderEvent,
      fromStatus,
      toStatus: status,
      data: ("data" in event && event.data) || null,
    };
  });
}
