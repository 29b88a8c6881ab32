/** A guest is who the shop made one: no id that somebody thinks of, and no address for whoever comes to the computer next. */
import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { address, Visitor } from "../../support/visitor.ts";
import { useShop } from "../../support/use-shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

const guest = () => makeActor(database.pool, shop.url, AUTH_SECRET, "guest");
const cartCount = async (who: Visitor) =>
  ((await (await who.fetch("/personal")).json()) as { cartCount: number }).cartCount;

describe("a guest's cookie", () => {
  it("is known only as the shop made it", async () => {
    const { guestId, visitor } = await guest();
    expect(await cartCount(visitor)).toBe(2);
    const otherPurpose = createHmac("sha256", AUTH_SECRET)
      .update(guestId ?? "")
      .digest("base64url");
    const { visitor: other } = await guest();
    const foreign = /polara_guest=[^.]+\.([^;]+)/.exec(other.cookieHeader())?.[1] ?? "";
    expect(foreign).not.toBe("");
    for (const value of [guestId, `${guestId}.`, `${guestId}.${otherPurpose}`, `${guestId}.${foreign}`]) {
      const stranger = new Visitor(shop.url);
      stranger.carry("polara_guest", value ?? "");
      expect(await cartCount(stranger)).toBe(0);
      expect(await (await stranger.fetch("/cart")).text()).toContain("Your cart is empty");
    }
  });

  it("that somebody made up is replaced at the first thing put into a cart", async () => {
    const id = randomUUID();
    const visitor = new Visitor(shop.url);
    visitor.carry("polara_guest", id);
    const added = await visitor.add("travel-sleeve");
    expect(added.headers.getSetCookie().join()).toMatch(/^polara_guest=/);
    const { rowCount } = await database.pool.query("SELECT 1 FROM cart_items WHERE session_id = $1", [id]);
    expect(rowCount).toBe(0);
    expect(await cartCount(visitor)).toBe(1);
  });
});

describe("a guest's saved address", () => {
  it("fills the checkout until the browser is closed, and not for whoever opens it next", async () => {
    const visitor = new Visitor(shop.url);
    const added = await visitor.add("travel-sleeve");
    const guestCookie = added.headers.getSetCookie()[0]?.split(";")[0]?.split(/=(.*)/s) ?? [];
    const placed = await visitor.checkout({ saveInformation: "on" });
    expect(placed.status).toBe(200);
    const lasting = placed.headers.getSetCookie().filter((line) => /Max-Age|Expires/.test(line));
    expect(lasting).toEqual([]);
    await visitor.add("travel-sleeve");
    expect(await (await visitor.fetch("/checkout")).text()).toContain(`value="${address.shippingAddressLine1}"`);

    // What is left in the browser once it was closed: the cookies that say how long they stay.
    const next = new Visitor(shop.url);
    next.carry(guestCookie[0] ?? "", guestCookie[1] ?? "");
    expect(await cartCount(next)).toBe(1);
    const html = await (await next.fetch("/checkout")).text();
    expect(html).toContain("Travel Sleeve");
    for (const value of [address.shippingAddressLine1, address.email, address.phone]) expect(html).not.toContain(value);
  });
});

describe("where the shop is https", () => {
  const secure = useShop({
    AUTH_SECRET,
    BASE_URL: "https://shop.example",
    SMTP_URL: "smtp://127.0.0.1:1",
    TRUST_PROXY: "loopback",
  });

  it("no other host of the domain can set the guest's cookie", async () => {
    const visitor = new Visitor(secure.shop.url);
    const productId = await visitor.productId("travel-sleeve");
    const added = await visitor.post("/cart/add", { productId, quantity: "1" }, { Origin: "https://shop.example" });
    expect(added.headers.getSetCookie().join()).toMatch(
      /^__Host-polara_guest=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await cartCount(visitor)).toBe(1);
    const planted = new Visitor(secure.shop.url);
    planted.carry("polara_guest", visitor.cookieHeader().split("=")[1] ?? "");
    expect(await cartCount(planted)).toBe(0);
  });
});
