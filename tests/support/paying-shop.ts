/** Shops with the payment sandbox, and buyers who pay there. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { stripeKeys } from "./own-shop.ts";
import { payOnPage, type Paid, type PaysWith } from "./pay-page.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "./payment-sandbox.ts";
import { changeSettings, type ChangedSettings } from "./settings.ts";
import { freePort, startShop, type Shop } from "./shop.ts";
import { useFreshDatabase } from "./fresh-database.ts";
import { AUTH_SECRET } from "./use-shop.ts";
import { Visitor } from "./visitor.ts";
import { checkOrders } from "#shop/orders/check-orders.server.ts";

export type Placed = { orderId: string; url: string; guest: Visitor; email: string };

/** The sandbox has its own process, which takes orders by `control`. */
export function usePayingShop(env: Record<string, string> = {}, changed: ChangedSettings = {}) {
  const database = useFreshDatabase(10);
  const shop = {} as Shop;
  const sandbox = {} as TestPaymentSandbox;
  beforeAll(async () => {
    const port = String(await freePort());
    const url = `http://localhost:${port}/payments/stripe/events`;
    Object.assign(sandbox, await startTestPaymentSandbox(database.url, url));
    await changeSettings(database.db, changed);
    Object.assign(shop, await startShop({ PORT: port, DATABASE_URL: database.url, ...stripeKeys(sandbox), ...env }));
  });
  afterAll(async () => {
    await shop.stop();
    await sandbox.stop();
  });
  const buyers = buyersOf(shop, database);

  /** Captured and refunded amounts agree with the provider's. */
  const expectBooksToAgree = () =>
    expect
      .poll(async () => {
        const [ours] = await buyers.query<{ captured: number; refunded: number }>(
          "SELECT coalesce(sum(captured), 0)::int AS captured, coalesce(sum(refunded), 0)::int AS refunded FROM payments",
        );
        const { captured, refunded } = await sandbox.books();
        const { differences } = await checkOrders(database.db);
        return [ours!.captured - captured, ours!.refunded - refunded, differences];
      })
      .toEqual([0, 0, []]);

  return { database, shop, sandbox, ...buyers, expectBooksToAgree };
}

/** As `PAYMENTS=sandbox npm start`, with the sandbox inside the shop. */
export function useTrialShop() {
  const database = useFreshDatabase(10);
  const shop = {} as Shop;
  const start = async (env: Record<string, string>) => {
    const own = { DATABASE_URL: database.url, AUTH_SECRET, PAYMENTS: "sandbox" };
    Object.assign(shop, await startShop({ ...own, ...env }));
  };
  beforeAll(() => start({}));
  afterAll(() => shop.stop());
  /** Starts the shop again on the same data, at the same address, with its clock ahead by `clockOffset` (45d, 12h, 30m). */
  const startAgain = async ({ clockOffset }: { clockOffset: string }) => {
    await shop.stop();
    await start({ PORT: new URL(shop.url).port, CLOCK_OFFSET: clockOffset });
  };
  return { database, shop, startAgain, ...buyersOf(shop, database) };
}

function buyersOf(shop: Shop, database: ReturnType<typeof useFreshDatabase>) {
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.pool.query<Row>(text, values)).rows;

  async function guestWith(slug = "travel-sleeve", units = 1): Promise<Visitor> {
    const guest = new Visitor(shop.url);
    await guest.add(slug, units);
    return guest;
  }

  /** Places the cart as an order, as a browser without JavaScript does. */
  async function place(guest: Visitor, fields: Record<string, string> = {}): Promise<Placed> {
    const email = fields.email ?? `buyer-${randomUUID()}@example.com`;
    const answer = await guest.checkout({ email, ...fields });
    expect(answer.status).toBe(303);
    const [order] = await query<{ id: string }>(
      "SELECT id FROM orders WHERE email = $1 ORDER BY created_at DESC LIMIT 1",
      [email],
    );
    return { orderId: order?.id ?? "", url: answer.headers.get("Location") ?? "", guest, email };
  }

  const reserve = async (slug = "travel-sleeve", units = 1): Promise<Placed> => place(await guestWith(slug, units));

  const pay = (placed: Placed, by: PaysWith = {}): Promise<Paid> => payOnPage(placed.url, by);

  async function comeBack({ guest }: Placed, { location }: Paid): Promise<string | null> {
    const { pathname, search } = new URL(location ?? "");
    return (await guest.fetch(pathname + search)).headers.get("Location");
  }

  const statusOf = async (orderId: string) =>
    (await query<{ status: string }>("SELECT status FROM orders WHERE id = $1", [orderId]))[0]?.status;
  const eventsOf = async (orderId: string) =>
    (await query<{ type: string }>("SELECT type FROM order_events WHERE order_id = $1 ORDER BY id", [orderId])).map(
      ({ type }) => type,
    );
  const paymentsOf = (orderId: string) =>
    query<{ id: string; state: string; reference: string; captured: number; refunded: number; problem: string | null }>(
      "SELECT id, state, reference, captured, refunded, problem FROM payments WHERE order_id = $1 ORDER BY created_at",
      [orderId],
    );
  /** Number of queued emails of a template for an order. */
  const mailsOf = async (orderId: string, template: string) =>
    (await query("SELECT FROM pgboss.job WHERE data->>'template' = $1 AND data->>'orderId' = $2", [template, orderId]))
      .length;
  /** Ends an order's reservation, as half an hour later. */
  const endReservation = (orderId: string) =>
    query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE id = $1 AND status = 'unpaid'", [orderId]);
  const until = (orderId: string, status: string) => expect.poll(() => statusOf(orderId)).toBe(status);
  /** Units in the cart of the guest who placed an order. */
  const cartOf = async (orderId: string) =>
    (
      await query<{ units: number }>(
        `SELECT coalesce(sum(quantity), 0)::int AS units FROM cart_items
         WHERE session_id = (SELECT session_id FROM orders WHERE id = $1)`,
        [orderId],
      )
    )[0]?.units;

  return {
    query,
    guestWith,
    place,
    reserve,
    pay,
    comeBack,
    statusOf,
    eventsOf,
    paymentsOf,
    mailsOf,
    endReservation,
    until,
    cartOf,
  };
}
