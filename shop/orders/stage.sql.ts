/** Conditions on the summary of orders, for lists and jobs. */
import { sql, type SQL } from "drizzle-orm";
import { setOf } from "#db/one-of.sql.ts";
import { IN_QUESTION, type Attention } from "./lifecycle.ts";

export const isPartlyShipped = sql`stage = 'partly-shipped'`;

/** Something is left to ship. The partial indexes of orders have the same condition. */
export const isUnsent = sql`stage IN ('to-ship', 'partly-shipped')`;

/** Staff placed it for a link: it is held for days, and came from no cart. As isByLink. */
export const isHeldForLink = sql`(orders.hold_until > orders.created_at + interval '1 day')`;

export const isUnpaid = sql`stage = 'unpaid'`;

/** Paid or to be paid by arrangement, and not ended before anything shipped. */
export const isConfirmed = sql`stage IN ('to-ship', 'partly-shipped', 'shipped', 'delivered')`;

/** It was paid, a card was saved, or it was placed without a provider, whatever became of it. */
export const wasConfirmed = sql`stage NOT IN ('unpaid', 'expired')`;

/** Nothing more of it ships. */
export const isOver = sql`stage NOT IN ('unpaid', 'to-ship', 'partly-shipped')`;

/** Condition on orders: they have at least one of these facts. The partial index has its first part. */
export const needs = (words: readonly Attention[]): SQL =>
  sql`(orders.attention <> '{}' AND orders.attention && ${setOf(words)})`;

/** Condition on payments and their orders: the saved card refused a charge, and nothing replaces it. */
export const isRefused = sql`(${needs(["card-refused"])} AND NOT ${needs(IN_QUESTION)}
  AND payments.saved_customer IS NOT NULL AND refused_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM payments AS newer WHERE newer.order_id = orders.id
    AND newer.saved_customer IS NOT NULL AND newer.created_at > payments.created_at))`;
