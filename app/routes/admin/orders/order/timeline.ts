/** What happened to an order, in words for staff: its events with who caused them, and what staff wrote between them. */
import type { DeskOrder } from "../../../../../shop/fulfillment/desk.server.ts";
import { DECLINE_REASONS, isReason, LINE_REASONS, REFUND_REASONS } from "../../../../../shop/fulfillment/reasons.ts";
import { CARRIERS } from "../../../../../shop/fulfillment/shipment.ts";
import { formatMoney } from "../../../../../shop/money.ts";
import type { OrderActor, OrderEvent } from "../../../../../shop/orders/lifecycle.ts";
import type { NoteKind, OrderEventData } from "../../../../../shop/orders/order.tables.ts";

export type Moment = {
  key: string;
  at: Date;
  who: string;
  title: string;
  text?: string | undefined;
  /** What staff wrote, and no event. */
  isNote?: true;
  isTrouble?: boolean;
};

const TITLES: Record<OrderEvent, string> = {
  placed: "Placed",
  held: "Placed, to be paid",
  authorized: "Payment authorized",
  lapsed: "Lapsed: not paid in time",
  "authorized-late": "Paid late, taken up again",
  canceled: "Canceled",
  declined: "Declined",
  shipped: "Shipped",
  delivered: "Delivered",
  "payment-requested": "Asked for payment",
  "payment-authorized": "Paid anew, authorized",
  "payment-failed": "Payment failed",
  "capture-failed": "The charge failed, nothing shipped",
  "line-canceled": "Part of it canceled",
  delayed: "Promised for a later day",
  "delay-accepted": "Keeps the order",
  "parcel-shipped": "Another parcel shipped",
  "hold-extended": "Kept its units longer",
  refunded: "Refunded",
  "refund-failed": "A refund failed",
  "payment-voided": "Authorization let go",
  "payment-mismatch": "Paid another amount",
  disputed: "Disputed with the bank",
  "dispute-closed": "Dispute closed",
};
const TROUBLE: OrderEvent[] = ["payment-failed", "capture-failed", "refund-failed", "payment-mismatch", "disputed"];

const NOTE_TITLES: Record<NoteKind, string> = {
  note: "Note",
  hold: "Put on hold",
  unhold: "Taken off hold",
  address: "Address corrected",
  email: "Email sent again",
};

const ACTORS: Record<OrderActor, string> = {
  customer: "Customer",
  guest: "Customer",
  staff: "Staff",
  provider: "Payment provider",
  system: "The shop",
};

const whole = (data: OrderEventData | null, name: string) => (typeof data?.[name] === "number" ? data[name] : 0);
const word = (data: OrderEventData | null, name: string) => (typeof data?.[name] === "string" ? data[name] : undefined);

function textOf(type: OrderEvent, data: OrderEventData | null, { lines, shipments }: DeskOrder, sums: boolean) {
  const reason = word(data, "reason");
  if (type === "shipped" || type === "parcel-shipped") {
    const parcel = shipments.find(({ id }) => id === data?.shipmentId);
    return parcel && `${CARRIERS[parcel.carrier].name} ${parcel.trackingNumber}`.trim();
  }
  if (type === "line-canceled") {
    const name = lines.find(({ id }) => id === data?.itemId)?.name ?? "";
    const stock = data?.returnsStock ? "back in stock" : "written off";
    return `${whole(data, "units")} × ${name}, ${stock}. ${isReason(LINE_REASONS, reason) ? LINE_REASONS[reason] : ""}`;
  }
  if (type === "declined") return isReason(DECLINE_REASONS, reason) ? DECLINE_REASONS[reason] : undefined;
  if (type === "delayed") return `By ${word(data, "until")}`;
  if (!sums) return undefined;
  if (type === "refunded") {
    return `${formatMoney(whole(data, "cents"))}. ${isReason(REFUND_REASONS, reason) ? REFUND_REASONS[reason] : ""}`;
  }
  return type === "refund-failed" ? formatMoney(whole(data, "cents")) : undefined;
}

/** The newest first. `sums` where the role may read amounts; `names` are those of the staff by id. */
export function timelineOf(order: DeskOrder, names: ReadonlyMap<string, string>, sums: boolean): Moment[] {
  const events = order.events.map(({ id, at, type, actor, data, staffId }): Moment & { place: number } => ({
    key: `event ${id}`,
    at,
    who: (staffId && names.get(staffId)) || ACTORS[actor],
    title: TITLES[type],
    text: textOf(type, data, order, sums),
    isTrouble: TROUBLE.includes(type),
    place: id,
  }));
  const notes = order.notes.map(({ id, at, kind, text, staffId }): Moment & { place: number } => ({
    key: `note ${id}`,
    at,
    who: (staffId && names.get(staffId)) || ACTORS.staff,
    title: NOTE_TITLES[kind],
    text: text || undefined,
    isNote: true,
    place: 0,
  }));
  return [...events, ...notes]
    .sort((a, b) => b.at.getTime() - a.at.getTime() || b.place - a.place)
    .map(({ place: _place, ...moment }) => moment);
}

/** What happened after the events up to `seen`, for whoever acted on what they saw. */
export function meanwhileOf(order: DeskOrder, names: ReadonlyMap<string, string>, seen: number, self: string): string {
  const newer = order.events.filter(({ id, staffId }) => id > seen && staffId !== self);
  const told = newer.map(
    ({ type, actor, staffId }) => `${TITLES[type]} (${(staffId && names.get(staffId)) || ACTORS[actor]})`,
  );
  return told.length > 0 ? `Meanwhile: ${told.join(", ")}.` : "";
}
