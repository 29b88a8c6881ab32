/** Discounts as staff list, make and end them. */
import { eq, sql } from "drizzle-orm";
import { isUniqueViolation, type Database } from "#db/connection.server.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { midnight } from "#shop/new-york-time.sql.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import type { NewBundle, NewCode } from "./discount-form.ts";
import { discounts } from "./discount.tables.ts";
import { usesOf } from "./discounts.server.ts";

export type ListedDiscount = Awaited<ReturnType<typeof listDiscounts>>[number];

const MAX_LISTED = 500;

/** Returns the newest 500, with the orders that use each and what these came to, in cents. */
export const listDiscounts = (db: Database) =>
  db
    .select({
      id: discounts.id,
      code: discounts.code,
      name: discounts.name,
      kind: discounts.kind,
      value: discounts.value,
      minimumCents: discounts.minimumCents,
      productIds: discounts.productIds,
      bundle: discounts.bundle,
      startsAt: discounts.startsAt,
      endsAt: discounts.endsAt,
      maxUses: discounts.maxUses,
      isOncePerInbox: discounts.isOncePerInbox,
      state: sql<"ended" | "scheduled" | "active">`CASE WHEN ${discounts.endsAt} <= now() THEN 'ended'
        WHEN ${discounts.startsAt} > now() THEN 'scheduled' ELSE 'active' END`,
      uses: sql<number>`(SELECT count(*)::int ${usesOf(discounts.id)})`,
      salesCents: sql<number>`(SELECT coalesce(sum(total), 0)::float8 ${usesOf(discounts.id)})`,
    })
    .from(discounts)
    .orderBy(sql`${discounts.createdAt} DESC`, discounts.id)
    .limit(MAX_LISTED);

/** From the beginning of the first day to the end of the last one, in New York. */
const between = ({ startsOn, endsOn }: Pick<NewCode, "startsOn" | "endsOn">) => ({
  startsAt: startsOn === null ? null : midnight(sql`${startsOn}::date`),
  endsAt: endsOn === null ? null : midnight(sql`${daysAfter(endsOn, 1)}::date`),
});

/** Makes a code. Returns false if there is one of this name already, also one that has ended. */
export async function createCode(db: Database, by: Acting, made: NewCode): Promise<boolean> {
  const { code, kind, value, minimum, productIds, maxUses, once } = made;
  try {
    await db.transaction(async (tx) => {
      await tx.insert(discounts).values({
        code,
        name: code,
        kind,
        value,
        minimumCents: minimum ?? 0,
        productIds: productIds.length > 0 ? productIds : null,
        maxUses,
        isOncePerInbox: once === "on",
        ...between(made),
      });
      const after = { name: code, kind, value, maxUses, startsOn: made.startsOn, endsOn: made.endsOn };
      await writeAudit(tx, by, { action: "discount.create", after });
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error, "discounts_code_unique")) return false;
    throw error;
  }
}

/** Makes a bundle, which applies by itself to each cart that has its products. */
export const createBundle = (db: Database, by: Acting, made: NewBundle): Promise<void> =>
  db.transaction(async (tx) => {
    const { name, amount, first, firstUnits, second, secondUnits } = made;
    const bundle = [
      { productIds: first, units: firstUnits },
      { productIds: second, units: secondUnits },
    ];
    await tx.insert(discounts).values({ name, kind: "amount", value: amount, bundle, ...between(made) });
    const after = { name, cents: amount, startsOn: made.startsOn, endsOn: made.endsOn };
    await writeAudit(tx, by, { action: "discount.create", after });
  });

/** Ends a discount now. Orders that have it keep it. Returns false if it is over, or there is none. */
export const endDiscount = (db: Database, by: Acting, id: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isRunning = sql`coalesce(${discounts.endsAt} > now(), true)`;
    const [row] = await tx
      .update(discounts)
      .set({ endsAt: sql`now()` })
      .where(sql`${eq(discounts.id, id)} AND ${isRunning}`)
      .returning({ name: discounts.name });
    if (!row) return false;
    await writeAudit(tx, by, { action: "discount.end", after: { name: row.name } });
    return true;
  });
