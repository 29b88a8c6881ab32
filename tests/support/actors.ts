/** The five whom a permission can tell apart, each with things of their own, made in the database without a browser. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { GUEST_PURPOSE, openSigner } from "#shop/purpose-key.server.ts";
import { hashPassword } from "#shop/accounts/passwords/password-hash.server.ts";
import { Visitor } from "./visitor.ts";
import { ADD_UNITS } from "./units.ts";

export const ROLES = ["guest", "other guest", "customer", "other customer", "unverified customer"] as const;
export type Role = (typeof ROLES)[number];

export type Actor = {
  role: Role;
  visitor: Visitor;
  /** The user's id; a guest's is in the cookie. */
  userId: string | null;
  guestId: string | null;
  email: string;
  password: string;
  /** A first name that nobody else has: it betrays where somebody's things are shown. */
  name: string;
  lineId: string;
  orderId: string;
  checkoutKey: string;
  /** A product on the wishlist and in the cart. */
  productId: string;
  /** The session in use, and a second one elsewhere. */
  sessionIds: string[];
};

/** The signed guest cookie for this AUTH_SECRET. */
export const guestCookie = (guestId: string, secret: string): string =>
  `${guestId}.${openSigner(secret, GUEST_PURPOSE).sign(guestId)}`;

/** The cookie of a session with this token. */
export const sessionCookie = (token: string, secret: string): string =>
  encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`);

export const PASSWORD = "correct horse";
let hash: Promise<string> | undefined;

export async function makeActor(pool: Pool, shopUrl: string, secret: string, role: Role): Promise<Actor> {
  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(row);
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, i) => `$${i + 1}`).join(", ")}) RETURNING id`,
      Object.values(row),
    );
    return rows[0]?.id ?? "";
  };
  const name = `Name${randomBytes(6).toString("hex")}`;
  const email = `${name.toLowerCase()}@example.com`;
  const visitor = new Visitor(shopUrl);
  const isGuest = role.endsWith("guest");
  const guestId = isGuest ? randomUUID() : null;
  const sessionIds: string[] = [];
  let userId: string | null = null;

  if (guestId) visitor.carry("polara_guest", guestCookie(guestId, secret));
  else {
    userId = await insert("users", {
      email,
      email_verified: role !== "unverified customer",
      name: `${name} Lovelace`,
      first_name: name,
      last_name: "Lovelace",
    });
    const password = await (hash ??= hashPassword(PASSWORD));
    await insert("accounts", { user_id: userId, account_id: userId, provider_id: "credential", password });
    for (let i = 0; i < 2; i++) {
      const token = randomBytes(24).toString("base64url");
      const expires = new Date(Date.now() + 7 * 24 * 3600_000);
      sessionIds.push(await insert("sessions", { user_id: userId, token, expires_at: expires }));
      if (i === 0) visitor.carry("polara.session_token", sessionCookie(token, secret));
    }
  }
  const owner = { user_id: userId, session_id: guestId };
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM products WHERE slug = 'travel-sleeve'");
  const productId = rows[0]?.id ?? "";
  const lineId = await insert("cart_items", { ...owner, product_id: productId, quantity: 2 });
  if (userId) {
    await insert("wishlists", { user_id: userId, product_id: productId });
    const verifiedAt = role === "unverified customer" ? null : new Date();
    await insert("waitlist", { user_id: userId, email, verified_at: verifiedAt });
  }
  await insert("consents", { email, kind: "news", words: "Email me news.", page: "/account" });
  await insert("contact_messages", { name, email, message: "Does it hum at night?" });
  const checkoutKey = randomUUID();
  const orderId = await insert("orders", {
    ...owner,
    checkout_key: checkoutKey,
    attention: ["arrange"],
    subtotal: 1900,
    shipping: 999,
    tax: 0,
    total: 2899,
    email,
    phone: "2125550100",
    shipping_first_name: name,
    shipping_last_name: "Lovelace",
    shipping_address_line1: "12 Analytical Ave",
    shipping_city: "New York",
    shipping_state: "NY",
    shipping_postal_code: "10001",
    shipping_method: "standard",
    ship_by: "2099-03-04",
    terms_version: "2025-01-01",
  });
  await insert("order_items", {
    order_id: orderId,
    product_id: productId,
    name: "Travel Sleeve",
    price: 1900,
    quantity: 1,
  });
  await pool.query(ADD_UNITS);
  const things = { lineId, orderId, checkoutKey, productId, sessionIds };
  return { role, visitor, userId, guestId, email, password: PASSWORD, name, ...things };
}

/** A row, its table, and what of its owner names it. */
export type Thing = { of: string; owner: string; row: Record<string, unknown> };

/** The same in every database of a run. */
let owned: ReturnType<typeof ownedTables> | undefined;

/** Values that name the owner of a row. */
export const idsOf = ({ userId, guestId, orderId, email }: Actor): string[] =>
  [userId, guestId, orderId, email].filter((id) => id !== null);

/** All rows of these owners, in every table with an owner. */
export async function thingsOf(pool: Pool, actors: Actor[]): Promise<Thing[]> {
  owned ??= ownedTables(pool);
  const rowsOf = ([table, column]: [string, string]) =>
    `SELECT '${table}' AS of, ${column}::text AS owner, to_jsonb(t) AS row FROM ${table} t WHERE ${column}::text = ANY($1)`;
  const text = `${(await owned).map(rowsOf).join(" UNION ALL ")} ORDER BY of, row, owner`;
  // With a name PostgreSQL plans it once for a connection.
  const { rows } = await pool.query<Thing>({ name: "things", text, values: [actors.flatMap(idsOf)] });
  return rows;
}

async function ownedTables(pool: Pool): Promise<[table: string, column: string][]> {
  const { rows } = await pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('user_id', 'session_id', 'email')`,
  );
  return [
    ["users", "id"],
    ["profiles", "id"],
    ["order_items", "order_id"],
    ["order_events", "order_id"],
    ...rows.map(({ table, column }): [string, string] => [table, column]),
  ];
}

/** The words that only somebody's own pages may hold. */
export const secretsOf = ({ email, name, orderId, lineId, userId, guestId, sessionIds }: Actor): string[] =>
  [email, name, orderId, orderId.slice(0, 8), lineId, userId, guestId, ...sessionIds].filter((word) => word !== null);
