/** Orders in every state that their page knows, written as the shop would have written them. */
import type { Pool } from "pg";

export const ORDER_STATES = [
  "unpaid",
  "processing",
  "delayed",
  "declined-card",
  "two-parcels",
  "delivered",
  "canceled",
  "declined",
  "lapsed",
  "refunded",
  "ten-lines",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

type Event = [type: string, from: string | null, to: string, actor: string, hours: number, data?: object];
type Paid = {
  state: string;
  captured?: boolean;
  refunded?: boolean;
  problem?: string;
  method?: boolean;
};
type Written = {
  status: string;
  events: Event[];
  payment?: Paid;
  parcels?: number;
  isDelivered?: true;
  shipsBy?: string;
};

const HELD: Event = ["held", null, "unpaid", "customer", 0];
const AUTHORIZED: Event = ["authorized", "unpaid", "processing", "provider", 0.05];
const SHIPPED: Event = ["shipped", "processing", "shipped", "staff", 26];

const WRITTEN: Record<OrderState, Written> = {
  unpaid: { status: "unpaid", events: [HELD], payment: { state: "open", problem: "card_declined" } },
  processing: { status: "processing", events: [HELD, AUTHORIZED], payment: { state: "authorized", method: true } },
  delayed: {
    status: "processing",
    events: [HELD, AUTHORIZED, ["delayed", "processing", "processing", "staff", 40, { until: "2030-03-04" }]],
    payment: { state: "authorized", method: true },
    shipsBy: "2030-03-04",
  },
  "declined-card": {
    status: "processing",
    events: [HELD, AUTHORIZED, ["capture-failed", "processing", "processing", "provider", 30]],
    payment: { state: "failed", problem: "insufficient_funds", method: true },
  },
  "two-parcels": {
    status: "shipped",
    events: [HELD, AUTHORIZED, SHIPPED, ["parcel-shipped", "shipped", "shipped", "staff", 50]],
    payment: { state: "captured", captured: true, method: true },
    parcels: 2,
  },
  delivered: {
    status: "delivered",
    events: [HELD, AUTHORIZED, SHIPPED, ["delivered", "shipped", "delivered", "staff", 150]],
    payment: { state: "captured", captured: true, method: true },
    parcels: 1,
    isDelivered: true,
  },
  canceled: {
    status: "canceled",
    events: [
      ["placed", null, "processing", "customer", 0],
      ["canceled", "processing", "canceled", "customer", 3],
    ],
  },
  declined: {
    status: "declined",
    events: [
      HELD,
      AUTHORIZED,
      ["declined", "processing", "declined", "staff", 20, { reason: "sold-out" }],
      ["payment-voided", "declined", "declined", "provider", 20],
    ],
    payment: { state: "closed", method: true },
  },
  lapsed: {
    status: "lapsed",
    events: [HELD, ["lapsed", "unpaid", "lapsed", "system", 0.5]],
    payment: { state: "closed" },
  },
  refunded: {
    status: "delivered",
    events: [
      HELD,
      AUTHORIZED,
      SHIPPED,
      ["delivered", "shipped", "delivered", "staff", 150],
      ["refunded", "delivered", "delivered", "staff", 300],
    ],
    payment: { state: "captured", captured: true, refunded: true, method: true },
    parcels: 1,
    isDelivered: true,
  },
  "ten-lines": {
    status: "shipped",
    events: [HELD, AUTHORIZED, SHIPPED, ["parcel-shipped", "shipped", "shipped", "staff", 50]],
    payment: { state: "captured", captured: true, method: true },
    parcels: 2,
  },
};

const LINES = { "polara-pro-earth-green": 1, "ethylene-filter-2-pack": 2 };
const TEN_LINES = Object.fromEntries(
  [
    "polara-pro-midnight-black",
    "polara-pro-earth-green",
    "polara-pro-frost-white",
    "polara-classic-midnight-black",
    "polara-classic-earth-green",
    "polara-classic-frost-white",
    "ethylene-filter-2-pack",
    "ethylene-filter-6-pack",
    "charging-dock",
    "lid-gasket-set",
  ].map((slug) => [slug, 10]),
);

type Whose = {
  orderId: string;
  orderedAt: Date;
  email: string;
  firstName: string;
  lastName: string;
  /** A customer's; without it a guest's. */
  userId: string | null;
};

/** Writes the order as it was placed, and all that happened to it until this state. */
export async function insertOrder(database: Pool, state: OrderState, whose: Whose): Promise<void> {
  const { status, events, payment, parcels = 0, isDelivered, shipsBy } = WRITTEN[state];
  const { orderId, orderedAt, email, firstName, lastName, userId } = whose;
  const lines = state === "ten-lines" ? TEN_LINES : LINES;
  const at = (hours: number) => new Date(orderedAt.getTime() + hours * 3_600_000);
  const { rows: items } = await database.query<{ id: string; name: string; price: number; quantity: number }>(
    `WITH lines AS (
       SELECT products.id, name, coalesce(early_bird_price, price) AS price, value::int AS quantity
       FROM jsonb_each_text($2) JOIN products ON slug = key
     ), placed AS (
       INSERT INTO orders (id, user_id, created_at, checkout_key, status, subtotal, shipping, tax, total, email, phone,
         shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state,
         shipping_postal_code, shipping_method, hold_until, accepted_at, delivered_at, ships_by)
       SELECT $1, $3, $4, gen_random_uuid(), $5, sum(price * quantity), 0, 0, sum(price * quantity), $6, '2125550100', $7, $8,
         '12 Analytical Ave', 'New York', 'NY', '10001', 'standard', $9, $10, $11, $12 FROM lines
       RETURNING id
     )
     INSERT INTO order_items (order_id, product_id, name, price, quantity)
     SELECT placed.id, lines.id, name, price, quantity FROM lines, placed RETURNING id, name, price, quantity`,
    [
      orderId,
      JSON.stringify(lines),
      userId,
      orderedAt,
      status,
      email,
      firstName,
      lastName,
      status === "unpaid" ? at(0.5) : null,
      parcels > 0 ? at(26) : null,
      isDelivered ? at(150) : null,
      shipsBy ?? null,
    ],
  );
  for (const [type, from, to, actor, hours, data] of events) {
    await database.query(
      "INSERT INTO order_events (order_id, type, from_status, to_status, actor, at, data) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [orderId, type, from, to, actor, at(hours), data ?? null],
    );
  }
  const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  if (payment) await insertPayment(database, orderId, total, payment, at);
  await insertParcels(database, orderId, items, parcels, at, isDelivered);
}

async function insertPayment(
  database: Pool,
  orderId: string,
  total: number,
  { state, captured, refunded, problem, method }: Paid,
  at: (hours: number) => Date,
): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO payments (order_id, provider, state, amount, authorized, captured, refunded, method, problem, expires_at)
     VALUES ($1, 'stripe', $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
    [
      orderId,
      state,
      total,
      state === "authorized" || captured ? total : 0,
      captured ? total : 0,
      refunded ? total : 0,
      method ? { brand: "visa", lastFour: "4242", wallet: null } : null,
      problem ?? null,
      at(0.5),
    ],
  );
  const moved: [kind: string, hours: number][] = [
    ...(captured ? ([["capture", 26]] as [string, number][]) : []),
    ...(refunded ? ([["refund", 300]] as [string, number][]) : []),
  ];
  for (const [kind, hours] of moved) {
    await database.query(
      `INSERT INTO payment_actions (payment_id, kind, amount, state, asked_by, created_at, done_at)
       VALUES ($1, $2, $3, 'done', 'staff', $4, $4)`,
      [rows[0]?.id, kind, total, at(hours)],
    );
  }
}

/** One with everything, or one for each line. */
async function insertParcels(
  database: Pool,
  orderId: string,
  items: { id: string; quantity: number }[],
  parcels: number,
  at: (hours: number) => Date,
  isDelivered?: true,
): Promise<void> {
  for (let i = 0; i < parcels; i++) {
    const { rows } = await database.query<{ id: string }>(
      `INSERT INTO shipments (order_id, carrier, tracking_number, state, shipped_at, delivered_at)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [
        orderId,
        i === 0 ? "ups" : "usps",
        i === 0 ? "1Z999AA10123456784" : "9400111899223100001234",
        isDelivered ? "delivered" : "shipped",
        at(26 + i * 24),
        isDelivered ? at(150) : null,
      ],
    );
    for (const { id, quantity } of items.filter((_, n) => n % parcels === i)) {
      await database.query("INSERT INTO shipment_items (shipment_id, order_item_id, quantity) VALUES ($1, $2, $3)", [
        rows[0]?.id,
        id,
        quantity,
      ]);
    }
  }
}
