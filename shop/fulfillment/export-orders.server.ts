/** Orders and their lines for other programs, read in batches to fit into memory. Amounts are in dollars. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { dollarCell, orderCell, phoneCell, type Cells } from "#shop/csv-cell.ts";
import { givenBack, soldCents } from "#shop/orders/charged.sql.ts";
import { amountsCharged, unitsKept } from "#shop/orders/order.ts";
import { keptColumns } from "#shop/orders/units.sql.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import type { ShippingMethod } from "#shop/shipping/methods.ts";
import { writeAudit, type Acting } from "#shop/audit/audit.server.ts";
import { listOrderPage, type ListedOrder, type OrderFilter } from "./order-list.server.ts";
import { CARRIERS, type CarrierCode } from "./shipment.ts";

const PART = 500;

/** Words of an order's codes on screens. */
export type OrderWords = (order: ListedOrder) => { status: string; payment: string };

/** Audit row of an export: the filters that were used, without the words of a search. */
export const auditExport = (
  db: Database,
  by: Acting,
  file: string,
  { search, ...named }: OrderFilter,
): Promise<void> => {
  const asked = Object.entries(named).filter(([name, value]) => value !== undefined && name !== "searchesContacts");
  const after = { file, ...Object.fromEntries(asked), ...(search && { search: "masked" }) } as Record<string, string>;
  return writeAudit(db, by, { action: "order.export", after });
};

async function* ordersOf(db: Database, filter: OrderFilter) {
  let after: string | null = null;
  do {
    const page = await listOrderPage(db, filter, after, PART);
    const details = await detailsOf(
      db,
      page.orders.map(({ id }) => id),
    );
    for (const order of page.orders) {
      const more = details.get(order.id);
      if (more) yield { order, more };
    }
    after = page.next;
  } while (after);
}

const ENDED: ListedOrder["status"][] = ["unpaid", "canceled", "declined", "expired"];

/** Units, price and tax that an order still charges: none of one that has ended or is not placed yet. */
const linesKept = ({ status }: ListedOrder, { lines }: Details): Line[] =>
  ENDED.includes(status)
    ? lines.map((line) => ({ ...line, canceledQuantity: line.quantity, taxKeptCents: 0, discountKeptCents: 0 }))
    : lines;

/**
 * Yields the orders of a filter by column name, one row each. Subtotal, shipping, tax and total are what is left after
 * cancellations; 'Sales' is that of Analytics. A SKU is the product's slug. The export is audited first.
 */
export async function* exportOrders(
  db: Database,
  filter: OrderFilter,
  wordsOf: OrderWords,
  by: Acting,
): AsyncGenerator<Cells> {
  await auditExport(db, by, "orders", filter);
  for await (const { order, more } of ordersOf(db, filter)) {
    const words = wordsOf(order);
    const left = amountsCharged(more, linesKept(order, more));
    const kept = more.lines.map((line) => ({ ...line, units: unitsKept(line) })).filter(({ units }) => units > 0);
    yield {
      Order: orderCell(order.id),
      Placed: order.createdAt,
      Status: words.status,
      Payment: words.payment,
      "First name": order.firstName,
      "Last name": order.lastName,
      Email: more.email,
      Phone: phoneCell(more.phone),
      Address: more.address1,
      Apartment: more.address2,
      City: order.city,
      State: more.state,
      "ZIP code": more.postalCode,
      Country: more.country,
      "Gift message": more.giftMessage,
      Shipping: settingsAt(order.createdAt).shipping[more.method].name,
      "Ship by": order.shipBy,
      Units: kept.reduce((sum, { units }) => sum + units, 0),
      Items: kept.map(({ name, units }) => `${units} × ${name}`).join(", "),
      SKUs: kept.map(({ sku, units }) => `${units} × ${sku}`).join(", "),
      Carriers: more.carriers.map((code) => CARRIERS[code].name).join(", "),
      "Tracking numbers": more.trackingNumbers.filter(Boolean).join(", "),
      Subtotal: dollarCell(left.subtotalCents),
      Discount: dollarCell(left.discountCents),
      "Discount code": more.discountName,
      "Shipping paid": dollarCell(left.shippingCents),
      Tax: dollarCell(left.taxCents),
      Total: dollarCell(left.totalCents),
      Sales: dollarCell(Number(more.soldCents)),
      Charged: dollarCell(more.capturedCents),
      Refunded: dollarCell(more.refundedCents),
      ID: order.id,
    };
  }
}

/** Yields the lines of the orders of a filter, one row each. Their amounts and tax, with an order's shipping and its tax, are its total. */
export async function* exportLines(
  db: Database,
  filter: OrderFilter,
  wordsOf: OrderWords,
  by: Acting,
): AsyncGenerator<Cells> {
  await auditExport(db, by, "order-lines", filter);
  for await (const { order, more } of ordersOf(db, filter)) {
    for (const line of linesKept(order, more)) {
      const units = unitsKept(line);
      yield {
        Order: orderCell(order.id),
        Placed: order.createdAt,
        Status: wordsOf(order).status,
        State: more.state,
        SKU: line.sku,
        Item: line.name,
        Price: dollarCell(line.priceCents),
        Ordered: line.quantity,
        Canceled: line.canceledQuantity,
        Units: units,
        Discount: dollarCell(line.discountKeptCents),
        Amount: dollarCell(units * line.priceCents - line.discountKeptCents),
        Tax: dollarCell(line.taxKeptCents),
      };
    }
  }
}

type Line = {
  sku: string;
  name: string;
  priceCents: number;
  quantity: number;
  canceledQuantity: number;
  taxKeptCents: number;
  discountKeptCents: number;
  returnId: string | null;
};
type Details = Record<"email" | "phone" | "address1" | "state" | "postalCode" | "country", string> &
  Record<
    `${"subtotal" | "discount" | "shipping" | "tax" | "shippingTax" | "total" | "captured" | "refunded"}Cents`,
    number
  > & {
    id: string;
    address2: string | null;
    giftMessage: string | null;
    discountName: string | null;
    method: ShippingMethod;
    carriers: CarrierCode[];
    trackingNumbers: string[];
    lines: Line[];
    soldCents: string;
  };

async function detailsOf(db: Database, ids: string[]): Promise<Map<string, Details>> {
  const { rows } = await db.execute<Details>(sql`
    SELECT orders.id, email, phone, shipping_address_line1 AS address1, shipping_address_line2 AS address2, gift_message AS "giftMessage",
      shipping_state AS state, shipping_postal_code AS "postalCode", shipping_country AS country, shipping_method AS method,
      subtotal AS "subtotalCents", discount AS "discountCents", discount_name AS "discountName", shipping AS "shippingCents", tax AS "taxCents", shipping_tax AS "shippingTaxCents",
      total AS "totalCents", ${soldCents} AS "soldCents", sent.*, ordered.*, paid.*
    FROM orders
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('sku', coalesce(slug, ''), 'name', order_items.name,
          'priceCents', order_items.price, 'quantity', quantity, 'canceledQuantity', ${keptColumns.canceledQuantity},
          'taxKeptCents', ${keptColumns.taxKeptCents}, 'discountKeptCents', ${keptColumns.discountKeptCents}, 'returnId', return_id)
          ORDER BY position, order_items.name, order_items.id), '[]') AS lines
        FROM order_items LEFT JOIN products ON products.id = product_id WHERE order_id = orders.id AND return_id IS NULL
      ) AS ordered
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(carrier ORDER BY shipped_at, created_at), '{}') AS carriers,
          coalesce(array_agg(tracking_number ORDER BY shipped_at, created_at), '{}') AS "trackingNumbers"
        FROM shipments WHERE order_id = orders.id AND shipped_at IS NOT NULL
      ) AS sent
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(captured), 0)::int AS "capturedCents",
          (SELECT coalesce(sum(cents), 0)::int FROM ${givenBack} AS given WHERE given.order_id = orders.id) AS "refundedCents"
        FROM payments WHERE order_id = orders.id
      ) AS paid
    WHERE orders.id = ANY (${`{${ids.join(",")}}`}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
