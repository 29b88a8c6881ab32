/** Bodies from strangers: refused by headers that tell enough, bounded in sum, and counted before they are built. */
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Caller, newAddress } from "../../support/visitor.ts";
import { useShop } from "../../support/use-shop.ts";

const { shop, actor } = useShop({
  TRUST_PROXY: "loopback",
  RATE_LIMIT_SCALE: "1",
  PAYMENTS: "sandbox",
  INBOX_ADDRESS: "support@shop.example",
  INBOX_WEBHOOK_SECRET: "a secret of the mail provider",
});

const MEGABYTE = 1024 * 1024;
const seconds = (ago = 0) => Math.floor(Date.now() / 1000) - ago;
const hex = "ab".repeat(32);

type Sent = { from?: string; length?: number | "chunked"; headers?: Record<string, string> };
const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

/** Sends the head of a request, then `bytes` of its body; `answered` is the status, whenever it comes. */
function begin(path: string, { from = newAddress(), length = 90, headers = {} }: Sent, bytes = 0) {
  const socket = connect(Number(new URL(shop.url).port), "localhost");
  open.push(() => socket.destroy());
  const lines = { Host: "localhost", Origin: shop.url, "X-Forwarded-For": from, ...headers };
  const size = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  const head = [`POST ${path} HTTP/1.1`, ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`), size];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const sent = new Promise<void>((done) => socket.write(Buffer.alloc(bytes, "a"), () => done()));
  const answered = new Promise<number>((done) => {
    socket.once("data", (answer: Buffer) => done(Number(answer.toString().slice(9, 12))));
    socket.on("error", () => done(0));
  });
  return { sent, answered, socket };
}

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const UPLOAD = { "Content-Type": "multipart/form-data; boundary=b" };
const MAIL = "/inbox/mail";
const mailSigned = (signature: string) => ({ "Polara-Signature": signature });
const PAYPAL = {
  "PAYPAL-AUTH-ALGO": "SHA256withRSA",
  "PAYPAL-CERT-URL": "https://api.paypal.com/v1/notifications/certs/CERT-1",
  "PAYPAL-TRANSMISSION-ID": "a-transmission",
  "PAYPAL-TRANSMISSION-SIG": "bm90IFBheVBhbA==",
  "PAYPAL-TRANSMISSION-TIME": new Date().toISOString(),
};
const paypal = (headers: Record<string, string>) => ["/payments/paypal/events", { headers: { ...PAYPAL, ...headers } }];
const stripe = (signature: string) => ["/payments/stripe/events", { headers: { "Stripe-Signature": signature } }];

it.each([
  ["a form of another type", 415, "/cart/add", { headers: { "Content-Type": "text/plain" } }],
  ["a form without its length", 411, "/cart/add", { headers: FORM, length: "chunked" }],
  ["a form that is too large", 413, "/cart/add", { headers: FORM, length: 65 * 1024 }],
  ["an upload where none is taken", 413, "/cart/add", { headers: UPLOAD, length: MEGABYTE }],
  ["an email without a signature", 400, MAIL, {}],
  ["an email with half a signature", 400, MAIL, { headers: mailSigned(`t=${seconds()},v1=${hex.slice(1)}`) }],
  ["an email signed long ago", 400, MAIL, { headers: mailSigned(`t=${seconds(301)},v1=${hex}`) }],
  ["an email without its length", 411, MAIL, { headers: mailSigned(`t=${seconds()},v1=${hex}`), length: "chunked" }],
  ["an email that is too large", 413, MAIL, { headers: mailSigned(`t=${seconds()},v1=${hex}`), length: 26 * MEGABYTE }],
  ["an event of Stripe without a signature", 400, ...stripe("")],
  ["an event of Stripe with half a signature", 400, ...stripe(`t=${seconds()},v1=${hex.slice(1)}`)],
  ["an event of Stripe that is old", 400, ...stripe(`t=${seconds(301)},v1=${hex}`)],
  ["an event of PayPal with another algorithm", 400, ...paypal({ "PAYPAL-AUTH-ALGO": "none" })],
  [
    "an event of PayPal with another's certificate",
    400,
    ...paypal({ "PAYPAL-CERT-URL": "https://paypal.com.evil.example/" }),
  ],
  ["an event of PayPal that is old", 400, ...paypal({ "PAYPAL-TRANSMISSION-TIME": "2026-11-26T10:00:00Z" })],
] as [what: string, status: number, path: string, sent: Sent][])(
  "%s is refused before its body is read: %i",
  async (_what, status, path, sent) => expect(await begin(path, sent).answered).toBe(status),
);

it("a return with another type than photos have is refused before its body is read", async () => {
  const { visitor, orderId } = await actor("guest");
  const headers = { "Content-Type": "text/plain", Cookie: visitor.cookieHeader() };
  expect(await begin(`/orders/${orderId}/return`, { headers, length: 31 * MEGABYTE }).answered).toBe(415);
});

it.each([
  ["Stripe", "/payments/stripe/events", { "Stripe-Signature": `t=${seconds()},v1=${hex}` }],
  ["PayPal", "/payments/paypal/events", {}],
  ["the mail provider", MAIL, {}],
])(
  "sixty requests of a network that %s has not signed are the last ones in a minute",
  async (_signer, path, headers) => {
    const from = newAddress();
    const statuses = [];
    for (let i = 0; i < 70; i++) {
      const request = { method: "POST", body: "{}", headers: { "X-Forwarded-For": from, ...headers } };
      statuses.push((await fetch(shop.url + path, request)).status);
    }
    expect(statuses).toEqual([...Array(60).fill(400), ...Array(10).fill(429)]);
    expect(
      (await fetch(shop.url + path, { method: "POST", headers: { "X-Forwarded-For": newAddress() } })).status,
    ).toBe(400);
  },
);

describe("bodies underway", () => {
  const LENGTH = 25 * MEGABYTE;
  /** An email that is sent but for its last byte; whether its signature is right shows only then. */
  const hold = (from: string) =>
    begin(MAIL, { from, length: LENGTH, headers: mailSigned(`t=${seconds()},v1=${hex}`) }, LENGTH - 1);

  it("are as many as the process holds, for a network and in sum; forms and pages go on, and room comes back", async () => {
    const [one, another, third] = [newAddress(), newAddress(), newAddress()];
    const held = [hold(one), hold(another)];
    await Promise.all(held.map(({ sent }) => sent));
    const buyer = new Caller(shop.url);
    expect((await buyer.add("travel-sleeve")).status).toBe(303);
    // One of 25 MB of the 32 MB of a network, two of the 64 MB of all.
    expect(await hold(one).answered).toBe(503);
    expect(await hold(third).answered).toBe(503);
    expect((await buyer.add("ethylene-filter-2-pack")).status).toBe(303);
    for (const { socket } of held) socket.write("a");
    expect(await Promise.all(held.map(({ answered }) => answered))).toEqual([400, 400]);
    const again = hold(one);
    await again.sent;
    again.socket.write("a");
    expect(await again.answered).toBe(400);
  });

  it("half-sent forms of four networks keep nobody from buying, and end after ten seconds", async () => {
    const unsubscribe = "/waitlist/unsubscribe?k=none";
    const held = Array.from({ length: 4 * 300 }, (_, i) =>
      begin(i % 2 ? "/cart/add" : unsubscribe, { from: `203.0.113.${10 + (i % 4)}`, headers: FORM }, 10),
    );
    let answered = 0;
    for (const form of held) void form.answered.then(() => answered++);
    const connections = () => readdirSync(`/proc/${shop.child.pid}/fd`).length;
    await expect.poll(connections, { timeout: 8_000 }).toBeGreaterThan(1_000);
    const buyer = new Caller(shop.url);
    expect((await buyer.add("travel-sleeve")).status).toBe(303);
    expect((await buyer.checkout()).status).toBe(303);
    expect((await buyer.fetch("/search?q=bowl")).status).toBe(200);
    expect(answered).toBe(0);
    expect(new Set(await Promise.all(held.map((form) => form.answered)))).toEqual(new Set([408]));
  });
});
