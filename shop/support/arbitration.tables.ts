import { sql } from "drizzle-orm";
import { date, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { writtenAt } from "#db/columns.ts";
import { staff } from "#shop/staff/staff.tables.ts";

/** Notices by which customers opted out of arbitration, in time. */
export const arbitrationOptOuts = pgTable(
  "arbitration_opt_outs",
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull(),
    name: text().notNull(),
    address: text().notNull(),
    /** The day in New York. */
    receivedOn: date().notNull(),
    staffId: uuid().references(() => staff.userId, { onDelete: "set null" }),
    createdAt: writtenAt(),
  },
  (t) => [
    uniqueIndex("arbitration_opt_outs_email").on(sql`lower(${t.email})`),
    index("arbitration_opt_outs_newest").on(t.createdAt.desc()),
  ],
);
