import { describe, expect, it } from "vitest";
import { formatMoney } from "../../shop/money.ts";
import { shippingPrice } from "../../shop/shipping/methods.ts";
import { cartItems } from "../../shop/cart/cart.tables.ts";
import { orders } from "../../shop/orders/order.tables.ts";
import { startShop } from "../support/shop.ts";
import { aKey, Visitor } from "../support/visitor.ts";
import { useShop } from "../support/use-shop.ts";
import { setUnits } from "../support/stock.ts";

const { shop, database } = useShop();

const visitor = () => new Visitor(shop.url);
const lineId = (html: string) => /name="itemId" value="([^"]+)"/.exec(html)?.[1] ?? "";
const count = async (who: Visitor) =>
  ((await (await who.fetch("/personal")).json()) as { cartCount: number }).cartCount;

describe("a form from elsewhere", () => {
  it.each([
    ["another origin", { Origin: "https://evil.example" }],
    ["an opaque origin", { Origin: "null" }],
  ])("is refused: %s", async (_name, headers) => {
    const guest = visitor();
    const productId = await guest.productId("travel-sleeve");
    for (const path of ["/cart/add", "/cart/update", "/cart/remove", "/cart/clear", "/checkout"]) {
      expect((await guest.post(path, { productId, quantity: "1" }, headers)).status, path).toBe(403);
    }
    expect(await count(guest)).toBe(0);
  });

  it("is refused without any origin", async () => {
    const response = await fetch(`${shop.url}/cart/clear`, { method: "POST" });
    expect(response.status).toBe(403);
  });
});

describe("the cart without JavaScript", () => {
  it("adds, changes and removes by plain forms that lead to /cart", async () => {
    const guest = visitor();
    const added = await guest.add("travel-sleeve", 2);
    expect([added.status, added.headers.get("Location")]).toEqual([303, "/cart"]);
    const cookie = added.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/^polara_guest=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    const html = await (await guest.fetch("/cart")).text();
    expect(html).toContain("Travel Sleeve");
    expect((await guest.post("/cart/update", { itemId: lineId(html), quantity: "5" })).status).toBe(303);
    expect(await count(guest)).toBe(5);
    expect((await guest.post("/cart/remove", { itemId: lineId(html) })).status).toBe(303);
    expect(await (await guest.fetch("/cart")).text()).toContain("Your cart is empty");
  });

  it("caps a line at 10 and at stock", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 9);
    await guest.add("travel-sleeve", 9);
    expect(await count(guest)).toBe(10);
    await guest.add("lid-gasket-set", 3);
    await guest.add("lid-gasket-set", 3);
    expect(await count(guest)).toBe(13);
  });

  it.each(["polara-classic-earth-green", "produce-basket"])("does not take what is out of stock: %s", async (slug) => {
    const guest = visitor();
    const response = await guest.add(slug);
    expect(response.headers.get("Location")).toBe("/cart?problem=out-of-stock");
    expect(await count(guest)).toBe(0);
  });

  it.each([
    [{ productId: "nonsense", quantity: "1" }],
    [{ productId: "3f0c1f9e-7a53-4f0e-9d2c-111111111111", quantity: "1" }],
    [{ productId: "", quantity: "" }],
  ])("answers nonsense with a message, never a 500: %j", async (fields) => {
    const response = await visitor().post("/cart/add", fields, { Accept: "*/*" });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });

  it.each(["0", "-3", "11", "1.5", "x", "99999999999"])("does not add a quantity of %s", async (quantity) => {
    const guest = visitor();
    await guest.post("/cart/add", { productId: await guest.productId("travel-sleeve"), quantity });
    expect(await count(guest)).toBe(0);
  });
});

describe("ownership", () => {
  it("another guest cannot see, change, remove or order what is not theirs", async () => {
    const [owner, other] = [visitor(), visitor()];
    await owner.add("travel-sleeve", 2);
    await other.add("charging-dock", 1);
    const id = lineId(await (await owner.fetch("/cart")).text());
    expect(await (await other.fetch("/cart")).text()).not.toContain("Travel Sleeve");
    expect((await other.post("/cart/update", { itemId: id, quantity: "9" }, { Accept: "*/*" })).status).toBe(404);
    expect((await other.post("/cart/remove", { itemId: id }, { Accept: "*/*" })).status).toBe(404);
    await other.post("/cart/clear", {});
    expect(await count(owner)).toBe(2);
    expect(await count(other)).toBe(0);
  });

  it("a made-up guest cookie is nobody", async () => {
    const before = await database.db.$count(cartItems);
    const response = await fetch(`${shop.url}/personal`, { headers: { Cookie: "polara_guest=' OR 1=1 --" } });
    expect(await response.json()).toMatchObject({ cartCount: 0 });
    expect(await database.db.$count(cartItems)).toBe(before);
  });
});

describe("checkout", () => {
  it("places an order that exists, takes stock and is confirmed by mail", async () => {
    const guest = visitor();
    await guest.add("polara-pro-midnight-black", 1);
    const response = await guest.checkout({ email: "mailed@example.com" });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain("Order placed!");
    expect(await count(guest)).toBe(0);
    await expect
      .poll(
        async () =>
          (await (await fetch(`${shop.url}/mailbox.json`)).json()) as { to: string; subject: string; text: string }[],
        { timeout: 10_000 },
      )
      .toContainEqual(
        expect.objectContaining({
          to: "mailed@example.com",
          subject: expect.stringMatching(/^Your Polara order [0-9a-f]{8}$/),
          text: expect.stringContaining(`Total: ${formatMoney(99_00 + shippingPrice("standard", 99_00))}`),
        }),
      );
  });

  it("the same key again shows the same order", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 1);
    const fields = await guest.checkoutFields();
    const before = await database.db.$count(orders);
    const numbers = new Set<string | undefined>();
    for (let i = 0; i < 3; i++)
      numbers.add(
        /\b[0-9a-f]{8}\b(?!-)/.exec((await (await guest.checkout(fields)).text()).split("Order placed!")[1] ?? "")?.[0],
      );
    expect(await database.db.$count(orders)).toBe(before + 1);
    expect(numbers.size).toBe(1);
  });

  it("bad input comes back with its messages and all that was typed", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 1);
    const response = await guest.checkout({
      email: "not-an-address",
      phone: "123",
      shippingCity: "",
      shippingState: "ZZ",
      shippingLastName: "O'Typed <b>",
    });
    expect(response.status).toBe(400);
    const html = await response.text();
    for (const message of [
      "Invalid email address",
      "Phone number must be at least 10 digits",
      "City is required",
      "State is required",
    ])
      expect(html).toContain(message);
    expect(html).toContain('value="not-an-address"');
    expect(html).toMatch(/value="O(&#x27;|')Typed &lt;b&gt;"/);
    expect(await count(guest)).toBe(1);
  });

  it("a line that went out of stock meanwhile is named, and nothing is lost", async () => {
    const guest = visitor();
    await guest.add("charging-dock", 2);
    const fields = await guest.checkoutFields();
    const before = await database.db.$count(orders);
    await setUnits(database.pool, "charging-dock", 0);
    const response = await guest.checkout(fields);
    await setUnits(database.pool, "charging-dock", 40);
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(html).toContain("Charging Dock");
    expect(html).toContain("Out of stock. Remove it to check out.");
    expect(html).toContain('value="ada@example.com"');
    expect(await database.db.$count(orders)).toBe(before);
  });

  it("a price sent by the browser buys nothing", async () => {
    const guest = visitor();
    await guest.add("polara-classic-frost-white", 1);
    const { seen, checkoutKey } = await guest.checkoutFields();
    const response = await guest.checkout({ checkoutKey, seen: seen.replace(/:\d+$/, ":1") });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("The price is now $89.00 instead of $0.01");
  });

  it("a key that is no key still places one order", async () => {
    const guest = visitor();
    await guest.add("travel-sleeve", 1);
    const fields = { ...(await guest.checkoutFields()), checkoutKey: "x" };
    const statuses = [(await guest.checkout(fields)).status, (await guest.checkout(fields)).status];
    expect(statuses).toEqual([200, 409]);
  });

  it("an empty cart is not an order", async () => {
    const guest = visitor();
    const response = await guest.checkout({ checkoutKey: aKey(), seen: "" });
    expect(response.status).toBe(409);
  });
});

describe("limits", () => {
  it("a form larger than a form is refused", async () => {
    expect((await visitor().post("/checkout", { email: "x".repeat(100_000) })).status).toBe(413);
  });

  it("too many writes from one address are slowed, reading is not", async () => {
    const slow = await startShop({ DATABASE_URL: database.url, RATE_LIMIT_SCALE: "0.01" });
    try {
      const guest = new Visitor(slow.url);
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await guest.post("/cart/clear", {})).status);
      expect(statuses).toEqual([303, 303, 303, 429]);
      expect((await guest.fetch("/shop")).status).toBe(200);
    } finally {
      await slow.stop();
    }
  });
});
