import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";
import { uncounted } from "../../tests/support/mail-permit.ts";
import { addToCart, getCart } from "../cart/cart.server.ts";
import { listProducts } from "../catalog/catalog.server.ts";
import { parseFilters } from "../catalog/filters.ts";
import { placeOrder } from "../checkout/place-order.server.ts";
import { formatMoney } from "../money.ts";
import { shippingPrice } from "../shipping/methods.ts";
import { listMailbox } from "./mailbox.server.ts";
import { startOutbox } from "./outbox.server.ts";

const kept = useFreshDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function order(email: string): Promise<string> {
  const buyer = { guestId: randomUUID() };
  const product = (await listProducts(kept.db, parseFilters(new URLSearchParams()))).find(
    (p) => p.slug === "travel-sleeve",
  );
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
async function mailServer(accept: (attempt: number) => boolean): Promise<{ url: string; letters: string[] }> {
  const letters: string[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        if (!accept(++attempts)) return done(Object.assign(new Error("try later"), { responseCode: 451 }));
        letters.push(text);
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  stops.push(() => new Promise((done) => server.close(done)));
  const address = server.server.address();
  return { url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, letters };
}

describe("the outbox", () => {
  it("keeps the letter while the mail server refuses, and delivers it once it takes it", async () => {
    const smtp = await mailServer((attempt) => attempt > 1);
    const outbox = await startOutbox(kept.db, kept.url, {
      smtpUrl: smtp.url,
      baseUrl: "http://localhost:3000",
      secret: "a secret only for tests",
      report: () => {},
    });
    stops.push(outbox.stop);
    const number = await order("ada@example.com");
    const state = async () =>
      (await kept.db.execute<{ state: string }>(sql`SELECT state FROM pgboss.job WHERE name = 'mail'`)).rows[0]?.state;
    await expect.poll(state, { timeout: 10_000 }).toBe("retry");
    expect(smtp.letters).toEqual([]);
    await kept.db.execute(sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'mail'`);
    await expect.poll(state, { timeout: 10_000 }).toBe("completed");
    expect(smtp.letters).toHaveLength(1);
    expect(smtp.letters[0]).toContain(`Subject: Your Polara order ${number}`);
  });

  it("writes to the mailbox where there is no mail server: text and HTML, escaped, with links", async () => {
    const outbox = await startOutbox(kept.db, kept.url, {
      smtpUrl: undefined,
      baseUrl: "http://localhost:3000",
      secret: "a secret only for tests",
      report: () => {},
    });
    stops.push(outbox.stop);
    await order("mailbox@example.com");
    await expect.poll(async () => (await listMailbox(kept.db)).length, { timeout: 10_000 }).toBe(1);
    const [message] = await listMailbox(kept.db);
    expect(message).toMatchObject({
      to: "mailbox@example.com",
      links: [
        "http://localhost:3000/support",
        expect.stringMatching(/^http:\/\/localhost:3000\/orders\/claim\?token=[\w-]{70}$/),
      ],
    });
    expect(`${message?.text}${message?.html}`).not.toContain("Ada");
    expect(message?.text).toContain("2 x Travel Sleeve  $38.00");
    const shippingCents = shippingPrice("express", 38_00);
    expect(message?.text).toContain(`Shipping: ${formatMoney(shippingCents)}`);
    expect(message?.text).toContain(`Total: ${formatMoney(38_00 + shippingCents)}`);
  });
});
