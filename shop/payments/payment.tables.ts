import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "../../db/one-of.sql.ts";
import type { OrderActor } from "../orders/lifecycle.ts";
import { orders } from "../orders/order.tables.ts";
import type { PaymentMethod } from "./provider.ts";
import { PAYMENT_STATES, type PaymentState } from "./payment.ts";

const time = () => timestamp({ withTimezone: true });
/** What the provider was last seen to hold for an order. Amounts are in cents. */
export const payments = pgTable(
  "payments",
  {
    id: uuid().primaryKey().defaultRandom(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    provider: text().$type<"stripe">().notNull(),
    /** The provider's name of the page where it is paid; null until that is open. */
    reference: text(),
    /** The provider's name of the payment itself, once somebody has tried to pay. */
    intentReference: text(),
    state: text().$type<PaymentState>().notNull().default("opening"),
    amountCents: integer("amount").notNull(),
    authorizedCents: integer("authorized").notNull().default(0),
    capturedCents: integer("captured").notNull().default(0),
    refundedCents: integer("refunded").notNull().default(0),
    /** Until when what is authorized can be captured. */
    captureBefore: time(),
    /** Where it is paid, while it is open. */
    url: text(),
    expiresAt: time(),
    method: jsonb().$type<PaymentMethod>(),
    /** Why it was declined, failed or does not match: a code of the provider, or of ours. */
    problem: text(),
    /** Until when a dispute must be answered. While there is one nothing is refunded. */
    disputedUntil: time(),
    /** When the provider was asked; what was read before is not applied any more. */
    readAt: time(),
    /** What it counts against while it is unpaid: a key of rate_limits, which says nothing of whose it is. */
    holdKey: text(),
    /** When the staff were told that it must be captured soon. */
    warnedAt: time(),
    createdAt: time().notNull().defaultNow(),
  },
  (t) => [
    check("payments_state", sql`${t.state} IN ${oneOf(PAYMENT_STATES)}`),
    check(
      "payments_amounts",
      sql`0 <= ${t.refundedCents} AND ${t.refundedCents} <= ${t.capturedCents} AND ${t.capturedCents} <= ${t.amountCents}`,
    ),
    unique("payments_reference").on(t.provider, t.reference),
    uniqueIndex("payments_one_open")
      .on(t.orderId)
      .where(sql`${t.state} IN ('opening', 'open')`),
    index("payments_order").on(t.orderId),
    index("payments_intent").on(t.intentReference),
    // Those that can be charged for the shortest time, first.
    index("payments_capture_before")
      .on(t.captureBefore)
      .where(sql`${t.state} = 'authorized'`),
    // Those that may change without anybody being told, the one first that was looked at longest ago.
    index("payments_unsettled")
      .on(sql`coalesce(${t.readAt}, ${t.createdAt})`)
      .where(sql`${t.state} IN ('open', 'authorized')`),
  ],
);

/** What the provider was asked to do with money: written before it is asked, so that a crash in between is found. */
export const paymentActions = pgTable(
  "payment_actions",
  {
    /** With `attempt` it is the provider's idempotency key. */
    id: uuid().primaryKey().defaultRandom(),
    paymentId: uuid()
      .notNull()
      .references(() => payments.id, { onDelete: "cascade" }),
    kind: text().$type<"capture" | "void" | "refund">().notNull(),
    amountCents: integer("amount").notNull(),
    /** `asked` here, `sent` to the provider, who may or may not have done it, then `done` or `failed`. */
    state: text().$type<"asked" | "sent" | "done" | "failed">().notNull().default("asked"),
    attempt: integer().notNull().default(1),
    sentAt: time(),
    providerReference: text(),
    reason: text(),
    askedBy: text().$type<OrderActor>().notNull(),
    /** Who of the staff it was. */
    staffId: uuid(),
    problem: text(),
    createdAt: time().notNull().defaultNow(),
    doneAt: time(),
  },
  (t) => [
    check("payment_actions_kind", sql`${t.kind} IN ('capture', 'void', 'refund')`),
    check("payment_actions_state", sql`${t.state} IN ('asked', 'sent', 'done', 'failed')`),
    check("payment_actions_amount", sql`${t.amountCents} >= 0`),
    uniqueIndex("payment_actions_one_capture")
      .on(t.paymentId)
      .where(sql`${t.kind} = 'capture' AND ${t.state} <> 'failed'`),
    uniqueIndex("payment_actions_one_void")
      .on(t.paymentId)
      .where(sql`${t.kind} = 'void' AND ${t.state} <> 'failed'`),
    index("payment_actions_payment").on(t.paymentId),
    // A refund that was made at the provider's own desk gets one row.
    uniqueIndex("payment_actions_reference").on(t.providerReference),
    // Refunds by day, for the numbers.
    index("payment_actions_refunded")
      .on(t.doneAt)
      .where(sql`${t.kind} = 'refund' AND ${t.state} = 'done'`),
    index("payment_actions_underway")
      .on(t.createdAt)
      .where(sql`${t.state} IN ('asked', 'sent')`),
  ],
);

/** Which events of the provider have come in: not what they say, which is asked for afresh. */
export const paymentInbox = pgTable(
  "payment_inbox",
  {
    provider: text().notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    reference: text().notNull(),
    receivedAt: time().notNull().defaultNow(),
    handledAt: time(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.eventId] }),
    index("payment_inbox_unhandled")
      .on(t.receivedAt)
      .where(sql`${t.handledAt} IS NULL`),
  ],
);
