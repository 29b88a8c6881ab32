/**
 * Facts of one order, as rows: the input of every decision about it. Amounts are in cents and include their tax,
 * days are YYYY-MM-DD in New York.
 */
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import type { Attention, OrderActor, PaymentStatus, Stage } from "./lifecycle.ts";
import type { Address } from "./order.ts";

/** The order itself. What its units and money are, their own rows say. */
export type OrderRow = Address & {
  id: string;
  placedAt: Date;
  shippingMethod: ShippingMethod;
  /** Charged once, with the first thing that is charged. */
  shippingCents: number;
  shippingTaxCents: number;
  /** Tax beside that, which the shop bears. */
  shippingWaivedCents: number;
  /** The promised day, by whose end what waits leaves, moved by notices; null if the buyer was told that it is unknown. */
  shipBy: string | null;
  /** Since when it is promised: its placing, the payment for which it waited, or the sending again of all of it. */
  promisedAt: Date;
  /** End of the stock reservation of an unpaid order. */
  holdUntil: Date | null;
  /** Authorized, a card saved, or placed without a provider; null while it is unpaid. */
  confirmedAt: Date | null;
  /** Staff have asked for the payment of an order that was placed without. */
  isPaymentAsked: boolean;
  /** An end before anything shipped. */
  end: "canceled" | "declined" | "expired" | null;
  /** First shipment, even if it was undone, by which the shop accepts the order. */
  acceptedAt: Date | null;
  onHoldSince: Date | null;
  /** Quote of its sales tax, also if that comes to nothing; null where the shop collects none. */
  taxReference: string | null;
  /** As it was read, before any change. */
  stored: StoredSummary | null;
};

/** Summary of an order, as lists read it. */
export type StoredSummary = {
  stage: Stage;
  paymentStatus: PaymentStatus;
  attention: readonly Attention[];
  answerBy: string | null;
  /** Day on which the charge of what waits is due to be announced. */
  announceOn: string | null;
};

/** Units of one product, as they were sold or are sent for a return. */
export type Line = {
  id: string;
  /** Null for a product that is not of the catalog. */
  productId: string | null;
  name: string;
  /** Price of one unit, before tax; the tax is of all of them. */
  priceCents: number;
  taxCents: number;
  quantity: number;
  /** Place in the order, by which its lines are sorted. */
  position: number;
  shipsFrom: string | null;
  /** Term of the purchase; null without a warranty. */
  warrantyYears: number | null;
  /** Return for which it is sent; null for what was bought. */
  returnId: string | null;
};

/** One unit of a line. Price and tax are its own, shared out when it was placed, or when its order moved to another state. */
export type Unit = {
  /** Within its order, from 1. */
  number: number;
  lineId: string;
  priceCents: number;
  taxCents: number;
  /** Tax beside that, which the shop bears. */
  waivedCents: number;
  /** Unit in whose place it is sent, what that was worth when it came back, and the return that sends it. */
  replaces: number | null;
  carriedCents: number;
  returnId: string | null;
  /** Its stock is taken for an exchange whose return is not decided, or not paid yet. */
  isReserved: boolean;
  /** The customer's own product, which a return sends back to them. It is never stock; another one that is sent in its place is. */
  isOwn: boolean;
  canceledAt: Date | null;
  canceledBy: OrderActor | null;
  cancelReason: string | null;
};

/** `packing` waits for its charge; a `failed` one never left: its charge failed, or staff have undone it. */
export const PARCEL_STATES = ["packing", "failed", "shipped", "delivered", "refused", "lost"] as const;
export type ParcelState = (typeof PARCEL_STATES)[number];

/** Scans of a parcel in transit, in their order. */
export const PROGRESS = ["in-transit", "out-for-delivery"] as const;
export type Progress = (typeof PROGRESS)[number];

export type Parcel = {
  id: string;
  state: ParcelState;
  carrier: string;
  trackingNumber: string;
  labelId: string | null;
  /** Charge for which it waits, or which paid for it. */
  chargeId: string | null;
  createdAt: Date;
  shippedAt: Date | null;
  /** Latest scan on its way. */
  progress: Progress | null;
  /** Latest scan, refusal or loss. */
  progressAt: Date | null;
  deliveredAt: Date | null;
  /** A refused one was received by staff. */
  returnedAt: Date | null;
};

export type PackedUnit = {
  parcelId: string;
  unit: number;
  /** The parcel failed, its unit is sent again, or came back with a return. */
  releasedAt: Date | null;
};

/** `announced`: the buyer knows the day and the sum; `asked`: under way, or waiting for the buyer to pay by a link. */
export const CHARGE_STATES = ["announced", "asked", "paid", "failed", "withdrawn"] as const;
/** `ship`: with a parcel; `link`: the buyer pays it on a page of its own; `arranged`: staff recorded it. */
export const CHARGE_WAYS = ["ship", "link", "arranged"] as const;

/** One request for money. Its items say what for. */
export type Charge = {
  id: string;
  state: (typeof CHARGE_STATES)[number];
  by: (typeof CHARGE_WAYS)[number];
  returnId: string | null;
  createdAt: Date;
  announcedAt: Date | null;
  /** First day of an announced charge. */
  chargeOn: string | null;
  /** The buyer asked for it before that day. */
  approvedAt: Date | null;
  /** Announced by staff who can ship it before its promised day. */
  isEarly: boolean;
};

export const ITEM_KINDS = ["unit", "shipping", "goodwill", "fee", "repair", "surplus"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** Part of a charge or a refund. `unit` is set for the kind of that name alone. */
export type MoneyItem = { kind: ItemKind; unit: number | null; cents: number; taxCents: number };
export type ChargeItem = MoneyItem & {
  chargeId: string;
  /** Its charge failed or was withdrawn. */ releasedAt: Date | null;
};
export type RefundItem = MoneyItem & { refundId: string };

/** One promise to give money back. Its items say what for. */
export type Refund = {
  id: string;
  reason: string;
  returnId: string | null;
  askedBy: OrderActor;
  staffId: string | null;
  createdAt: Date;
  /** Charge of an exchange that it pays, and how much of it; the rest moves. */
  appliedTo: string | null;
  appliedCents: number;
  /** Staff sent the money another way. */
  otherwiseCents: number;
  otherwiseAt: Date | null;
};

/** A waiver: money that the buyer would have paid, and staff left to the shop: a charge, or the tax of a move to another state. */
export type Waiver = { id: string; chargeId: string | null; cents: number; staffId: string | null; createdAt: Date };

export const DISPUTE_STATES = ["open", "won", "lost"] as const;

/** A payment as last read from its provider. */
export type Payment = {
  id: string;
  /** `page`: authorizes there; `setup`: keeps a card; `charge`: one charge on a kept card; `arranged`: recorded by staff. */
  kind: "page" | "setup" | "charge" | "arranged";
  state: "opening" | "open" | "saved" | "authorized" | "captured" | "failed" | "closed" | "mismatch" | "forgotten";
  /** Charge for which its page was opened; null for the order's first. */
  chargeId: string | null;
  /** Payment whose card a charge uses. */
  savedPaymentId: string | null;
  /** `manual`: arranged with staff, how and under which reference. */
  provider: string;
  arrangement: { how: string; reference: string } | null;
  amountCents: number;
  authorizedCents: number;
  capturedCents: number;
  refundedCents: number;
  hasCard: boolean;
  /** End of an authorization. */
  captureBefore: Date | null;
  refusedAt: Date | null;
  /** The customer's bank looks into it, or has decided. */
  dispute: (typeof DISPUTE_STATES)[number] | null;
  createdAt: Date;
};

/** An attempt to move the money of one charge or one refund; a retry is another row of the same. */
export type Attempt = {
  id: string;
  paymentId: string;
  kind: "capture" | "charge" | "void" | "refund";
  chargeId: string | null;
  refundId: string | null;
  cents: number;
  state: "asked" | "sent" | "done" | "failed";
  createdAt: Date;
};

/** A notice of a delay, and its answer. */
export type DelayNotice = {
  id: string;
  sentAt: Date;
  /** The day that it moves; null if that was unknown. */
  from: string | null;
  /** Null for an unknown day. */
  until: string | null;
  /** Day by whose end a yes is needed; null if silence keeps the order. */
  answerBy: string | null;
  acceptedAt: Date | null;
};

/** A unit in a return. */
export type ReturnedUnit = {
  returnId: string;
  unit: number;
  condition: string | null;
  isRestocked: boolean;
  /** Its return promises the shipping of the order back. */
  promisesShipping: boolean;
  receivedAt: Date | null;
  /** The shop sends the customer's own unit back: repaired, or as it came. */
  goesBackAt: Date | null;
  /** The return is over, and the unit may be in another one. */
  endedAt: Date | null;
};

/** Sales and their tax: of a product, or of the shipping if it is null. */
export type SalePart = { productId: string | null; amountCents: number; taxCents: number };

/** Two-letter state and five-digit ZIP code. */
export type TaxAddress = { state: string; postalCode: string };

/** Record at the tax provider: the sale of a paid charge, or the part of it that a refund takes back. */
export type TaxRecord = {
  chargeId: string;
  refundId: string | null;
  parts: readonly SalePart[];
  /** Address of the order when the charge was paid, also of what is taken back. */
  address: TaxAddress;
};

export type Facts = {
  order: OrderRow;
  lines: readonly Line[];
  units: readonly Unit[];
  parcels: readonly Parcel[];
  packed: readonly PackedUnit[];
  charges: readonly Charge[];
  chargeItems: readonly ChargeItem[];
  refunds: readonly Refund[];
  refundItems: readonly RefundItem[];
  waivers: readonly Waiver[];
  payments: readonly Payment[];
  attempts: readonly Attempt[];
  delays: readonly DelayNotice[];
  returned: readonly ReturnedUnit[];
  taxRecords: readonly TaxRecord[];
};

export type Rows = Omit<Facts, "order">;

/** Key of each row within its order. */
export const KEYS: { [Table in keyof Rows]: (row: Rows[Table][number]) => string } = {
  lines: ({ id }) => id,
  units: ({ number }) => String(number),
  parcels: ({ id }) => id,
  packed: ({ parcelId, unit }) => `${parcelId} ${unit}`,
  charges: ({ id }) => id,
  chargeItems: ({ chargeId, kind, unit }) => `${chargeId} ${kind} ${unit}`,
  refunds: ({ id }) => id,
  refundItems: ({ refundId, kind, unit }) => `${refundId} ${kind} ${unit}`,
  waivers: ({ id }) => id,
  payments: ({ id }) => id,
  attempts: ({ id }) => id,
  delays: ({ id }) => id,
  returned: ({ returnId, unit }) => `${returnId} ${unit}`,
  taxRecords: ({ chargeId, refundId }) => `${chargeId} ${refundId}`,
};
