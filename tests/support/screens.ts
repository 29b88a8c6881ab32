/** Every page of the shop, and who somebody has to be to see it filled with life. */
import { createHash, randomUUID } from "node:crypto";
import type { APIRequestContext, APIResponse } from "@playwright/test";
import type { Pool } from "pg";
import { fixedPages } from "#shop/pages.ts";
import { insertOrder as insertOrderIn, ORDER_STATES, type OrderState } from "./order-states.ts";
import { ADD_UNITS, SHIP_ALL } from "./units.ts";

export type Who = "visitor" | "shopper" | "customer";
export type Screen = {
  name: string;
  /** As in the site map where it shows an order: addressOf names that. */
  path: string;
  who: Who;
  status?: number;
  /** The state of the customer's order that it shows. */
  order?: OrderState;
};

const visitor = (name: string, path: string, status?: number): Screen => ({ name, path, who: "visitor", status });
const shopper = (name: string, path: string): Screen => ({ name, path, who: "shopper" });
const customer = (name: string, path: string): Screen => ({ name, path, who: "customer" });
const ofOrder = (name: string, order: OrderState, path = "/orders/:orderId"): Screen => ({
  ...customer(name, path),
  order,
});

export const SCREENS: Screen[] = [
  ...fixedPages.map(({ path }) => visitor(path.slice(1) || "home", path)),
  visitor("product", "/product/polara-pro-earth-green"),
  visitor("accessory", "/product/ethylene-filter-2-pack"),
  visitor("search", "/search?q=filter"),
  visitor("search-nothing", "/search?q=toaster"),
  visitor("cart-empty", "/cart"),
  shopper("cart", "/cart"),
  shopper("checkout", "/checkout"),
  visitor("join-waitlist", "/waitlist/join"),
  visitor("back-in-stock", "/back-in-stock?product=polara-classic-earth-green"),
  visitor("post", "/blog/what-one-apple-does-to-your-greens"),
  visitor("sign-in", "/auth"),
  visitor("sign-up", "/auth?tab=sign-up"),
  visitor("verify", "/auth/verify", 410),
  visitor("reset-password", "/reset-password"),
  visitor("claim-order", "/orders/claim", 410),
  customer("account", "/account"),
  customer("orders", "/account?tab=orders"),
  customer("wishlist", "/account?tab=wishlist"),
  customer("settings", "/account?tab=settings"),
  ...ORDER_STATES.map((state) => ofOrder(`order-${state}`, state)),
  ofOrder("order-address", "processing", "/orders/:orderId?intent=address"),
  ofOrder("receipt", "ten-lines", "/orders/:orderId/receipt"),
  visitor("find-order", "/orders/find"),
  visitor("order-not-shown", "/orders/8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f751", 404),
  visitor("mailbox", "/mailbox"),
  visitor("not-found", "/no-such-page", 404),
];

export const ADA = { firstName: "Ada", lastName: "Lovelace", password: "correct horse battery" };

type Life = { email: string; orderId?: string; orderedAt?: Date };

/** The order of a customer that is in a state: the same one for the same email. */
function orderIdOf(email: string, state: OrderState): string {
  const hash = createHash("sha256").update(`${email} ${state}`).digest("hex");
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-4$3-a$4-$5");
}

export const addressOf = ({ path, order }: Pick<Screen, "path" | "order">, email: string): string =>
  order ? path.replace(":orderId", orderIdOf(email, order)) : path;

const LONG_NAME = {
  firstName: "Wolfeschlegelsteinhausenbergerdorff".repeat(2),
  lastName: "Hubert Blaine ".repeat(5).trim(),
};

/** Gives a customer an order in a state, unless they have it. */
export async function giveOrder(
  database: Pool,
  email: string,
  state: OrderState,
  orderedAt = new Date(),
): Promise<void> {
  const orderId = orderIdOf(email, state);
  const { rows } = await database.query<{ id: string; has: boolean }>(
    "SELECT id, EXISTS (SELECT 1 FROM orders WHERE id = $2) AS has FROM users WHERE email = $1",
    [email, orderId],
  );
  const [user] = rows;
  if (!user || user.has) return;
  const { firstName, lastName } = state === "ten-lines" ? LONG_NAME : ADA;
  await insertOrderIn(database, state, { orderId, orderedAt, email, firstName, lastName, userId: user.id });
}

/** Sends a form as a page without JavaScript does, and stays where it is. */
export const postForm = (request: APIRequestContext, url: string, path: string, form: Record<string, string>) =>
  request.post(url + path, { form, headers: { Origin: url, Accept: "text/html" }, maxRedirects: 0 });

/** Signs Ada up without the form being looked at; whoever holds these cookies is her from then on. */
export async function signUpShortly(
  request: APIRequestContext,
  url: string,
  email: string,
  password: string,
): Promise<APIResponse> {
  const { firstName, lastName } = ADA;
  const person = { firstName, lastName, email, password, confirmPassword: password, terms: "on" };
  const answer = await postForm(request, url, "/auth?tab=sign-up", {
    intent: "sign-up",
    redirect: "/how-it-works",
    ...person,
  });
  // The word about the mail is for those who see the next page.
  await postForm(request, url, "/personal", { shown: "signed-up" });
  return answer;
}

export async function productId(database: Pool, slug: string): Promise<string> {
  const { rows } = await database.query<{ id: string }>("SELECT id FROM products WHERE slug = $1", [slug]);
  return rows[0]?.id ?? "";
}

/**
 * Makes whoever holds these cookies a shopper with a filled cart, or a verified customer who also has an order on its
 * way and a heart given. `orderId` decides the number that people read.
 */
export async function become(
  who: Who,
  request: APIRequestContext,
  url: string,
  database: Pool,
  { email, orderId = randomUUID(), orderedAt = new Date() }: Life,
): Promise<void> {
  const post = async (path: string, form: Record<string, string>) => {
    const status = (await postForm(request, url, path, form)).status();
    if (status >= 400) throw new Error(`${path} answers ${status}`);
  };
  if (who === "visitor") return;
  if (who === "customer") {
    const answer = await signUpShortly(request, url, email, ADA.password);
    if (answer.status() >= 400) throw new Error(`signing up answers ${answer.status()}`);
    const { rows } = await database.query<{ id: string }>(
      "UPDATE users SET email_verified = true WHERE email = $1 RETURNING id",
      [email],
    );
    await post("/wishlist/add", { productId: await productId(database, "polara-pro-frost-white") });
    await insertOrder(database, { userId: rows[0]?.id ?? "", email, orderId, orderedAt });
  }
  await post("/cart/add", { productId: await productId(database, "polara-pro-earth-green"), quantity: "1" });
  await post("/cart/add", { productId: await productId(database, "ethylene-filter-2-pack"), quantity: "2" });
}

async function insertOrder(
  database: Pool,
  order: { userId: string; email: string; orderId: string; orderedAt: Date },
): Promise<void> {
  await database.query(
    `INSERT INTO orders (id, user_id, created_at, checkout_key, stage, subtotal, shipping, tax, total, email, phone,
       shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state,
       shipping_postal_code, shipping_method, ship_by, terms_version)
     VALUES ($1, $2, $3, gen_random_uuid(), 'shipped', 12300, 0, 0, 12300, $4, '2125550100', $5, $6,
       '12 Analytical Ave', 'New York', 'NY', '10001', 'standard', $3::timestamptz::date + 2, '2025-01-01')`,
    [order.orderId, order.userId, order.orderedAt, order.email, ADA.firstName, ADA.lastName],
  );
  await database.query(
    `INSERT INTO order_items (order_id, product_id, name, price, quantity)
     SELECT $1, id, name, coalesce(early_bird_price, price), 1 FROM products
     WHERE slug IN ('polara-pro-earth-green', 'ethylene-filter-2-pack')`,
    [order.orderId],
  );
  await database.query(ADD_UNITS);
  await database.query(SHIP_ALL, [order.orderId, "shipped"]);
}
