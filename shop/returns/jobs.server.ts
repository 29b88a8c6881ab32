/** Jobs of returns: reminders, the end of an authorization, and the end of a return. */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { DecidedBy } from "#shop/orders/change.ts";
import { today } from "#shop/new-york-time.sql.ts";
import { returnPolicy } from "#shop/policies.ts";
import type { Report } from "#shop/report.ts";
import { endAstray, expire, remind } from "./actions/request.ts";
import { close, endUnpaid, isSettled, remindToPay } from "./actions/resolve.ts";
import { UNCHANGED, type ReturnCase, type ReturnDecision } from "./facts.ts";
import { withReturn } from "./run.server.ts";

const MAX_DUE = 200;
const { shipBackDays, reminderAfterDays, expiresAfterDays } = returnPolicy;

type Chore = {
  name: string;
  /** Condition on `returns` of those that may be due; the decision asks again under the lock. */
  isDue: SQL;
  decide(given: ReturnCase, act: DecidedBy): ReturnDecision;
};

const CHORES: Chore[] = [
  {
    name: "ended with its lost package",
    isDue: sql`state IN ('requested', 'authorized') AND EXISTS (
      SELECT FROM return_units JOIN shipment_units USING (order_id, unit) JOIN shipments ON shipments.id = shipment_id
      WHERE return_id = returns.id AND ended_at IS NULL AND shipments.state IN ('refused', 'lost'))`,
    decide: (given, act) => endAstray(given, {}, act),
  },
  {
    name: "expired",
    isDue: sql`state = 'authorized' AND ship_by + ${expiresAfterDays}::int < ${today}`,
    decide: (given, act) => expire(given, {}, act),
  },
  {
    name: "reminded",
    isDue: sql`state = 'authorized' AND reminded_at IS NULL AND ship_by - ${shipBackDays - reminderAfterDays}::int <= ${today}`,
    decide: (given, act) => remind(given, {}, act),
  },
  {
    name: "reminded of what to pay",
    isDue: sql`state = 'resolved'`,
    decide: (given, act) => remindToPay(given, {}, act),
  },
  {
    name: "refunded instead of paid",
    isDue: sql`state = 'resolved' AND kind = 'exchange'`,
    decide: (given, act) => endUnpaid(given, {}, act),
  },
  {
    name: "closed",
    isDue: sql`state = 'resolved'`,
    decide: (given, act) => (isSettled(given) ? close(given, {}, act) : UNCHANGED),
  },
];

/**
 * Ends returns of what never reached its buyer, reminds customers on the fifth day after an authorization, ends those that
 * were not sent in time, refunds exchanges that were not paid in time, and closes returns whose money and parcel have left. Repeated and concurrent runs do each once; one that fails is reported and tried again by the
 * next.
 */
export async function carryOutReturns(db: Database, report: Report): Promise<void> {
  for (const { name, isDue, decide } of CHORES) {
    const { rows } = await db.execute<{ id: string }>(
      sql`SELECT id FROM returns WHERE ${isDue} ORDER BY random() LIMIT ${MAX_DUE}`,
    );
    for (const { id } of rows) {
      await withReturn(db, id, decide, null).catch((error: unknown) =>
        report(error, `a return was not ${name}`, { id }),
      );
    }
  }
}
