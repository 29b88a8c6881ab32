/** Order export for other programs, read in batches to fit into memory. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { decimalMoney } from "#shop/money.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { listOrderPage, type OrderFilter } from "./order-list.server.ts";

const PART = 500;

type Person = {
  id: string;
  email: string;
  phone: string;
  state: string;
  postal_code: string;
  shipping: number;
  captured: number;
  refunded: number;
};

/** Yields filtered orders by column name: amounts in dollars, times in UTC. The export is audited first. */
export async function* exportOrders(
  db: Database,
  filter: OrderFilter,
  by: Acting,
): AsyncGenerator<Record<string, string | number>> {
  const { search, ...named } = filter;
  const asked = Object.entries(named).filter(([name, value]) => value !== undefined && name !== "searchesEmails");
  await writeAudit(db, by, {
    action: "order.export",
    after: { ...Object.fromEntries(asked), ...(search && { search: "masked" }) } as Record<string, string>,
  });
  let after: string | null = null;
  do {
    const page = await listOrderPage(db, filter, after, PART);
    const people = await peopleOf(
      db,
      page.orders.map(({ id }) => id),
    );
    for (const order of page.orders) {
      const person = people.get(order.id);
      yield {
        number: orderNumber(order.id),
        id: order.id,
        placed_at: order.createdAt.toISOString(),
        status: order.status,
        payment: order.paymentStatus,
        first_name: order.firstName,
        last_name: order.lastName,
        email: person?.email ?? "",
        phone: person?.phone ?? "",
        city: order.city,
        state: person?.state ?? "",
        postal_code: person?.postal_code ?? "",
        units: order.units,
        items: order.what,
        shipping: decimalMoney(person?.shipping ?? 0),
        total: decimalMoney(order.totalCents),
        charged: decimalMoney(person?.captured ?? 0),
        refunded: decimalMoney(person?.refunded ?? 0),
      };
    }
    after = page.next;
  } while (after);
}

async function peopleOf(db: Database, ids: string[]): Promise<Map<string, Person>> {
  const { rows } = await db.execute<Person>(sql`
    SELECT orders.id, email, phone, shipping_state AS state, shipping_postal_code AS postal_code, shipping,
      coalesce(sum(captured), 0)::int AS captured, coalesce(sum(refunded), 0)::int AS refunded
    FROM orders LEFT JOIN payments ON payments.order_id = orders.id
    WHERE orders.id = ANY (${`{${ids.join(",")}}`}::uuid[]) GROUP BY orders.id`);
  return new Map(rows.map((row) => [row.id, row]));
}
