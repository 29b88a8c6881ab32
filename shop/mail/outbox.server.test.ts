import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { PgBoss } from "pg-boss";
import { afterEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit, uncounted } from "#tests/support/mail-permit.ts";
import { startMailServer, WITHOUT_TLS } from "#tests/support/mail-server.ts";
import { mailboxOutbox } from "#tests/support/outbox.ts";
import { openDatabase } from "#db/connection.server.ts";
import { describeError } from "#platform/describe-error.ts";
import { addToCart, getCart } from "#shop/cart/cart.server.ts";
import { getProduct } from "#shop/catalog/catalog.server.ts";
import { placeOrder } from "#shop/checkout/place-order.server.ts";
import { ordersEmail } from "#shop/contact-addresses.server.ts";
import { formatMoney } from "#shop/money.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { shippingPrice } from "#shop/shipping/methods.ts";
import { enqueueEmail, LETTER_PERMIT } from "./enqueue-email.server.ts";
import { listMailbox, listOrderEmails } from "./mailbox.server.ts";
import { startOutbox } from "./outbox.server.ts";

const shop = useFreshDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function order(email: string): Promise<string> {
  const buyer = { guestId: randomUUID() };
  const product = await getProduct(shop.db, "travel-sleeve");
  await addToCart(shop.db, buyer, { productId: product?.id ?? "", quantity: 2 });
  const request = {
    checkoutKey: randomUUID(),
    expectedLines: (await getCart(shop.db, buyer)).lines,
    expectedShipping: FIRST_SETTINGS.shipping,
    form: {
      email,
      phone: "2125550100",
      shippingFirstName: "<Ada>",
      shippingLastName: "Lovelace",
      shippingAddressLine1: "12 Analytical Ave",
      shippingCity: "New York",
      shippingState: "NY" as const,
      shippingPostalCode: "10001",
      shippingCountry: "US" as const,
      billingAddressSameAsShipping: true,
      shippingMethod: "express" as const,
      saveInformation: false,
    },
    termsVersion: "2025-01-01",
  };
  const result = await placeOrder(shop.db, uncounted, { buyer, network: "", accountEmail: null }, request);
  if (!result.ok) throw new Error(result.reason);
  return result.orderId.slice(0, 8);
}

describe("the outbox", () => {
  it("retries an email until the mail server accepts it, and delivers it once", async () => {
    const smtp = await startMailServer(WITHOUT_TLS, (attempt) => attempt > 1);
    const inbox = { address: "support@shop.example" };
    const outbox = await startOutbox(shop.db, shop.url, { ...mailboxOutbox, smtpUrl: smtp.url, inbox });
    stops.push(outbox.stop);
    const number = await order("ada@example.com");
    const state = async () =>
      (await shop.db.execute<{ state: string }>(sql`SELECT state FROM pgboss.job WHERE name = 'mail'`)).rows[0]?.state;
    await expect.poll(state).toBe("retry");
    expect(smtp.emails).toEqual([]);
    await shop.db.execute(sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'mail'`);
    await expect.poll(state).toBe("completed");
    expect(smtp.emails).toHaveLength(1);
    expect(smtp.emails[0]).toContain(`Subject: Your Polara order ${number}`);
    expect(smtp.emails[0]).toContain(`From: Polara <${ordersEmail()}>`);
    expect(smtp.emails[0]).toMatch(new RegExp(`^Reply-To:\\s+support\\+o${number}\\w{40}@shop\\.example\r$`, "m"));
  });

  it("sends a letter again that failed, and none that a crash cut off", async () => {
    const smtp = await startMailServer(WITHOUT_TLS);
    const [failed, cutOff] = ["failed", "cut-off"].map((name) => `${name}@example.com`);
    const letter = async (email: string, output: object) => {
      await enqueueEmail(shop.db, { template: "letter-test", letterId: randomUUID(), email }, LETTER_PERMIT);
      await shop.db.execute(sql`UPDATE pgboss.job SET state = 'retry', started_on = now(), output = ${output}::jsonb
        WHERE data->>'email' = ${email}`);
    };
    await letter(failed!, { error: "Error", responseCode: 451 });
    await letter(cutOff!, { value: { message: "job timed out" } });
    const write = async (_db: unknown, { email }: { email: string }) => ({
      to: email,
      subject: "",
      text: "",
      html: "",
    });
    const loadEmails = async () => ({ "letter-test": { write, atMostOnce: true } }) as never;
    const outbox = await startOutbox(shop.db, shop.url, { ...mailboxOutbox, smtpUrl: smtp.url, loadEmails });
    stops.push(outbox.stop);
    const states = async () =>
      (
        await shop.db.execute<{ state: string }>(
          sql`SELECT DISTINCT state FROM pgboss.job WHERE data->>'template' = 'letter-test'`,
        )
      ).rows;
    await expect.poll(states).toEqual([{ state: "completed" }]);
    expect(smtp.recipients).toEqual([failed]);
  });

  it("sends 300 waiting emails through ten connections at most, and forgets their addresses", async () => {
    let [open, most] = [0, 0];
    const smtp = await startMailServer({
      ...WITHOUT_TLS,
      onConnect(_session, done) {
        most = Math.max(most, ++open);
        done();
      },
      onClose: () => void open--,
    });
    for (let i = 0; i < 300; i++)
      await enqueueEmail(shop.db, { template: "account-deleted", email: `ada-${i}@example.com` }, anyPermit);
    const outbox = await startOutbox(shop.db, shop.url, { ...mailboxOutbox, smtpUrl: smtp.url });
    stops.push(outbox.stop);
    await expect.poll(() => smtp.emails.length).toBe(300);
    const kept = async () =>
      (await shop.db.execute(sql`SELECT FROM pgboss.job WHERE data->>'email' LIKE 'ada-%'`)).rowCount;
    await expect.poll(kept).toBe(0);
    expect(most).toBeLessThanOrEqual(10);
  });

  it("delivers an order's email before letters that have waited longer, and within seconds while they leave", async () => {
    const smtp = await startMailServer(WITHOUT_TLS);
    const queue = (name: string, permit = anyPermit) =>
      enqueueEmail(shop.db, { template: "account-deleted", email: `${name}@example.com` }, permit);
    const letters = async (count: number) => {
      for (let i = 0; i < count; i++) await queue(`letter-${i}`, LETTER_PERMIT);
    };
    const placeOf = (name: string) => smtp.emails.findIndex((email) => email.includes(`To: ${name}@example.com`));
    await letters(100);
    await queue("first");
    const outbox = await startOutbox(shop.db, shop.url, { ...mailboxOutbox, smtpUrl: smtp.url });
    stops.push(outbox.stop);
    await expect.poll(() => placeOf("first")).toBeGreaterThan(-1);
    // The first 30 emails are one batch.
    expect(placeOf("first")).toBeLessThan(30);
    await letters(300);
    await queue("second");
    await expect.poll(() => placeOf("second"), { timeout: 5_000 }).toBeGreaterThan(-1);
    expect(smtp.emails.length).toBeLessThan(402);
    await expect.poll(() => smtp.emails.length, { timeout: 20_000 }).toBe(402);
  });

  it("reports the cause when it cannot be read", async () => {
    const reports: unknown[] = [];
    const outbox = await startOutbox(shop.db, shop.url, { ...mailboxOutbox, report: (error) => reports.push(error) });
    stops.push(outbox.stop);
    await shop.db.execute(sql`ALTER SCHEMA pgboss RENAME TO pgboss_gone`);
    try {
      await expect.poll(() => reports.length, { timeout: 10_000 }).toBeGreaterThan(3);
    } finally {
      await shop.db.execute(sql`ALTER SCHEMA pgboss_gone RENAME TO pgboss`);
    }
    // PostgreSQL names the table or its schema, depending on where the statement stood.
    for (const error of reports) expect(["42P01", "3F000"]).toContain(describeError(error).code);
  });

  it("writes to the mailbox without a mail server: text and escaped HTML with links", async () => {
    const outbox = await startOutbox(shop.db, shop.url, mailboxOutbox);
    stops.push(outbox.stop);
    await order("mailbox@example.com");
    await expect.poll(async () => (await listMailbox(shop.db)).length).toBe(1);
    const [message] = await listMailbox(shop.db);
    expect(message).toMatchObject({
      to: "mailbox@example.com",
      links: [
        expect.stringMatching(/^http:\/\/localhost:3000\/orders\/[0-9a-f-]{36}\?k=[\w-]{43}$/),
        expect.stringMatching(/\/orders\/[0-9a-f-]{36}\?k=[\w-]{43}&intent=cancel$/),
        expect.stringMatching(/^http:\/\/localhost:3000\/orders\/claim\?token=[\w-]{126}$/),
        expect.stringMatching(/^http:\/\/localhost:3000\/terms\/2025-01-01\?at=\d{4}-\d\d-\d\dT/),
      ],
    });
    const words = `${message?.text}${message?.html}`.replaceAll(/token=[\w-]+/g, "");
    expect(words).not.toContain("Ada");
    expect(message?.text).toContain("2 x Travel Sleeve  $38.00");
    const shippingCents = shippingPrice(FIRST_SETTINGS.shipping, "express", 38_00);
    expect(message?.text).toContain(`Shipping: ${formatMoney(shippingCents)}`);
    expect(message?.text).toContain(`Total: ${formatMoney(38_00 + shippingCents)}`);
  });
});

describe("enqueue_email", () => {
  it.each(['{"orderId":"1"}', "null", "[]"])("refuses a job without a template: %s", async (job) => {
    const queued = shop.db.execute(sql`SELECT enqueue_email(${job}::jsonb)`);
    await expect(queued).rejects.toMatchObject({ cause: { message: "an email needs the name of its template" } });
  });

  it("tells the shop's time where its clock is ahead, as the events of an order have it", async () => {
    const orderId = randomUUID();
    const ahead = openDatabase(shop.url, 1, null, 19 * 86_400_000);
    for (const db of [shop.db, ahead.db]) await enqueueEmail(db, { template: "order-canceled", orderId }, anyPermit);
    await ahead.pool.end();
    const days = (await listOrderEmails(shop.db, orderId)).map(({ at }) => (at.getTime() - Date.now()) / 86_400_000);
    expect(days.map((ahead) => Math.abs(Math.round(ahead)))).toEqual([0, 19]);
  });

  it("writes the same row as the queue's own send", async () => {
    const boss = new PgBoss({ connectionString: shop.url, supervise: false, schedule: false });
    boss.on("error", () => {});
    await boss.start();
    stops.push(() => boss.stop({ graceful: false }));
    const job = { template: "account-deleted" as const, email: "" };
    const sent = await boss.send("mail", job);
    await enqueueEmail(shop.db, job, anyPermit);
    const { rows } = await shop.db.execute<{ id: string }>(
      sql`SELECT to_jsonb(job) - '{id,created_on,start_after,keep_until}'::text[] AS row, keep_until - created_on AS kept, id FROM pgboss.job
        WHERE name = 'mail' AND data = ${JSON.stringify(job)}::jsonb`,
    );
    const [own, bossed] = [rows.find(({ id }) => id !== sent), rows.find(({ id }) => id === sent)];
    expect(bossed).toBeDefined();
    expect({ ...own, id: sent }).toEqual(bossed);
  });
});
