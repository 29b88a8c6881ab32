/** A shop that takes payments by a sandbox in a process of its own, and buyers who pay there. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { payOnPage, type Paid, type PaysWith } from "./pay-page.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "./payment-sandbox.ts";
import { freePort, startShop, type Shop } from "./shop.ts";
import { useFreshDatabase } from "./fresh-database.ts";
import { Visitor } from "./visitor.ts";

export type Held = { orderId: string; url: string; guest: Visitor; email: string };

/** `hasWebhook` is false where the shop has to ask for events itself. */
export function usePayingShop(env: Record<string, string> = {}, { hasWebhook = true } = {}) {
  const database = useFreshDatabase(10);
  const shop = {} as Shop;
  const sandbox = {} as TestPaymentSandbox;
  beforeAll(async () => {
    const port = String(await freePort());
    const url = `http://localhost:${port}/payments/stripe/events`;
    Object.assign(sandbox, await startTestPaymentSandbox(database.url, hasWebhook ? url : undefined));
    const keys = {
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: sandbox.secretKey,
      STRIPE_API_URL: sandbox.apiUrl,
      ...(hasWebhook && { STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret }),
    };
    Object.assign(shop, await startShop({ PORT: port, DATABASE_URL: database.url, ...keys, ...env }));
  });
  afterAll(async () => {
    await shop.stop();
    await sandbox.stop();
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.pool.query<Row>(text, values)).rows;

  /** A guest with so many units in the cart. */
  async function guestWith(slug = "travel-sleeve", units = 1): Promise<Visitor> {
    const guest = new Visitor(shop.url);
    await guest.add(slug, units);
    return guest;
  }

  /** Places what is in the cart, as a browser without JavaScript does. */
  async function place(guest: Visitor, fields: Record<string, string> = {}): Promise<Held> {
    const email = fields.email ?? `buyer-${randomUUID()}@example.com`;
    const answer = await guest.checkout({ email, ...fields });
    expect(answer.status).toBe(303);
    const [order] = await query<{ id: string }>(
      "SELECT id FROM orders WHERE email = $1 ORDER BY created_at DESC LIMIT 1",
      [email],
    );
    return { orderId: order?.id ?? "", url: answer.headers.get("Location") ?? "", guest, email };
  }

  const hold = async (slug = "travel-sleeve", units = 1): Promise<Held> => place(await guestWith(slug, units));

  /** As its buyer sees it once they have paid, and where they are sent to. */
  const pay = (held: Held, by: PaysWith = {}): Promise<Paid> => payOnPage(held.url, by);

  /** Follows the way back from the provider's page. */
  async function comeBack({ guest }: Held, { location }: Paid): Promise<string | null> {
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
  /** How many emails of a template were queued about an order, sent or not. */
  const mailsOf = async (orderId: string, template: string) =>
    (await query("SELECT FROM pgboss.job WHERE data->>'template' = $1 AND data->>'orderId' = $2", [template, orderId]))
      .length;
  /** The hold of an order is over, as half an hour later. */
  const endHold = (orderId: string) =>
    query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE id = $1 AND status = 'unpaid'", [orderId]);
  const until = (orderId: string, status: string) => expect.poll(() => statusOf(orderId)).toBe(status);
  /** The units in the cart of the guest who placed an order. */
  const cartOf = async (orderId: string) =>
    (
      await query<{ units: number }>(
        `SELECT coalesce(sum(quantity), 0)::int AS units FROM cart_items
         WHERE session_id = (SELECT session_id FROM orders WHERE id = $1)`,
        [orderId],
      )
    )[0]?.units;

  /** What belongs to every run: the two books agree, and no unit is lost or sold twice. */
  async function expectBooksToAgree(): Promise<void> {
    const [ours] = await query<{ captured: string; refunded: string }>(
      "SELECT coalesce(sum(captured), 0) AS captured, coalesce(sum(refunded), 0) AS refunded FROM payments",
    );
    const theirs = await sandbox.books();
    expect({ captured: Number(ours?.captured), refunded: Number(ours?.refunded) }).toEqual({
      captured: theirs.captured,
      refunded: theirs.refunded,
    });
  }

  return {
    database,
    shop,
    sandbox,
    query,
    guestWith,
    place,
    hold,
    pay,
    comeBack,
    statusOf,
    eventsOf,
    paymentsOf,
    mailsOf,
    endHold,
    until,
    cartOf,
    expectBooksToAgree,
  };
}
