/** Lists, newest first, a page at a time. */
import type Stripe from "stripe";
import type { Pool } from "pg";
import { shown, type ShownEvent } from "../events.ts";
import { objectsOf, type Payment, type SandboxObject } from "../payment.ts";
import { invalidRequest, missing } from "../refusal.ts";

type Range = { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined };

export type Page = {
  created?: Range | undefined;
  ending_before?: string | undefined;
  limit: number;
  starting_after?: string | undefined;
};

type Filter = { kind: SandboxObject["object"]; parent?: string | undefined; status?: string | undefined };

/** Both ends of the range, exclusive ones a second further in: times are whole seconds. */
const bounds = ({ gt, gte, lt, lte }: Range = {}) => [
  Math.max(gte ?? 0, gt === undefined ? 0 : gt + 1),
  Math.min(lte ?? 10_000_000_000, lt === undefined ? 10_000_000_000 : lt - 1),
];

/** Read one further than asked for, so that it shows whether there is more. */
function paged<Item>(rows: Item[], { limit, ending_before: before }: Page, url: string): Stripe.ApiList<Item> {
  const page = rows.slice(0, limit);
  return { object: "list", data: before === undefined ? page : page.toReversed(), has_more: rows.length > limit, url };
}

function checkPage({ starting_after: after, ending_before: before }: Page): void {
  if (after === undefined || before === undefined) return;
  throw invalidRequest("You cannot parameterize ending_before and starting_after at the same time.");
}

/** Where a page begins: the number of the object that it follows or comes before, of this kind. */
async function numberOf(pool: Pool, table: "events" | "objects", id: string | undefined, param: string) {
  if (id === undefined) return null;
  const query =
    table === "events"
      ? "SELECT number FROM payment_sandbox.events WHERE id = $1"
      : "SELECT number FROM payment_sandbox.objects WHERE id = $1";
  const { rows } = await pool.query<{ number: string }>(query, [id]);
  if (!rows[0]) throw missing("object", id, param);
  return rows[0].number;
}

export async function listObjects(pool: Pool, { kind, parent, status }: Filter, page: Page, url: string) {
  checkPage(page);
  const [from, to] = bounds(page.created);
  const after = await numberOf(pool, "objects", page.starting_after, "starting_after");
  const before = await numberOf(pool, "objects", page.ending_before, "ending_before");
  await numberOf(pool, "objects", parent, parent?.startsWith("ch_") ? "charge" : "payment_intent");
  const { rows } = await pool.query<{ id: string; state: Payment }>(
    `SELECT id, state FROM (
       SELECT o.id, o.number, p.state
         FROM payment_sandbox.objects o JOIN payment_sandbox.payments p ON p.id = o.payment_id
        WHERE o.kind = $1 AND o.created BETWEEN to_timestamp($2) AND to_timestamp($3)
          AND ($4::text IS NULL OR $4 = ANY (o.parents) OR p.state->'session'->>'payment_intent' = $4 AND o.kind = 'checkout.session')
          AND ($5::text IS NULL OR p.state->'session'->>'status' = $5)
          AND ($6::bigint IS NULL OR o.number < $6) AND ($7::bigint IS NULL OR o.number > $7)
        ORDER BY CASE WHEN $7::bigint IS NULL THEN -o.number ELSE o.number END
        LIMIT $8
     ) AS page`,
    [kind, from, to, parent ?? null, status ?? null, after, before, page.limit + 1],
  );
  const objects = rows.map(({ id, state }) => objectsOf(state).find((object) => object.id === id));
  return paged(
    objects.filter((object) => object !== undefined),
    page,
    url,
  );
}

/** Stripe shows the events of thirty days. */
export async function listEvents(pool: Pool, types: string[] | null, page: Page): Promise<Stripe.ApiList<ShownEvent>> {
  checkPage(page);
  const [from, to] = bounds(page.created);
  const after = await numberOf(pool, "events", page.starting_after, "starting_after");
  const before = await numberOf(pool, "events", page.ending_before, "ending_before");
  const { rows } = await pool.query<Parameters<typeof shown>[0]>(
    `SELECT body, (SELECT count(*)::int FROM payment_sandbox.deliveries WHERE event_id = id) AS pending
       FROM payment_sandbox.events
      WHERE created BETWEEN to_timestamp($1) AND to_timestamp($2)
        AND created > payment_sandbox.clock() - interval '30 days'
        AND ($3::text[] IS NULL OR type = ANY ($3))
        AND ($4::bigint IS NULL OR number < $4) AND ($5::bigint IS NULL OR number > $5)
      ORDER BY CASE WHEN $5::bigint IS NULL THEN -number ELSE number END
      LIMIT $6`,
    [from, to, types, after, before, page.limit + 1],
  );
  return paged(rows.map(shown), page, "/v1/events");
}
