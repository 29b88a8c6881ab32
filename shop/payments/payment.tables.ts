import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time, writtenAt } from "#db/columns.ts";
import { DISPUTE_STATES } from "#shop/orders/facts.ts";
import type { OrderActor } from "#shop/orders/lifecycle.ts";
import { charges, refunds } from "#shop/orders/money.tables.ts";
import { ofOrder } from "#shop/orders/order.tables.ts";
import type { PaymentMode } from "#shop/payment-mode.ts";
import type { PointsByKey } from "#shop/rate-limits/rate-limits.server.ts";
import type { Arrangement } from "./arrangement.ts";
import type { Dispute, PaymentMethod, ProviderName } from "./provider.ts";

/** `saved`: the page kept a card; `forgotten`: the card was deleted at the provider. */
const PAYMENT_STATES = [
  "opening",
  "open",
  "saved",
  "authorized",
  "captured",
  "failed",
  "closed",
  "mismatch",
  "forgotten",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];
/** `manual`: arranged with staff, who record it as captured. */
export type PaymentSource = ProviderName | "manual";

/** `page`: paid on the provider's page; `setup`: its page only keeps a card; `charge`: one parcel, on a saved card. */
const PAYMENT_KINDS = ["page", "setup", "charge"] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

const ACTION_KINDS = ["capture", "charge", "void", "refund"] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Payments as last read from the provider. Amounts are in cents. */
export const payments = pgTable(
  "payments",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: ofOrder(),
    kind: text().$type<PaymentKind>().notNull().default("page"),
    provider: text().$type<PaymentSource>().notNull(),
    /** Provider id of the payment page; null until it is open. */
    reference: text(),
    /** Provider id of the payment; null until the first attempt to pay. */
    intentReference: text(),
    state: text().$type<PaymentState>().notNull().default("opening"),
    amountCents: integer("amount").notNull(),
    authorizedCents: integer("authorized").notNull().default(0),
    capturedCents: integer("captured").notNull().default(0),
    refundedCents: integer("refunded").notNull().default(0),
    captureBefore: time(),
    /** Address of the page, until the shop or the provider closes it. */
    url: text(),
    expiresAt: time(),
    method: jsonb().$type<PaymentMethod>(),
    arrangement: jsonb().$type<Arrangement>(),
    /** Provider ids of a saved card and its customer, until it is forgotten. */
    savedCustomer: text(),
    savedMethod: text(),
    /** Payment whose card a charge uses. */
    savedPaymentId: uuid(),
    /** Charge for which its page was opened; null for the order's first. */
    chargeId: uuid().references(() => charges.id),
    /** First refusal of a charge of the saved card, and the reminder of it. */
    refusedAt: time(),
    remindedAt: time(),
    /** Code of the provider or the shop for a declined, failed or mismatched payment. */
    problem: text(),
    /** Nothing is refunded while it is open. */
    dispute: text().$type<Dispute["state"]>(),
    /** Deadline for answering one that is open. */
    disputedUntil: time(),
    /** Time of the last request to the provider; older snapshots are ignored. */
    readAt: time(),
    /** Points of rate_limits that paying refunds; the keys name nobody. */
    holdLimits: jsonb().$type<PointsByKey>(),
    warnedAt: time(),
    createdAt: writtenAt(),
  },
  (t) => [
    check("payments_dispute", sql`${t.dispute} IN ${oneOf(DISPUTE_STATES)}`),
    check("payments_kind", sql`${t.kind} IN ${oneOf(PAYMENT_KINDS)}`),
    check("payments_saved", sql`(${t.savedCustomer} IS NULL) = (${t.savedMethod} IS NULL)`),
    check("payments_state", sql`${t.state} IN ${oneOf(PAYMENT_STATES)}`),
    check(
      "payments_amounts",
      sql`0 <= ${t.refundedCents} AND ${t.refundedCents} <= ${t.capturedCents} AND ${t.capturedCents} <= ${t.amountCents}`,
    ),
    check("payments_arrangement", sql`(${t.provider} = 'manual') = (${t.arrangement} IS NOT NULL)`),
    unique("payments_reference").on(t.provider, t.reference),
    uniqueIndex("payments_one_open")
      .on(t.orderId, sql`coalesce(${t.chargeId}, ${t.orderId})`)
      .where(sql`${t.state} IN ('opening', 'open') AND ${t.kind} <> 'charge'`),
    index("payments_saved_card")
      .on(t.orderId)
      .where(sql`${t.savedCustomer} IS NOT NULL`),
    index("payments_order").on(t.orderId),
    index("payments_intent").on(t.intentReference),
    index("payments_arranged")
      .on(t.orderId)
      .where(sql`${t.provider} = 'manual'`),
    index("payments_capture_before")
      .on(t.captureBefore)
      .where(sql`${t.state} = 'authorized'`),
    index("payments_unsettled")
      .on(sql`coalesce(${t.readAt}, ${t.createdAt})`)
      .where(sql`${t.state} IN ('open', 'authorized')`),
  ],
);

/** Actions on money, written before the provider is called, so that a crash in between is found. */
export const paymentActions = pgTable(
  "payment_actions",
  {
    /** Idempotency key at the provider, together with `attempt`. */
    id: uuid().primaryKey().defaultRandom(),
    paymentId: uuid()
      .notNull()
      .references(() => payments.id, { onDelete: "cascade" }),
    kind: text().$type<ActionKind>().notNull(),
    amountCents: integer("amount").notNull(),
    /** `asked`: requested here; `sent`: the provider may or may not have done it; then `done` or `failed`. */
    state: text().$type<"asked" | "sent" | "done" | "failed">().notNull().default("asked"),
    attempt: integer().notNull().default(1),
    sentAt: time(),
    providerReference: text(),
    /** Charge or refund whose money it moves; a retry is another row of the same. */
    chargeId: uuid().references(() => charges.id),
    refundId: uuid().references(() => refunds.id),
    askedBy: text().$type<OrderActor>().notNull(),
    staffId: uuid(),
    problem: text(),
    createdAt: writtenAt(),
    doneAt: time(),
  },
  (t) => [
    check("payment_actions_kind", sql`${t.kind} IN ${oneOf(ACTION_KINDS)}`),
    check("payment_actions_state", sql`${t.state} IN ('asked', 'sent', 'done', 'failed')`),
    check("payment_actions_amount", sql`${t.amountCents} >= 0`),
    uniqueIndex("payment_actions_one_capture")
      .on(t.paymentId)
      .where(sql`${t.kind} = 'capture' AND ${t.state} <> 'failed'`),
    uniqueIndex("payment_actions_one_charge")
      .on(t.paymentId)
      .where(sql`${t.kind} = 'charge'`),
    uniqueIndex("payment_actions_one_void")
      .on(t.paymentId)
      .where(sql`${t.kind} = 'void' AND ${t.state} IN ('asked', 'sent')`),
    index("payment_actions_payment").on(t.paymentId),
    // A refund made in the provider's dashboard gets a row for each promise that it keeps.
    uniqueIndex("payment_actions_reference").on(t.providerReference, t.refundId),
    index("payment_actions_charge")
      .on(t.chargeId)
      .where(sql`${t.chargeId} IS NOT NULL`),
    index("payment_actions_refund")
      .on(t.refundId)
      .where(sql`${t.refundId} IS NOT NULL`),
    index("payment_actions_moved")
      .on(t.doneAt, t.id)
      .where(sql`${t.kind} <> 'void' AND ${t.state} = 'done'`),
    index("payment_actions_refused")
      .on(t.doneAt)
      .where(sql`${t.kind} = 'capture' AND ${t.state} = 'failed'`),
    index("payment_actions_underway")
      .on(t.createdAt)
      .where(sql`${t.state} IN ('asked', 'sent')`),
  ],
);

/** Provider events that have arrived. Their content is not stored, because payments are read afresh. */
export const paymentInbox = pgTable(
  "payment_inbox",
  {
    provider: text().notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    reference: text().notNull(),
    receivedAt: writtenAt(),
    handledAt: time(),
    /** Found by asking the provider, because its webhook has not come. */
    isMissed: boolean("missed").notNull().default(false),
    mode: text().$type<PaymentMode>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.eventId] }),
    index("payment_inbox_received").on(t.receivedAt),
    index("payment_inbox_webhooks")
      .on(t.receivedAt)
      .where(sql`NOT ${t.isMissed}`),
    index("payment_inbox_unhandled")
      .on(t.receivedAt)
      .where(sql`${t.handledAt} IS NULL`),
  ],
);
