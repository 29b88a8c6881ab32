import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOf } from "#db/one-of.sql.ts";
import { time, writtenAt } from "#db/columns.ts";
import { staff } from "#shop/staff/staff.tables.ts";
import { REQUEST_CHANNELS, REQUEST_KINDS, REQUEST_LAWS, REQUEST_PROOFS, REQUEST_STATES } from "./request.ts";

/** Privacy requests with their legal deadlines, and notices by which customers opted out of arbitration, in time. */
export const privacyRequests = pgTable(
  "privacy_requests",
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: REQUEST_KINDS }).notNull(),
    law: text({ enum: REQUEST_LAWS }).notNull(),
    channel: text({ enum: REQUEST_CHANNELS }).notNull(),
    /** Null after erasure or at the end of retention. */
    email: text(),
    /** A keyed hash, with which a past erasure can be confirmed to its owner. */
    emailHash: text().notNull(),
    /** Proof of identity. */
    proof: text({ enum: REQUEST_PROOFS }),
    state: text({ enum: REQUEST_STATES }).notNull().default("open"),
    receivedAt: time().notNull(),
    dueAt: time().notNull(),
    extendedAt: time(),
    extensionReason: text(),
    /** The words of the email that closed it. */
    answer: text(),
    closedAt: time(),
    /** Last member who changed it. */
    staffId: uuid().references(() => staff.userId, { onDelete: "set null" }),
    registeredBy: uuid().references(() => staff.userId, { onDelete: "set null" }),
    note: text(),
    createdAt: writtenAt(),
  },
  (t) => [
    check("privacy_requests_kind", sql`${t.kind} IN ${oneOf(REQUEST_KINDS)}`),
    check("privacy_requests_law", sql`${t.law} IN ${oneOf(REQUEST_LAWS)}`),
    check("privacy_requests_channel", sql`${t.channel} IN ${oneOf(REQUEST_CHANNELS)}`),
    check("privacy_requests_proof", sql`${t.proof} IN ${oneOf(REQUEST_PROOFS)}`),
    check("privacy_requests_state", sql`${t.state} IN ${oneOf(REQUEST_STATES)}`),
    check("privacy_requests_closed", sql`(${t.state} = 'open') = (${t.closedAt} IS NULL)`),
    index("privacy_requests_due")
      .on(t.dueAt, t.id)
      .where(sql`${t.state} = 'open'`),
    index("privacy_requests_closed_at").on(t.closedAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    check(
      "privacy_requests_opt_out",
      sql`${t.kind} <> 'arbitration-opt-out' OR (${t.state} = 'done' AND num_nonnulls(${t.email}, ${t.note}) = 2)`,
    ),
    uniqueIndex("privacy_requests_once")
      .on(sql`lower(${t.email})`, t.kind)
      .where(sql`${t.state} = 'open' OR ${t.kind} = 'arbitration-opt-out'`),
    index("privacy_requests_email").on(sql`lower(${t.email})`),
  ],
);
