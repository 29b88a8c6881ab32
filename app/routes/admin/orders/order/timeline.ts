/** Timeline of an order: events and staff notes with their authors. */
import { clock } from "#shop/clock.ts";
import type { OrderDetails } from "#shop/fulfillment/order-list.server.ts";
import {
  CANCEL_REASONS,
  DECLINE_REASONS,
  DELAY_REASONS,
  GIFT_REASONS,
  isReason,
  LINE_REASONS,
  REFUND_REASONS,
} from "#shop/orders/reasons.ts";
import { type CarrierCode, CARRIERS } from "#shop/fulfillment/shipment.ts";
import { dayWords, momentWords } from "#app/ui/admin/when.tsx";
import { formatMoney } from "#shop/money.ts";
import type { OrderActor, OrderEvent } from "#shop/orders/lifecycle.ts";
import type { listOrderEmails } from "#shop/mail/mailbox.server.ts";
import type { NoteKind, OrderEventData } from "#shop/orders/order.tables.ts";
import { type Arrangement, ARRANGEMENTS } from "#shop/payments/arrangement.ts";

type Moment = {
  key: string;
  at: Date;
  type: OrderEvent | NoteKind;
  who: string;
  title: string;
  text?: string | undefined;
  isNote?: true;
  isTrouble?: boolean;
};

const TITLES: Record<OrderEvent, string> = {
  placed: "Order placed",
  held: "Order placed, awaiting payment",
  authorized: "Payment authorized",
  "card-saved": "Card saved, charged when it ships",
  expired: "Expired: not paid in time",
  "authorized-late": "Paid late, order reopened",
  "card-saved-late": "Card saved late, order reopened",
  canceled: "Order canceled",
  declined: "Order declined",
  shipped: "Shipped",
  "shipment-undone": "Shipment undone",
  delivered: "Delivered",
  undelivered: "Ended: nothing arrived, nothing more is owed",
  "delivered-late": "Delivered after all",
  reopened: "Open again",
  "return-changed": "Return",
  "payment-requested": "Payment requested",
  "charge-asked": "Asked to pay for a return",
  "payment-recorded": "Payment recorded",
  "payment-authorized": "New payment authorized",
  "card-changed": "Customer changed the card",
  "charge-refused": "Charge refused, not shipped",
  "charge-announced": "Charge announced by email",
  "charge-approved": "Asked to ship now",
  "payment-received": "Payment received",
  "payment-failed": "Payment failed",
  "capture-failed": "Charge failed, not shipped",
  "line-canceled": "Items canceled",
  delayed: "Shipping delayed",
  "delay-accepted": "Customer accepted the delay",
  "address-changed": "Address changed",
  "parcel-shipped": "Another package shipped",
  "parcel-undone": "Shipment undone",
  "tracking-corrected": "Tracking number corrected",
  "parcel-delivered": "A package was delivered",
  "parcel-refused": "Package refused, on its way back",
  "parcel-lost": "Package lost",
  "parcel-returned": "Package is back",
  "parcel-resent": "To be sent again",
  "hold-extended": "Stock reservation extended",
  refunded: "Refunded",
  "refund-failed": "Refund failed",
  "payment-voided": "Authorization voided",
  "payment-mismatch": "Wrong amount paid",
  disputed: "Payment disputed",
  "dispute-closed": "Dispute closed",
};
const TROUBLE: OrderEvent[] = [
  "payment-failed",
  "capture-failed",
  "charge-refused",
  "parcel-refused",
  "parcel-lost",
  "refund-failed",
  "payment-mismatch",
  "disputed",
];

const NOTE_TITLES: Record<NoteKind, string> = {
  note: "Note",
  hold: "Put on hold",
  unhold: "Hold released",
  address: "Address edited",
  email: "Email resent",
  refund: "Failed refund resolved",
};

const ACTORS: Record<OrderActor, string> = {
  customer: "Customer",
  guest: "Customer",
  staff: "Staff",
  provider: "Payment provider",
  carrier: "Carrier",
  system: "System",
};

/** Fate of the units in a package that is back; nothing, if none of them was for the shelf. */
const STOCK_WORDS: Record<string, string> = { true: ", returned to stock", false: ", written off" };

/** Events whose text is their amount. */
const AMOUNTS: OrderEvent[] = ["refund-failed", "charge-asked", "payment-received"];

const whole = (data: OrderEventData | null, name: string) => (typeof data?.[name] === "number" ? data[name] : 0);
const word = (data: OrderEventData | null, name: string) => (typeof data?.[name] === "string" ? data[name] : undefined);

function textOf(type: OrderEvent, data: OrderEventData | null, { lines, state }: OrderDetails, sums: boolean) {
  const reason = word(data, "reason");
  const parcel = state.parcels.find(({ id }) => id === data?.shipmentId);
  if (parcel) {
    const stock = type === "parcel-returned" ? (STOCK_WORDS[String(data?.returnsStock)] ?? "") : "";
    return `${CARRIERS[parcel.carrier as CarrierCode].name} ${parcel.trackingNumber}`.trim() + stock;
  }
  if (type === "line-canceled") {
    const name = lines.find(({ id }) => id === data?.itemId)?.name ?? "";
    const stock = data?.returnsStock ? "returned to stock" : "written off";
    return `${whole(data, "units")} × ${name}, ${stock}. ${isReason(LINE_REASONS, reason) ? LINE_REASONS[reason] : ""}`;
  }
  if (type === "placed") return isReason(GIFT_REASONS, reason) ? `${GIFT_REASONS[reason]}, at no charge` : undefined;
  if (type === "return-changed") return `${word(data, "number")}: ${word(data, "event")?.replaceAll("-", " ")}`;
  if (type === "charge-announced") return dayWords(word(data, "day") ?? "");
  if (type === "declined") return isReason(DECLINE_REASONS, reason) ? DECLINE_REASONS[reason] : undefined;
  if (type === "delayed") return delayText(data);
  if (type === "canceled") return isReason(CANCEL_REASONS, reason) ? CANCEL_REASONS[reason] : undefined;
  if (!sums) return undefined;
  if (type === "dispute-closed")
    return data?.outcome === "lost" ? `Lost, ${formatMoney(whole(data, "cents"))}` : undefined;
  if (type === "refunded") {
    return `${formatMoney(whole(data, "cents"))}. ${isReason(REFUND_REASONS, reason) ? REFUND_REASONS[reason] : ""}`;
  }
  if (type === "payment-recorded") {
    return `${formatMoney(whole(data, "cents"))}, ${ARRANGEMENTS[data?.how as Arrangement["how"]]}`;
  }
  return AMOUNTS.includes(type) ? formatMoney(whole(data, "cents")) : undefined;
}

function delayText(data: OrderEventData | null): string {
  const [until, answerBy, reason] = [word(data, "until"), word(data, "answerBy"), word(data, "reason")];
  return [
    `New ship date: ${until ? dayWords(until) : "not known"}.`,
    answerBy ? `Without a yes by ${dayWords(answerBy)}, unshipped items are canceled.` : "No answer is needed.",
    isReason(DELAY_REASONS, reason) ? DELAY_REASONS[reason] : "",
  ]
    .join(" ")
    .trim();
}

type Names = ReadonlyMap<string, string>;

const whoOf = (names: Names, staffId: string | null, actor: OrderActor) =>
  (staffId && names.get(staffId)) || ACTORS[actor];

const EMAIL_STATES: Record<Email["state"], string> = {
  created: "To be sent",
  active: "To be sent",
  retry: "Not accepted yet, tried again",
  completed: "Sent",
  failed: "Could not be sent",
};

type Email = Awaited<ReturnType<typeof listOrderEmails>>[number];

/** Newest first. `sums`: the role may read amounts. `names`: staff by id. */
export function timelineOf(order: OrderDetails, names: Names, sums: boolean, emails: Email[] = []): Moment[] {
  // The note of a changed address has more to say.
  const shown = order.events.filter(({ type }) => type !== "address-changed");
  const events = shown.toReversed().map(({ id, at, type, actor, data, staffId }): Moment => ({
    key: `event ${id}`,
    at,
    type,
    who: whoOf(names, staffId, actor),
    title: TITLES[type],
    text: textOf(type, data, order, sums),
    isTrouble: TROUBLE.includes(type),
  }));
  const notes = order.notes.map(({ id, at, kind, text, staffId }): Moment => ({
    key: `note ${id}`,
    at,
    type: kind,
    who: whoOf(names, staffId, staffId ? "staff" : "customer"),
    title: NOTE_TITLES[kind],
    text: text || undefined,
    isNote: true,
  }));
  const sent = emails.map(({ id, template, at, state }): Moment => ({
    key: `email ${id}`,
    at,
    type: "email",
    who: "Email",
    title: `${EMAIL_STATES[state]}: ${template.replace(/^order-/, "").replaceAll("-", " ")}`,
    isTrouble: state === "failed",
  }));
  return [...events, ...notes, ...sent].toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/** Events by others since the event `seen`. */
export function meanwhileOf(order: OrderDetails, names: Names, seen: number, self: string): string {
  const changes = order.events
    .filter(({ id, staffId }) => id > seen && staffId !== self)
    .map(({ type, actor, staffId }) => `${TITLES[type]} (${whoOf(names, staffId, actor)})`);
  return changes.length > 0 ? `Since you opened this page: ${changes.join(", ")}.` : "";
}

const DONE: Record<string, { word: string; by: Moment["type"][] }> = {
  ship: { word: "shipped", by: ["shipped", "parcel-shipped"] },
  "buy-label": { word: "shipped", by: ["shipped", "parcel-shipped"] },
  refused: { word: "marked as refused", by: ["parcel-refused"] },
  lost: { word: "marked as lost", by: ["parcel-lost"] },
  returned: { word: "received", by: ["parcel-returned"] },
  "send-again": { word: "released to be sent again", by: ["parcel-resent"] },
  arrived: { word: "delivered", by: ["parcel-delivered", "delivered", "delivered-late"] },
  "write-off": { word: "written off", by: ["line-canceled"] },
  deliver: { word: "delivered", by: ["delivered"] },
  tracking: { word: "corrected", by: ["tracking-corrected"] },
  "undo-shipment": { word: "undone", by: ["shipment-undone", "parcel-undone"] },
  hold: { word: "put on hold", by: ["hold"] },
  unhold: { word: "released", by: ["unhold"] },
  delay: { word: "delayed", by: ["delayed"] },
  "cancel-line": { word: "changed", by: ["line-canceled"] },
  cancel: { word: "canceled", by: ["canceled"] },
  decline: { word: "declined", by: ["declined"] },
  "ask-payment": { word: "requested", by: ["payment-requested"] },
  "record-payment": { word: "recorded", by: ["payment-recorded"] },
  address: { word: "edited", by: ["address"] },
  "record-refund": { word: "recorded", by: ["refunded"] },
  "resolve-refund": { word: "resolved", by: ["refund", "refunded"] },
};

/** Formats "Already shipped by Olivia at 2:05 PM." */
export function alreadyWords(order: OrderDetails, names: Names, action: string): string {
  if (action === "email") return "It was sent again less than a minute ago.";
  const { word, by } = DONE[action] ?? { word: "done", by: [] };
  const last = timelineOf(order, names, false).find(({ type }) => by.includes(type));
  return last ? `Already ${word} by ${last.who} ${momentWords(last.at, clock.now())}.` : `Already ${word}.`;
}
