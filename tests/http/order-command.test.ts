/** Staff run the shop from the command line, beside it while it sells, and where it is stopped. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOrder } from "../../scripts/order/run.ts";
import { orderNumber } from "../support/buyers.ts";
import { queryEmbedded } from "../support/embedded.ts";
import { emailTo } from "../support/mailbox.ts";
import { typeOrder } from "../support/order-command.ts";
import { startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

let folder: string;
let shop: Shop;
let made = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "polara-order-"));
  shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "" });
});
afterAll(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** In this process: to start one takes longer than what it does. */
const order = (...args: string[]) => runOrder(args, { DATA_DIR: folder });
/** In a process of its own, as `npm run order` is. */
const typed = (...args: string[]) => typeOrder({ DATA_DIR: folder }, args);
const query = <Row extends object>(text: string) => queryEmbedded<Row>(folder, text);

/** A guest's order of two products, and the address its emails go to. */
async function placed(): Promise<{ number: string; email: string }> {
  const guest = new Visitor(shop.url);
  const email = `guest-${++made}@example.com`;
  await guest.add("charging-dock", 2);
  await guest.add("travel-sleeve", 1);
  const answer = await guest.checkout({ email });
  const location = answer.headers.get("Location");
  const html = location ? await (await guest.fetch(location)).text() : await answer.text();
  return { number: orderNumber(html) ?? "", email };
}

const TRACKING = "1Z999AA10123456784";

describe("beside a shop that sells", () => {
  it("an order goes from the list to its customer's door, and each step is mailed", async () => {
    const { number, email } = await placed();
    expect((await typed("list")).out).toContain(`${number}  processing`);
    expect((await order(number, "show")).out).toMatch(/line 1: 2 x [\s\S]*2 not sent[\s\S]*placed by guest/);

    const half = await typed(number, "ship", "--carrier", "ups", "--tracking", TRACKING, "--units", "1=1");
    expect(half).toEqual({
      code: 0,
      error: "",
      out: "The parcel is recorded, and its customer has the tracking number.\n",
    });
    expect((await order(number, "ship", "--carrier", "ups", "--tracking", TRACKING)).out).toContain("recorded before");
    expect((await emailTo(shop.url, email, "has shipped")).text).toContain(TRACKING);
    expect((await order("list")).out).toMatch(new RegExp(`The rest to ship[\\s\\S]*${number}`));

    expect(await order(number, "deliver")).toMatchObject({ code: 1, error: expect.stringContaining("Not all of it") });
    expect((await order(number, "ship", "--carrier", "fedex", "--tracking", "986578788855")).code).toBe(0);
    expect((await emailTo(shop.url, email, "Another package")).text).toContain("986578788855");
    expect((await order(number, "deliver")).code).toBe(0);
    expect((await emailTo(shop.url, email, "was delivered")).text).toContain("You can return it until");
    expect((await order("list", "delivered")).out).toContain(number);
  });

  it("an order is delayed, changed and canceled, and a line's units come back", async () => {
    const { number, email } = await placed();
    const units = () => query("SELECT sum(inventory_count)::int AS units FROM stock");
    const before = await units();
    expect((await order(number, "delay", "--until", "2099-05-06")).code).toBe(0);
    expect(
      (await emailTo(shop.url, email, "ships later")).links.filter((link) => /act=(keep|cancel)$/.test(link)),
    ).toHaveLength(2);
    const changed = await order(number, "cancel-line", "--line", "1", "--keep", "1", "--reason", "sold-out");
    expect(changed.out).toMatch(/^The order now comes to \$/);
    expect((await emailTo(shop.url, email, "A change")).text).toContain("We do not have it");
    expect((await order(number, "cancel")).code).toBe(0);
    expect((await order(number, "cancel")).out).toContain("canceled before");
    expect((await emailTo(shop.url, email, "is canceled")).text).toContain("Nothing was charged");
    expect((before[0] as { units: number }).units + 3).toBe(((await units())[0] as { units: number }).units);
  });

  it("an order is declined, for a reason of the list", async () => {
    const { number, email } = await placed();
    expect(await order(number, "decline", "--reason", "because")).toMatchObject({
      code: 1,
      error: "'because' is no reason here. Take one of sold-out, address, price, quantity, payment.\n",
    });
    expect((await order(number, "decline", "--reason", "address")).code).toBe(0);
    expect((await emailTo(shop.url, email, "cannot deliver")).text).toContain("We cannot deliver to the address.");
  });

  it("what the order's status does not let is refused in one sentence, and changes nothing", async () => {
    const { number } = await placed();
    await order(number, "cancel");
    const events = () => query("SELECT count(*) FROM order_events");
    const before = await events();
    expect(await typed(number, "ship", "--carrier", "ups", "--tracking", TRACKING)).toEqual({
      code: 1,
      out: "",
      error: "The order is canceled, so it cannot be shipped.\n",
    });
    expect(await order(number, "refund", "--amount", "1.00", "--reason", "late")).toMatchObject({
      code: 1,
      error: "Nothing was charged for it.\n",
    });
    expect(await events()).toEqual(before);
  });

  it("says which order is meant, and how the command is written", async () => {
    await query(`INSERT INTO orders (id, checkout_key, status, subtotal, shipping, tax, total, email, phone,
        shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code, shipping_method)
      SELECT ('aaaaaaaa-0000-4000-8000-00000000000' || n)::uuid, gen_random_uuid(), 'canceled', 0, 0, 0, 0, '', '', '', '', '', '', 'NY', '', 'standard'
      FROM generate_series(1, 2) AS n`);
    expect((await order("aaaaaaaa", "show")).error).toMatch(/^More than one order begins with aaaaaaaa/);
    expect((await order("aaaaaaaa-0000-4000-8000-000000000002", "show")).code).toBe(0);
    expect(await order("ffffffff", "show")).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^There is no order/),
    });
    expect(await typed("aaaaaaaa", "fly")).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringMatching(/^There is no act 'fly'\.\n\nUsage: npm run order/),
    });
  });
});

it("on the database of DATABASE_URL, and on one that is not there", async () => {
  const here = await typeOrder({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, ["list"]);
  expect(here).toEqual({ code: 1, out: "", error: "The database does not answer. Try again once it does.\n" });
});

it("where the shop is stopped, and leaves no database running", async () => {
  const { number } = await placed();
  await shop.stop();
  expect((await typed(number, "ship", "--carrier", "ups", "--tracking", TRACKING)).code).toBe(0);
  expect((await order(number, "show")).out).toContain(`Order ${number}: shipped`);
  shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "" });
});
