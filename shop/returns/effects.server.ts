/** Effects of the outcomes of a return, as they would be decided now. */
import type { Database } from "#db/connection.server.ts";
import { byHandCents, movingCents } from "#shop/orders/actions/refund-money.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import { resolve } from "./actions/resolve.ts";
import { outcomesOf, type Outcome } from "./lifecycle.ts";
import { readCase } from "./read-case.server.ts";
import { deciderOf } from "./run.server.ts";

export type Effect = { outcome: Outcome } & (
  | {
      ok: true;
      /** Refunded; what the customer paid to staff, they send themselves. */
      backCents: number;
      byHandCents: number;
      /** Paid by the customer before anything is sent. */
      dueCents: number;
      /** Asked of the customer, and waived. */
      waivedCents: number;
    }
  | { ok: false; reason: string }
);

/** The choice of a part changes nothing about its effect. */
const ANY_PART = { productId: "", name: "", warrantyYears: null };

/** Effects of outcomesOf. Empty if there is no such return. */
export async function effectsOf(db: Database, returnId: string): Promise<Effect[]> {
  const given = await readCase(db, returnId);
  if (!given) return [];
  return outcomesOf(given.row.kind, given.row.state).map((outcome) => {
    const decided = resolve(given, { outcome, part: ANY_PART }, deciderOf(null));
    if (!decided.ok) return { outcome, ok: false, reason: decided.reason };
    const asked = (decided.change.events ?? []).find(({ type }) => type === "charge-asked");
    const dueCents = Number(asked?.data?.cents ?? 0);
    const waivedCents = centsOf(decided.change.waivers ?? []);
    const back = { backCents: movingCents(decided.change), byHandCents: byHandCents(decided.change) };
    return { outcome, ok: true, ...back, dueCents, waivedCents };
  });
}
