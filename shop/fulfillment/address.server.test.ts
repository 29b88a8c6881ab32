import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { uncounted } from "#tests/support/mail-permit.ts";
import { MemoryProvider } from "#tests/support/memory-provider.ts";
import { recordsOf } from "#tests/support/order-records.ts";
import { HOME } from "#tests/support/order-world.ts";
import { announceAll, placedOrder, type Placed } from "#tests/support/placed-order.ts";
import { ROUNDS } from "#tests/support/rounds.ts";
import { changeSettings } from "#tests/support/settings.ts";
import { aParcel } from "#tests/support/staff.ts";
import type { Move } from "#shop/orders/actions/change-address.ts";
import type { Role } from "#shop/roles.ts";
import { check } from "#shop/orders/check.ts";
import { readFacts } from "#shop/orders/facts.server.ts";
import { addressLine, type Address } from "#shop/orders/order.ts";
import { getOrder } from "#shop/orders/orders.server.ts";
import type { RateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { TaxError, type TaxProvider } from "#shop/tax/tax-provider.ts";
import { correctAddress, moveByBuyer } from "./address.server.ts";
import { shipOrder } from "./ship.server.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { loadSettings } from "#shop/settings/settings.server.ts";
import type { TaxSettings } from "#shop/settings/settings.ts";

const shop = useFreshDatabase();
const { query, set, stepsOf, emailOf, jobsOf } = recordsOf(shop);
let bank: MemoryProvider;
let numbers = 8000;
let quotes = 0;

const collect = async (tax: Partial<TaxSettings>) => {
  await changeSettings(shop.db, { tax });
  await loadSettings(shop.db);
};
beforeAll(() => collect({ TX: true, UT: true }));
beforeEach(async () => {
  bank = new MemoryProvider();
  await query("TRUNCATE orders CASCADE");
  await query("DELETE FROM pgboss.job");
});

const BROOKLYN = { ...HOME, shippingAddressLine1: "1 Other Street", shippingPostalCode: "11201" };
const AUSTIN = { ...HOME, shippingCity: "Austin", shippingState: "TX", shippingPostalCode: "78701" };
const PORTLAND = { ...HOME, shippingCity: "Portland", shippingState: "OR", shippingPostalCode: "97201" };

/** Texas takes a tenth, of shipping too; Utah does not answer. Prices are $40, so the line of a product is unique. */
const taxes: TaxProvider = {
  async quote(lines, shippingCents, { state, postalCode }) {
    if (state === "UT") throw new TaxError("away");
    if (state === "TX" && !postalCode.startsWith("78")) throw new TaxError("address");
    const rate = state === "TX" ? 0.1 : 0;
    const lineTaxCents = Object.fromEntries(lines.map(({ productId, amountCents }) => [productId, amountCents * rate]));
    const shippingTaxCents = Math.round(shippingCents * rate);
    const taxCents = Object.values(lineTaxCents).reduce((sum, cents) => sum + cents, shippingTaxCents);
    const expiresAt = new Date(Date.now() + 86_400_000);
    return { reference: `quote ${++quotes}`, expiresAt, lineTaxCents, shippingTaxCents, taxCents };
  },
  record: async () => "",
  reverse: async () => {},
};

type By = { seenTaxCents?: number; taxProvider?: TaxProvider | null; rateLimits?: RateLimits };

async function change(id: string, address: Address, by: By = {}) {
  const order = (await getOrder(shop.db, id))!;
  const { seenTaxCents, taxProvider = taxes, rateLimits = uncounted } = by;
  return moveByBuyer(shop.db, order, { address, seenTaxCents }, "guest", {
    network: "192.0.2.1",
    rateLimits,
    taxProvider,
    providers: bank.providers,
  });
}

const amountsOf = async (id: string) =>
  (
    await query(
      `SELECT shipping_state AS state, tax, shipping_tax, total, (
         SELECT array_agg(tax ORDER BY name) FROM order_items WHERE order_id = orders.id) AS lines FROM orders WHERE id = $1`,
      [id],
    )
  )[0];
const UNTAXED = { tax: 0, shipping_tax: 0, lines: [0, 0] };
/** Two docks and a sleeve: $120, shipping is free. Shipping of $80 is not. */
const TWO = { "charging-dock": 2, "travel-sleeve": 1 };
const saved = async (units: Record<string, number> = TWO) => {
  const placed = await placedOrder(shop.db, units, { keepsCard: true });
  bank.keepCard(placed.reference, { customer: `customer of ${placed.id}`, method: `card of ${placed.id}` });
  return placed;
};
const authorized = async () => {
  const placed = await placedOrder(shop.db, TWO, { isAuthorized: true });
  bank.authorize(placed.reference, placed.totalCents);
  return placed;
};
const ship = async ({ id }: Placed, units?: Record<string, number>) => {
  await announceAll(shop.db, id);
  return shipOrder(shop.db, bank.providers, id, aParcel(++numbers, units), null);
};

describe("a new address in the same state", () => {
  it("keeps the tax, and is told in an event, a note of the staff and an email without addresses", async () => {
    const { id, totalCents } = await authorized();
    expect(await change(id, BROOKLYN)).toEqual({ ok: true, repeated: false });
    expect(await change(id, BROOKLYN)).toEqual({ ok: true, repeated: true });
    expect(await amountsOf(id)).toEqual({ state: "NY", total: totalCents, ...UNTAXED });
    expect(await stepsOf(id)).toEqual(["address-changed by guest"]);
    expect(await query("SELECT kind, staff_id, text FROM order_notes WHERE order_id = $1", [id])).toEqual([
      {
        kind: "address",
        staff_id: null,
        text: "From Ada Lovelace, 12 Analytical Ave, New York, NY 10001\nto Ada Lovelace, 1 Other Street, New York, NY 11201",
      },
    ]);
    expect(await jobsOf(id)).toHaveLength(1);
    const { text } = await emailOf(id);
    expect(text).toMatch(
      /[Tt]he street and ZIP code in the shipping address of your order \w+ changed\. It now ships to A••• L•••, number 1••, NY 112••\./,
    );
    expect(text).not.toMatch(/Lovelace|Street|total/);
  });

  it("of a shop that collects no tax may be anywhere", async () => {
    const { id, totalCents } = await authorized();
    expect(await change(id, AUSTIN, { taxProvider: null })).toMatchObject({ ok: true });
    expect(await amountsOf(id)).toEqual({ state: "TX", total: totalCents, ...UNTAXED });
  });
});

describe("a new address in another state", () => {
  it("is taxed if the shop was registered there when the order was placed", async () => {
    const before = await saved({ "charging-dock": 1 });
    await collect({ TX: false });
    const after = await saved({ "charging-dock": 1 });
    expect(await change(after.id, AUSTIN)).toMatchObject({ ok: true });
    expect(await amountsOf(after.id)).toMatchObject({ state: "TX", tax: 0 });
    expect(await change(before.id, AUSTIN)).toMatchObject({ ok: false, reason: "tax", toCents: 5_00 });
    await collect({ TX: true });
  });

  it("whose tax is higher is confirmed first, and each parcel is then charged with its share", async () => {
    const placed = await saved({ "charging-dock": 1, "travel-sleeve": 1 });
    const { id, lines } = placed;
    const taxed = { fromCents: 0, toCents: 9_00, totalCents: 98_99, waivedCents: 9_00, payable: "later" };
    expect(await change(id, AUSTIN)).toEqual({ ok: false, reason: "tax", ...taxed });
    expect(await change(id, AUSTIN, { seenTaxCents: 8_00 })).toEqual({ ok: false, reason: "tax", ...taxed });
    expect(await amountsOf(id)).toMatchObject({ state: "NY", ...UNTAXED });
    expect(await change(id, AUSTIN, { seenTaxCents: 9_00 })).toMatchObject({ ok: true });
    expect(await amountsOf(id)).toEqual({
      state: "TX",
      tax: 9_00,
      shipping_tax: 1_00,
      lines: [4_00, 4_00],
      total: 98_99,
    });
    expect((await emailOf(id)).text).toContain("With the sales tax there, your total is now $98.99.");
    await ship(placed, { [lines["charging-dock"]!]: 1 });
    expect(bank.sum()).toBe(40_00 + 4_00 + 9_99 + 1_00);
    await ship(placed);
    expect(bank.sum()).toBe(98_99);
  });

  it("is refused if its authorization is for less, and taken if it is for more", async () => {
    const placed = await authorized();
    const { id } = placed;
    const fixed = { ok: false, reason: "fixed", toCents: 12_00, totalCents: 132_00, payable: "again" };
    expect(await change(id, AUSTIN, { seenTaxCents: 12_00 })).toMatchObject(fixed);
    expect(await amountsOf(id)).toMatchObject({ state: "NY", ...UNTAXED });
    await query("UPDATE orders SET shipping_state = 'TX', tax = 1200, total = 13200 WHERE id = $1", [id]);
    await query("UPDATE order_items SET tax = price * quantity / 10 WHERE order_id = $1", [id]);
    await query("UPDATE order_units SET tax = price / 10 WHERE order_id = $1", [id]);
    expect(await change(id, PORTLAND)).toMatchObject({
      reason: "tax",
      fromCents: 12_00,
      toCents: 0,
      totalCents: 120_00,
    });
    expect(await change(id, PORTLAND, { seenTaxCents: 0 })).toMatchObject({ ok: true });
    await ship(placed);
    expect(bank.sum()).toBe(120_00);
  });

  it.each<[string, Address, By, object]>([
    [
      "the ZIP code is of another state",
      { ...AUSTIN, shippingPostalCode: "10001" },
      {},
      { reason: "no-quote", why: "address" },
    ],
    ["the tax provider is away", { ...AUSTIN, shippingState: "UT" }, {}, { reason: "no-quote", why: "away" }],
    ["a taxed order cannot be quoted anymore", AUSTIN, { taxProvider: null }, { reason: "unknown-tax" }],
  ])("is refused if %s", async (_why, address, by, refusal) => {
    const { id } = await saved();
    if (by.taxProvider === null) await query("UPDATE orders SET tax = 100, total = total + 100 WHERE id = $1", [id]);
    expect(await change(id, address, by)).toMatchObject({ ok: false, ...refusal });
    expect(await amountsOf(id)).toMatchObject({ state: "NY" });
  });
});

describe("staff, who move an order to a taxed state,", () => {
  const STAFF = { staffId: randomUUID(), role: "manager", address: "203.0.113.9", requestId: null } as const;
  type Choice = Partial<Pick<Move, "seenTaxCents" | "bears" | "from">> & { role?: Role };

  const correct = async (id: string, address: Address, { role = "manager", ...choice }: Choice = {}) => {
    const order = (await getOrder(shop.db, id))!;
    const moving = { address, from: addressLine(order), ...choice };
    const desk = { rateLimits: uncounted, taxProvider: taxes, providers: bank.providers };
    return correctAddress(shop.db, order, moving, { by: { ...STAFF, role }, isVerified: false }, desk);
  };
  const books = async (id: string) => check((await readFacts(shop.db, id))!);
  const lastNote = async (id: string) =>
    (
      await query<{ text: string }>("SELECT text FROM order_notes WHERE order_id = $1 ORDER BY id DESC LIMIT 1", [id])
    )[0]?.text;
  const audited = async (id: string) =>
    (await query<{ after: object }>("SELECT after FROM audit_log WHERE subject = $1", [`order:${id}`])).map(
      ({ after }) => after,
    );

  it("bear it: the buyer's total stays, and of what is charged the whole tax is recorded", async () => {
    const placed = await authorized();
    const { id, totalCents } = placed;
    expect(await correct(id, AUSTIN, { seenTaxCents: 12_00, bears: "shop" })).toMatchObject({ ok: true });
    expect(await amountsOf(id)).toEqual({ state: "TX", total: totalCents, ...UNTAXED });
    expect(await audited(id)).toEqual([{ changed: "city, state, ZIP code", taxCents: 12_00, waivedCents: 12_00 }]);
    expect(await lastNote(id)).toContain("Sales tax from $0.00 to $12.00, of which we pay $12.00");
    const said = { template: "order-address-changed", totalCents: null, paysAgain: false };
    expect(await jobsOf(id)).toMatchObject([said]);
    await ship(placed);
    expect(bank.sum()).toBe(120_00);
    const [record] = await query("SELECT amount, tax FROM tax_records WHERE order_id = $1", [id]);
    expect(record).toEqual({ amount: 108_00, tax: 12_00 });
    expect(await books(id)).toEqual([]);
  });

  it("ask the buyer to pay again, because the payment is for less: it is released, and the email links to another", async () => {
    const { id } = await authorized();
    expect(await correct(id, AUSTIN, { seenTaxCents: 12_00, bears: "customer" })).toMatchObject({ ok: true });
    expect(await amountsOf(id)).toEqual({
      state: "TX",
      total: 132_00,
      tax: 12_00,
      shipping_tax: 0,
      lines: [8_00, 4_00],
    });
    expect((await emailOf(id)).text).toMatch(
      /your total is now \$132\.00\.\s+Your payment was for less, so we released it\. Please pay again/,
    );
    expect(
      await query(
        "SELECT payment_actions.kind, payment_actions.state FROM payment_actions JOIN payments ON payments.id = payment_id WHERE order_id = $1",
        [id],
      ),
    ).toEqual([{ kind: "void", state: "done" }]);
    expect(await query("SELECT state FROM payments WHERE order_id = $1", [id])).toEqual([{ state: "closed" }]);
    expect(await query("SELECT payment_status FROM orders WHERE id = $1", [id])).toEqual([
      { payment_status: "unpaid" },
    ]);
    expect(await books(id)).toEqual([]);
  });

  it("bear no more than the limit of their refunds", async () => {
    const { id } = await saved({ "charging-dock": 10, "travel-sleeve": 10, "replacement-filter": 8 });
    const { toCents } = (await correct(id, AUSTIN)) as { toCents: number };
    expect(await correct(id, AUSTIN, { seenTaxCents: toCents, bears: "shop", role: "support" })).toMatchObject({
      reason: "limit",
      cents: toCents,
    });
    expect(await correct(id, AUSTIN, { seenTaxCents: toCents, bears: "customer", role: "support" })).toMatchObject({
      ok: true,
    });
  });
});

describe("a new address", () => {
  it.each([
    ["the link was revoked", "link_version = 2"],
    ["the order joined an account", `user_id = (SELECT id FROM users LIMIT 1), session_id = NULL`],
  ])("is refused if %s since the page was read", async (_why, columns) => {
    const { id } = await authorized();
    await query("INSERT INTO users (email, name) VALUES ('ada@example.com', 'Ada') ON CONFLICT DO NOTHING");
    const seen = (await getOrder(shop.db, id))!;
    await set(id, columns);
    const desk = { network: "", rateLimits: uncounted, taxProvider: null, providers: null };
    expect(await moveByBuyer(shop.db, seen, { address: BROOKLYN }, "guest", desk)).toEqual({
      ok: false,
      reason: "not-found",
    });
    expect(await stepsOf(id)).toEqual([]);
  });

  it("is refused once everything has shipped or ended, and while a parcel is being charged", async () => {
    const [sent, ended, charged] = [await authorized(), await authorized(), await saved()];
    await ship(sent);
    await query("UPDATE orders SET stage = 'canceled' WHERE id = $1", [ended.id]);
    bank.faults = ["silent"];
    await ship(charged);
    expect(await change(sent.id, BROOKLYN)).toEqual({ ok: false, reason: "status", status: "shipped" });
    expect(await change(ended.id, BROOKLYN)).toEqual({ ok: false, reason: "status", status: "canceled" });
    expect(await change(charged.id, BROOKLYN)).toEqual({ ok: false, reason: "under-way" });
    const [action] = await query<{ id: string }>("SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')");
    await runAction(shop.db, bank.providers, action!.id);
    expect(await change(charged.id, BROOKLYN)).toMatchObject({ ok: false, reason: "status" });
  });

  it.each(["asked", "bought"])("is refused while a label is %s", async (state) => {
    const { id } = await authorized();
    await query(
      "INSERT INTO labels (order_id, state, box, ounces, units, unshipped, rates, rate) VALUES ($1, $2, 'small', 10, '{}', '{}', '[]', '{}')",
      [id, state],
    );
    expect(await change(id, BROOKLYN)).toEqual({ ok: false, reason: "under-way" });
    await query("UPDATE labels SET state = 'voided' WHERE order_id = $1", [id]);
    expect(await change(id, BROOKLYN)).toMatchObject({ ok: true });
  });

  it("is refused without an effect at the limit of emails, which a refusal does not count toward", async () => {
    const { id } = await authorized();
    let used = 0;
    const counted: RateLimits = {
      ...uncounted,
      consume: async ([limit]) => (++used > 1 ? { limit: limit!, wait: 60 } : null),
      refund: async () => void used--,
    };
    expect(await change(id, BROOKLYN, { rateLimits: counted })).toMatchObject({ ok: true });
    expect(await change(id, BROOKLYN, { rateLimits: { ...counted, consume: async () => null } })).toMatchObject({
      repeated: true,
    });
    expect(used).toBe(0);
    used = 1;
    expect(await change(id, HOME, { rateLimits: counted })).toEqual({ ok: false, reason: "too-many", wait: 60 });
    expect(await stepsOf(id)).toEqual(["address-changed by guest"]);
  });

  it("and shipping at once: the parcel goes to one of both, and no address changes after it", async () => {
    const wins = { changed: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const placed = await (round % 2 ? authorized() : saved());
      const acts = [() => change(placed.id, BROOKLYN), () => ship(placed)];
      const [first, second] = await Promise.all((round % 4 < 2 ? acts : acts.toReversed()).map((act) => act()));
      const [changed, sent] = round % 4 < 2 ? [first!, second!] : [second!, first!];
      expect(sent).toMatchObject({ ok: true, state: "shipped" });
      expect(await stepsOf(placed.id)).toEqual(
        changed.ok ? ["address-changed by guest", "shipped by staff"] : ["shipped by staff"],
      );
      wins[changed.ok ? "changed" : "refused"] += 1;
    }
    expect(wins.changed + wins.refused).toBe(ROUNDS);
  });
});
