import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { PgBoss } from "pg-boss";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { anyPermit, uncounted } from "../../tests/support/mail-permit.ts";
import { mailboxOutbox } from "../../tests/support/outbox.ts";
import { addToCart, getCart } from "../cart/cart.server.ts";
import { getProduct } from "../catalog/catalog.server.ts";
import { placeOrder } from "../checkout/place-order.server.ts";
import { formatMoney } from "../money.ts";
import { shippingPrice } from "../shipping/methods.ts";
import { enqueueEmail } from "./enqueue-email.server.ts";
import { listMailbox } from "./mailbox.server.ts";
import { startOutbox } from "./outbox.server.ts";

const kept = useFreshDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function order(email: string): Promise<string> {
  const buyer = { guestId: randomUUID() };
  const product = await getProduct(kept.db, "travel-sleeve");
  await addToCart(kept.db, buyer, { productId: product?.id ?? "", quantity: 2 });
  const request = {
    checkoutKey: randomUUID(),
    seenLines: (await getCart(kept.db, buyer)).lines,
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
  };
  const result = await placeOrder(kept.db, buyer, request, uncounted);
  if (!result.ok) throw new Error(result.reason);
  return result.orderId.slice(0, 8);
}

/** An SMTP server on loopback that takes what `accept` takes. */
async function mailServer(accept: (attempt: number) => boolean): Promise<{ url: string; emails: string[] }> {
  const emails: string[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        if (!accept(++attempts)) return done(Object.assign(new Error("try later"), { responseCode: 451 }));
        emails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  stops.push(() => new Promise((done) => server.close(done)));
  const address = server.server.address();
  return { url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, emails };
}

describe("the outbox", () => {
  it("keeps the email while the mail server refuses, and delivers it once it takes it", async () => {
    const smtp = await mailServer((attempt) => attempt > 1);
    const outbox = await startOutbox(kept.db, kept.url, {
      ...mailboxOutbox,
      smtpUrl: smtp.url,
      ordersEmail: "orders@shop.example",
    });
    stops.push(outbox.stop);
    const number = await order("ada@example.com");
    const state = async () =>
      (await kept.db.execute<{ state: string }>(sql`SELECT state FROM pgboss.job WHERE name = 'mail'`)).rows[0]?.state;
    await expect.poll(state).toBe("retry");
    expect(smtp.emails).toEqual([]);
    await kept.db.execute(sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'mail'`);
    await expect.poll(state).toBe("completed");
    expect(smtp.emails).toHaveLength(1);
    expect(smtp.emails[0]).toContain(`Subject: Your Polara order ${number}`);
    expect(smtp.emails[0]).toContain("From: Polara <orders@shop.example>");
  });

  it("writes to the mailbox where there is no mail server: text and HTML, escaped, with links", async () => {
    const outbox = await startOutbox(kept.db, kept.url, mailboxOutbox);
    stops.push(outbox.stop);
    await order("mailbox@example.com");
    await expect.poll(async () => (await listMailbox(kept.db)).length).toBe(1);
    const [message] = await listMailbox(kept.db);
    expect(message).toMatchObject({
      to: "mailbox@example.com",
      links: [
        expect.stringMatching(/^http:\/\/localhost:3000\/orders\/[0-9a-f-]{36}\?k=[\w-]{43}$/),
        "http://localhost:3000/support",
        expect.stringMatching(/^http:\/\/localhost:3000\/orders\/claim\?token=[\w-]{70}$/),
      ],
    });
    const words = `${message?.text}${message?.html}`.replaceAll(/token=[\w-]+/g, "");
    expect(words).not.toContain("Ada");
    expect(message?.text).toContain("2 x Travel Sleeve  $38.00");
    const shippingCents = shippingPrice("express", 38_00);
    expect(message?.text).toContain(`Shipping: ${formatMoney(shippingCents)}`);
    expect(message?.text).toContain(`Total: ${formatMoney(38_00 + shippingCents)}`);
  });

  it("delivers a job that was queued while the name of its template was its letter", async () => {
    const outbox = await startOutbox(kept.db, kept.url, mailboxOutbox);
    stops.push(outbox.stop);
    const job = { letter: "account-deleted", email: "before@example.com" };
    await kept.db.execute(
      sql`INSERT INTO pgboss.job (name, data, policy, retry_limit) SELECT name, ${JSON.stringify(job)}::jsonb, policy, 0 FROM pgboss.queue WHERE name = 'mail'`,
    );
    const to = async () => (await listMailbox(kept.db)).map((message) => message.to);
    await expect.poll(to).toContain("before@example.com");
  });
});

describe("enqueue_email", () => {
  it.each(['{"orderId":"1"}', "null", "[]"])("takes no job without a template: %s", async (job) => {
    const queued = kept.db.execute(sql`SELECT enqueue_email(${job}::jsonb)`);
    await expect(queued).rejects.toMatchObject({ cause: { message: "an email needs the name of its template" } });
  });

  it("writes what the queue's own send would write", async () => {
    const boss = new PgBoss({ connectionString: kept.url, supervise: false, schedule: false });
    boss.on("error", () => {});
    await boss.start();
    stops.push(() => boss.stop({ graceful: false }));
    const job = { template: "account-deleted" as const, email: "" };
    const sent = await boss.send("mail", job);
    await enqueueEmail(kept.db, job, anyPermit);
    const { rows } = await kept.db.execute<{ id: string }>(
      sql`SELECT to_jsonb(job) - '{id,created_on,start_after,keep_until}'::text[] AS row, keep_until - created_on AS kept, id FROM pgboss.job
        WHERE name = 'mail' AND data = ${JSON.stringify(job)}::jsonb`,
    );
    const [own, bossed] = [rows.find(({ id }) => id !== sent), rows.find(({ id }) => id === sent)];
    expect(bossed).toBeDefined();
    expect({ ...own, id: sent }).toEqual(bossed);
  });
});
