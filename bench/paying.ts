/** What it costs that an order has to be paid: placed and held, beside an order that is not, and sent on to the page to pay. */
import { randomUUID } from "node:crypto";
import { GUEST_PURPOSE, openSigner } from "../app/session/signature.server.ts";
import { openDatabase } from "../db/connection.server.ts";
import { placeOrder, type Hold } from "../shop/checkout/place-order.server.ts";
import { formatSeenLines } from "../shop/checkout/seen-lines.ts";
import { uncounted } from "../tests/support/mail-permit.ts";
import { startTestPaymentSandbox } from "../tests/support/payment-sandbox.ts";
import { address } from "../tests/support/visitor.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { load, perSecond } from "./load.ts";
import { AUTH_SECRET, checkBooks, fillCarts, form, prepare, someAddress } from "./orders.ts";
import { serveShop } from "./processes.ts";
import { compared, median, round, type Row } from "./report.ts";

const CONCURRENCY = 32;
const ROUNDS = 5;
const AMOUNT = 2_000;
const SESSIONS = 200;

export async function paying(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  await prepare(url);
  const { db, pool } = openDatabase(url);
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM products ORDER BY slug");
  const carts = (amount: number) =>
    fillCarts(
      db,
      pool,
      rows.map(({ id }) => id),
      1,
      amount,
    );
  const directly = async (hold: Hold | null) => {
    const filled = await carts(AMOUNT);
    return perSecond(CONCURRENCY, AMOUNT, async (i) => {
      const { guestId, lines } = filled[i]!;
      const request = { checkoutKey: randomUUID(), seenLines: lines, form };
      const placed = await placeOrder(db, { guestId }, request, uncounted, hold);
      if (!placed.ok) throw new Error(JSON.stringify(placed));
    });
  };
  const sandbox = await startTestPaymentSandbox(url);
  const shop = await serveShop({
    DATABASE_URL: url,
    AUTH_SECRET,
    TRUST_PROXY: "loopback",
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_API_URL: sandbox.apiUrl,
  });
  const { sign } = openSigner(AUTH_SECRET, GUEST_PURPOSE);
  const overHttp = async () => {
    const filled = (await carts(AMOUNT)).values();
    return load(shop, {
      connections: CONCURRENCY,
      amount: AMOUNT,
      next: () => {
        // More requests are prepared than sent.
        const { guestId, lines } = filled.next().value ?? { guestId: randomUUID(), lines: [] };
        return {
          method: "POST",
          path: "/checkout",
          headers: {
            Origin: shop.url,
            "X-Forwarded-For": someAddress(),
            Accept: "application/json",
            Cookie: `polara_guest=${guestId}.${sign(guestId)}`,
            "Content-Type": "application/x-www-form-urlencoded",
          },
          body: new URLSearchParams({
            ...address,
            email: `${guestId}@example.com`,
            checkoutKey: randomUUID(),
            seen: formatSeenLines(lines),
          }).toString(),
        };
      },
    });
  };
  const open = () =>
    perSecond(CONCURRENCY, SESSIONS, async (i) => {
      await sandbox.stripe.checkout.sessions.create({
        mode: "payment",
        line_items: [
          { price_data: { currency: "usd", unit_amount: 100 + i, product_data: { name: "Bowl" } }, quantity: 1 },
        ],
        payment_intent_data: { capture_method: "manual" },
        success_url: `${shop.url}/payments/return`,
      });
    });
  const figures: { unheld: number; held: number; http: number; opened: number }[] = [];
  for (let i = -1; i < ROUNDS; i++) {
    const round = {
      unheld: (await directly(null)).perSecond,
      held: (await directly({ holdKey: null })).perSecond,
      http: (await overHttp()).perSecond,
      opened: (await open()).perSecond,
    };
    // The first round warms up.
    if (i >= 0) figures.push(round);
  }
  await shop.stop();
  await sandbox.stop();
  await checkBooks(pool);
  await pool.end();
  await drop();
  const rate = (kind: keyof (typeof figures)[number]) => median(figures.map((each) => each[kind]));
  const unit = { unit: "a second" };
  return [
    compared("place order without a provider, called directly", rate("unheld"), unit),
    compared("place order to be paid, called directly", rate("held"), unit),
    {
      what: "  to be paid ÷ without a provider",
      figures: [round(median(figures.map(({ held, unheld }) => held / unheld)), 2)],
    },
    compared("place order to be paid, as the page's script posts", rate("http"), unit),
    compared("  pages to pay that the sandbox opens, alone", rate("opened"), unit),
  ];
}
