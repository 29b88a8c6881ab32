/** Order export for other programs, read in batches to fit into memory. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { decimalMoney } from "#shop/money.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { listOrderPage, type OrderFilter } from "./order-list.server.ts";
import { CARRIERS, type CarrierCode } from "./shipment.ts";

const PART = 500;

const AMOUNTS = ["subtotal", "shipping", "tax", "total", "charged", "refunded"] as const;
type Text = "id" | "email" | "phone" | "address_1" | "state" | "postal_code" | "country" | "promised_on" | "skus";

type Details = Record<Text, string> &
  Record<(typeof AMOUNTS)[number], number> & {
    address_2: string | null;
    method: ShippingMethod;
    carriers: CarrierCode[];
    tracking_numbers: string[];
  };

/**
 * Yields filtered orders by column name: amounts in dollars as ordered, times in UTC, phones as digits. One row an order,
 * because label programs make one label a row and sums add up. Lists in a cell are separated by commas; a SKU is the
 * product's slug. The export is audited first.
 */
export async function* exportOrders(
  db: Database,
  filter: OrderFilter,
  by: Acting,
): AsyncGenerator<Record<string, string | number>> {
  const { search, ...named } = filter;
  const asked = Object.entries(named).filter(([name, value]) => value !== undefined && name !== "searchesContacts");
  await writeAudit(db, by, {
    action: "order.export",
    after: { ...Object.fromEntries(asked), ...(search && { search: "masked" }) } as Record<string, string>,
  });
  let after: string | null = null;
  do {
    const page = await listOrderPage(db, filter, after, PART);
    const details = await detailsOf(
      db,
      page.orders.map(({ id }) => id),
    );
    for (const order of page.orders) {
      const more = details.get(order.id);
      if (!more) continue;
      yield {
        number: orderNumber(order.id),
        id: order.id,
        placed_at: order.createdAt.toISOString(),
        status: order.status,
        payment: order.paymentStatus,
        first_name: order.firstName,
        last_name: order.lastName,
        email: more.email,
        phone: more.phone.replaceAll(/\D/g, ""),
        full_name: `${order.firstName} ${order.lastName}`.trim(),
        address_1: more.address_1,
        address_2: more.address_2 ?? "",
        city: order.city,
        state: more.state,
        postal_code: more.postal_code,
        country: more.country,
        shipping_method: settingsAt(order.createdAt).shipping[more.method].name,
        promised_on: more.promised_on,
        units: order.units,
        items: order.what,
        skus: more.skus,
        carriers: more.carriers.map((code) => CARRIERS[code].name).join(", "),
        tracking_numbers: more.tracking_numbers.filter(Boolean).join(", "),
        ...Object.fromEntries(AMOUNTS.map((name) => [name, decimalMoney(more[name])])),
      };
    }
    after = page.next;
  } while (after);
}

async function detailsOf(db: Database, ids: string[]): Promise<Map<string, Details>> {
  const { rows } = await db.execute<Details>(sql`
    SELECT orders.id, email, phone, shipping_address_line1 AS address_1, shipping_address_line2 AS address_2,
      shipping_state AS state, shipping_postal_code AS postal_code, shipping_country AS country,
      shipping_method AS method, promised_on::text, subtotal, shipping, tax, total, kept.skus, sent.*, paid.*
    FROM orders
      CROSS JOIN LATERAL (
        SELECT coalesce(string_agg(quantity - canceled_quantity || ' × ' || coalesce(slug, order_items.name), ', '
          ORDER BY order_items.name), '') AS skus
        FROM order_items LEFT JOIN products ON products.id = product_id
        WHERE order_id = orders.id AND quantity > canceled_quantity
      ) AS kept
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(carrier ORDER BY shipped_at, created_at), '{}') AS carriers,
          coalesce(array_agg(tracking_number ORDER BY shipped_at, created_at), '{}') AS tracking_numbers
        FROM shipments WHERE order_id = orders.id AND shipped_at IS NOT NULL
      ) AS sent
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(captured), 0)::int AS charged, coalesce(sum(refunded), 0)::int AS refunded
        FROM payments WHERE order_id = orders.id
      ) AS paid
    WHERE orders.id = ANY (${`{${ids.join(",")}}`}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
