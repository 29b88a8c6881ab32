/** Random, concurrent actions of buyers, staff and the provider, also while the shop is down. */
import { randomInt as random, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelItems } from "#shop/fulfillment/cancel-items.server.ts";
import {
  askForPayment,
  cancelByBuyer,
  cancelByStaff,
  declineByStaff,
  markDelivered,
} from "#shop/fulfillment/fulfill.server.ts";
import { undoShipment } from "#shop/fulfillment/correct-shipment.server.ts";
import { refundOrder } from "#shop/fulfillment/refund.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { ProviderError } from "#shop/payments/provider.ts";
import { askFee, authorizeReturn, declineReturn, withdrawReturn } from "#shop/returns/handle.server.ts";
import { answerQuote, inspectReturn, quoteRepair, receiveReturn } from "#shop/returns/handle.server.ts";
import { carryOutReturns } from "#shop/returns/jobs.server.ts";
import { OUTCOMES, OPEN_STATES } from "#shop/returns/lifecycle.ts";
import { resolveReturn } from "#shop/returns/handle.server.ts";
import { CONDITIONS } from "#shop/returns/return.ts";
import { getReturn, listReturnsOfOrder } from "#shop/returns/returns.server.ts";
import { stripeTax } from "#shop/tax/stripe-tax.server.ts";
import { moveOrder, STATES } from "./move-traffic.ts";
import { moveParcel, sendGift } from "./parcel-traffic.ts";
import { payOnPage } from "./pay-page.ts";
import type { TestPaymentSandbox } from "./payment-sandbox.ts";
import { providerOf } from "./provider-of.ts";
import { askForReturn } from "./return-traffic.ts";
import { aParcel, startStaff, type StaffProcess } from "./staff.ts";
import { Visitor } from "./visitor.ts";

const LANES = 6;
const PRODUCTS = ["travel-sleeve", "charging-dock", "ethylene-filter-2-pack"];
/** Most pay; some are declined, some cannot be charged, some refunds take a while or fail. */
const CARDS = [
  ...Array.from({ length: 12 }, () => "4242424242424242"),
  "4000000000000002",
  "4000000000004400",
  "4000000000007726",
  "4000000000005126",
];
const PATHS = [
  "/v1/checkout/sessions",
  "/v1/payment_intents/*/capture",
  "/v1/refunds",
  "/v1/payment_intents/*/cancel",
  "/v1/tax/*/create_reversal",
];
const DAY_MS = 86_400_000;
const STAFF = { staffId: randomUUID(), role: "owner", address: "203.0.113.9", requestId: null } as const;

/** No order is in the right status. */
class NoOrder extends Error {}

type Given = {
  database: { db: Database; pool: Pool; url: string };
  sandbox: TestPaymentSandbox;
  shop: { url: string };
  actions: number;
  /** Discount codes that half of the buyers enter. */
  codes: string[];
};

export function startTraffic({ database: { db, pool, url }, sandbox, shop, actions, codes }: Given) {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const providers = providerOf(sandbox, shop);
  const tax = stripeTax(() => Promise.resolve(sandbox));
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  let isOn = true;
  let begun = 0;
  let done = 0;
  let parcels = 0;
  let buyers = 0;

  const withOrder = (statuses: string[], act: (id: string) => Promise<unknown>) => async () => {
    const text = "SELECT id FROM orders WHERE status = ANY($1) ORDER BY random() LIMIT 1";
    const { rows } = await pool.query<{ id: string }>(text, [statuses]);
    if (!rows[0]) throw new NoOrder();
    await act(rows[0].id);
  };
  async function aLine(orderId: string): Promise<{ id: string; quantity: number }> {
    const { rows } = await pool.query<{ id: string; quantity: number }>(
      "SELECT id, quantity FROM order_items WHERE order_id = $1 ORDER BY random() LIMIT 1",
      [orderId],
    );
    return rows[0]!;
  }

  /** Some do not pay, and some do not come back from paying. */
  async function buy(): Promise<void> {
    const guest = new Visitor(shop.url);
    for (const slug of PRODUCTS.slice(random(3))) await guest.add(slug, 1 + random(3));
    if (random(2) === 0) await guest.post("/cart/code", { code: pick(codes) });
    const fields = { email: `traffic-${++buyers}@example.com`, ...pick(STATES) };
    const asked = await guest.checkout(fields);
    const [, seenTax] = asked.status === 409 ? (/name="seenTax"[^>]*value="(\d+)"/.exec(await asked.text()) ?? []) : [];
    const answer = seenTax === undefined ? asked : await guest.checkout({ ...fields, seenTax });
    if (answer.status >= 500 && answer.status !== 503) throw new Error(`checkout answered ${answer.status}`);
    const page = answer.headers.get("Location") ?? "";
    if (!page.startsWith("http") || random(8) === 0) return;
    const { location } = await payOnPage(page, { number: pick(CARDS) });
    if (!location || random(3) === 0) return;
    const { pathname, search } = new URL(location);
    await guest.fetch(pathname + search);
  }

  async function payAgain(id: string): Promise<void> {
    const page = await openPage(db, providers, id);
    if (page.ok && page.url) await payOnPage(page.url, { number: pick(CARDS) });
  }

  async function payForReturn(id: string): Promise<void> {
    const [toPay] = (await listReturnsOfOrder(db, id)).flatMap((orderReturn) => orderReturn.toPay ?? []);
    if (!toPay) throw new NoOrder();
    const page = await openPage(db, providers, id, { chargeId: toPay.chargeId });
    if (page.ok && page.url) await payOnPage(page.url, { number: pick(CARDS) });
  }

  async function shipSome(id: string): Promise<void> {
    const { id: line, quantity } = await aLine(id);
    const units = random(2) ? { [line]: 1 + random(quantity) } : undefined;
    const parcel = aParcel(++parcels, units);
    await Promise.all(Array.from({ length: 1 + random(2) }, () => shipOrder(db, providers, id, parcel, null)));
  }

  async function changeLine(id: string): Promise<void> {
    const { id: itemId, quantity } = await aLine(id);
    const change = { keep: { [itemId]: random(quantity) }, returnsStock: random(2) === 0, reason: "damaged" } as const;
    await cancelItems(db, providers, id, change, null);
  }

  async function undoOne(id: string): Promise<void> {
    const { rows } = await pool.query<{ id: string }>("SELECT id FROM shipments WHERE order_id = $1", [id]);
    if (rows.length > 0) await undoShipment(db, id, pick(rows).id, null);
  }

  /** A member of the staff or the buyer does any of the things that may be done to a return; most fit its state. */
  async function goOn(id: string): Promise<void> {
    const found = await getReturn(db, id);
    if (!found) return;
    const by = STAFF;
    const { orderId } = found;
    const isStaffs = found.kind === "warranty" || found.kind === "repair";
    const finding = () => ({
      condition: pick(Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]),
      isRestocked: !isStaffs && random(2) === 0,
    });
    const authorize = () => authorizeReturn(db, id, {}, by);
    const receive = () => receiveReturn(db, id, by);
    const reopen = () => authorizeReturn(db, id, { event: "reopened" }, by);
    const withdraw = () => withdrawReturn(db, orderId, id, "guest");
    const inspect = () => {
      const cents = random(4) === 0 && !isStaffs ? 1 + random(20_00) : 0;
      const lines = Object.fromEntries(found.items.map((item) => [item.id, finding()]));
      return inspectReturn(db, id, { lines, deduction: cents > 0 ? { cents, reason: "used" } : null }, by);
    };
    const resolve = () =>
      resolveReturn(
        db,
        { providers, taxProvider: tax },
        id,
        { outcome: pick(OUTCOMES), partId: pick(found.items).productId, isVerified: true },
        by,
      );
    const answer = () => answerQuote(db, orderId, id, random(2) === 0, "guest");
    const fitting: Partial<Record<typeof found.state, (() => Promise<unknown>)[]>> = {
      requested: [
        authorize,
        authorize,
        authorize,
        withdraw,
        () => declineReturn(db, id, "late", by),
        () => askFee(db, id, by),
      ],
      authorized: [receive, receive, receive, withdraw, resolve, () => askFee(db, id, by)],
      received: [inspect],
      inspected: [resolve, resolve, () => quoteRepair(db, id, 35_00 + random(50_00), by)],
      quoted: [answer],
      expired: [reopen],
      withdrawn: [reopen],
    };
    const acts = random(5) === 0 ? Object.values(fitting).flat() : (fitting[found.state] ?? [resolve]);
    await Promise.all([pick(acts)(), pick(acts)()]);
  }

  async function stepOfReturn(): Promise<void> {
    const text = "SELECT id FROM returns WHERE state = ANY($1) ORDER BY random() LIMIT 1";
    const { rows } = await pool.query<{ id: string }>(text, [[...OPEN_STATES, "expired", "withdrawn"]]);
    if (!rows[0]) throw new NoOrder();
    await goOn(rows[0].id);
  }

  /** Daily chores of returns; some were not sent in time. */
  async function passTime(): Promise<void> {
    await pool.query(`UPDATE returns SET ship_by = ship_by - 30 WHERE id IN (
      SELECT id FROM returns WHERE state = 'authorized' ORDER BY random() LIMIT 1)`);
    await carryOutReturns(db, (error) => {
      throw error;
    });
  }

  const fail = () =>
    sandbox.control(
      random(3) === 0
        ? { do: "fail", order: { on: "webhook", fault: pick(["dropped", "twice", "badly-signed"] as const) } }
        : {
            do: "fail",
            order: {
              on: "call",
              fault: pick(["cut", "error", "rate-limit"] as const),
              when: pick(["before", "after"] as const),
              method: "POST",
              path: pick(PATHS),
            },
          },
    );

  const spare: { staff: StaffProcess | null } = { staff: null };
  /** Staff whose process is killed while they ship. */
  async function killStaff(): Promise<void> {
    const staff = spare.staff;
    spare.staff = null;
    if (!staff) return;
    const { rows } = await pool.query<{ id: string }>("SELECT id FROM orders WHERE status = 'processing' LIMIT 5");
    const orderIds = rows.map(({ id }) => id);
    const { apiUrl, payPal, secretKey, webhookSecret } = sandbox;
    const from = parcels + 1;
    parcels += orderIds.length;
    staff.ship({ databaseUrl: url, sandbox: { apiUrl, payPal, secretKey, webhookSecret }, shop, orderIds, from });
    const first = aParcel(from).trackingNumber;
    const hasBegun = async () =>
      (await pool.query("SELECT FROM shipments WHERE tracking_number >= $1", [first])).rowCount !== 0;
    for (let tries = 0; tries < 200 && !(await hasBegun()); tries++) await pause(10);
    await staff.kill();
  }

  const acts: [weight: number, what: string, act: () => Promise<unknown>][] = [
    [30, "buy", buy],
    [6, "pay again", withOrder(["unpaid", "processing"], payAgain)],
    [4, "the buyer cancels", withOrder(["unpaid", "processing", "shipped"], (id) => cancelByBuyer(db, id, "guest"))],
    [20, "ship", withOrder(["processing", "processing", "shipped"], shipSome)],
    [4, "undo a shipment", withOrder(["shipped"], undoOne)],
    [8, "a parcel moves", withOrder(["shipped"], (id) => moveParcel({ db, pool }, id))],
    [2, "send at no charge", () => sendGift({ db, pool }, pick(PRODUCTS), STAFF)],
    [5, "deliver", withOrder(["shipped"], (id) => markDelivered(db, id, null))],
    [3, "staff cancel", withOrder(["processing", "shipped"], (id) => cancelByStaff(db, id, null))],
    [3, "decline", withOrder(["processing", "unpaid"], (id) => declineByStaff(db, id, "sold-out", null))],
    [6, "move", withOrder(["processing", "shipped"], (id) => moveOrder({ db, tax, providers }, id, STAFF))],
    [5, "cancel a line", withOrder(["processing", "shipped"], changeLine)],
    [
      3,
      "delay",
      withOrder(["processing", "shipped"], (id) =>
        delayOrder(db, id, newYorkDay(new Date(Date.now() + (2 + random(60)) * DAY_MS)), null, { paysAgain: true }),
      ),
    ],
    [
      8,
      "refund",
      withOrder(["shipped", "delivered"], (id) =>
        refundOrder(db, providers, id, { cents: 1 + random(60_00), reason: "goodwill" }, null),
      ),
    ],
    [6, "ask for a return", withOrder(["shipped", "delivered"], (id) => askForReturn({ db, tax }, id))],
    [20, "go on with a return", stepOfReturn],
    [4, "pay for a return", withOrder(["shipped", "delivered"], payForReturn)],
    [1, "time passes for returns", passTime],
    [2, "ask for payment", withOrder(["processing"], (id) => askForPayment(db, providers, id, null))],
    [
      3,
      "the hold ends",
      withOrder(["unpaid"], (id) =>
        pool.query("UPDATE orders SET hold_until = now() - interval '1 second' WHERE id = $1 AND status = 'unpaid'", [
          id,
        ]),
      ),
    ],
    [5, "the provider fails", fail],
    [1, "staff are killed", killStaff],
  ];
  const lots = acts.flatMap(([weight, what, act]) => Array.from({ length: weight }, () => ({ what, act })));

  /** The shop or the provider is down. */
  const isExpected = (error: unknown) => [TypeError, ProviderError, NoOrder].some((kind) => error instanceof kind);

  async function lane(): Promise<void> {
    while (isOn && begun < actions) {
      begun += 1;
      const { what, act } = pick(lots);
      spare.staff ??= startStaff();
      try {
        await act();
        counts[what] = (counts[what] ?? 0) + 1;
        done += 1;
      } catch (error) {
        if (!isExpected(error)) {
          faults.push(`${what}: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
          isOn = false;
        }
        begun -= 1;
        await pause(20);
      }
    }
  }

  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  return {
    /** Resolves after so many actions. */
    async until(amount: number): Promise<void> {
      while (isOn && done < amount) await pause(10);
    },
    /** Actions under way finish, and none begins. */
    stop() {
      isOn = false;
    },
    async ended() {
      await lanes;
      await spare.staff?.kill();
      return { faults, counts };
    },
  };
}
