/** Opting out of arbitration, for which the terms give a number of days from the first purchase. */
import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { users } from "#shop/accounts/account.tables.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { brand } from "#shop/brand.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";
import { enqueueEmail, type MailPermit } from "#shop/mail/enqueue-email.server.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import { maskEmail } from "#shop/orders/order.ts";
import { policy } from "#shop/policies.ts";
import { dayText } from "#shop/policy-text.ts";
import type { OptOut } from "./arbitration.ts";
import { arbitrationOptOuts } from "./arbitration.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "arbitration-opt-out": { optOutId: string };
  }
}

type OptOutResult = { ok: true } | { ok: false; reason: "known" } | { ok: false; reason: "late"; until: string };

/** Last day (YYYY-MM-DD, New York) on which a notice of this email is in time; null before a first purchase. */
async function lastDay(db: Pick<Database, "execute">, email: string): Promise<string | null> {
  const { rows } = await db.execute<{ first: string | null }>(sql`
    SELECT to_char(min(o.created_at) AT TIME ZONE 'America/New_York', 'YYYY-MM-DD') AS first FROM orders o
    WHERE o.stage NOT IN ('unpaid', 'expired') AND (
      (o.user_id IS NULL AND lower(o.email) = lower(${email}::text))
      OR o.user_id = (SELECT id FROM users u WHERE u.email = lower(${email}::text)))`);
  const first = rows[0]?.first;
  return first ? daysAfter(first, policy.arbitrationOptOutDays) : null;
}

/** Records a notice and confirms it by email. Refused: 'known', 'late'. */
export const recordOptOut = (db: Database, by: Acting, optOut: OptOut, permit: MailPermit): Promise<OptOutResult> =>
  db.transaction(async (tx): Promise<OptOutResult> => {
    const until = await lastDay(tx, optOut.email);
    if (until && optOut.receivedOn > until) return { ok: false, reason: "late", until };
    const [made] = await tx
      .insert(arbitrationOptOuts)
      .values({ ...optOut, staffId: by.staffId })
      .onConflictDoNothing()
      .returning({ id: arbitrationOptOuts.id });
    if (!made) return { ok: false, reason: "known" };
    await enqueueEmail(tx, { template: "arbitration-opt-out", optOutId: made.id }, permit);
    const after = { email: maskEmail(optOut.email), receivedOn: optOut.receivedOn };
    await writeAudit(tx, by, { action: "arbitration.opt-out", subject: `arbitration:${made.id}`, after });
    return { ok: true };
  });

const SHOWN = 100;

/** The newest notices, or that of one email. */
export const listOptOuts = (db: Database, email?: string) =>
  db
    .select({
      id: arbitrationOptOuts.id,
      email: arbitrationOptOuts.email,
      name: arbitrationOptOuts.name,
      receivedOn: arbitrationOptOuts.receivedOn,
      by: users.name,
    })
    .from(arbitrationOptOuts)
    .leftJoin(users, eq(users.id, arbitrationOptOuts.staffId))
    .where(email === undefined ? undefined : eq(sql`lower(${arbitrationOptOuts.email})`, email.toLowerCase()))
    .orderBy(desc(arbitrationOptOuts.createdAt))
    .limit(SHOWN);

export const arbitrationEmails = {
  "arbitration-opt-out": linkTemplate({
    async load(db, { optOutId }: { optOutId: string }) {
      const { email: to, receivedOn } = arbitrationOptOuts;
      const [found] = await db
        .select({ to, receivedOn })
        .from(arbitrationOptOuts)
        .where(eq(arbitrationOptOuts.id, optOutId));
      return found ?? null;
    },
    words: ({ receivedOn }: { to: string; receivedOn: string }, shop) => ({
      subject: "You opted out of arbitration",
      intro: `We received your notice on ${dayText(receivedOn)}. Disputes between you and ${brand.name} are not arbitrated. Nothing else changes, and it costs you nothing.`,
      button: "The terms",
      link: `${shop.baseUrl}/terms#arbitration`,
      close: "Keep this email. If you didn’t opt out, please reply to it.",
    }),
    samples: { "of a notice": { to: "ada@example.com", receivedOn: "2026-03-03" } },
  }),
};
