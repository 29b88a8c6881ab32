/** An order knows the campaign of its visit, by a cookie that goes with the visit, and no cache hands it to others. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database } = useShop();

async function orderAfter(...landings: string[]) {
  const guest = new Visitor(shop.url);
  for (const path of landings) expect((await guest.fetch(path)).status).toBe(200);
  await guest.add("travel-sleeve");
  const email = `ada-${randomUUID()}@example.com`;
  expect((await guest.checkout({ email })).status).toBe(200);
  const { rows } = await database.pool.query<{ utm_source: string | null; utm_campaign: string | null }>(
    "SELECT utm_source, utm_campaign FROM orders WHERE email = $1",
    [email],
  );
  return rows[0];
}

it.each([
  ["/?utm_source=mail&utm_campaign=spring", "mail", "spring"],
  ["/product/travel-sleeve?utm_source=friend", "friend", null],
  ["/cart?utm_campaign=fall", null, "fall"],
  ["/shop?utm_source=%E2%80%8B%01a%7Fb&color=Earth+Green", "ab", null],
  [`/?utm_source=${"x".repeat(500)}`, "x".repeat(200), null],
  ["/", null, null],
])("an order after %s", async (landing, source, campaign) => {
  expect(await orderAfter(landing, "/shop")).toEqual({ utm_source: source, utm_campaign: campaign });
});

it("the newest campaign of the visit is stored", async () => {
  expect(await orderAfter("/?utm_source=mail", "/science?utm_source=talk")).toMatchObject({ utm_source: "talk" });
});

it("a waitlist place stores it too, its own page's parameters first", async () => {
  const placeOf = async (fields: Record<string, string>) => {
    const guest = new Visitor(shop.url);
    await guest.fetch("/?utm_source=mail");
    const email = `ada-${randomUUID()}@example.com`;
    expect((await guest.post("/waitlist/join", { email, ...fields })).status).toBe(200);
    return (await database.pool.query("SELECT utm_source FROM waitlist WHERE email = $1", [email])).rows;
  };
  expect(await placeOf({})).toEqual([{ utm_source: "mail" }]);
  expect(await placeOf({ utm_source: "talk" })).toEqual([{ utm_source: "talk" }]);
});

it("the cookie ends with the browser session, and its response is not cached", async () => {
  const landing = await fetch(`${shop.url}/?utm_source=mail`);
  const [cookie = ""] = landing.headers.getSetCookie();
  expect(cookie).toMatch(/^polara_visit=/);
  expect(cookie).toMatch(/; HttpOnly/);
  expect(cookie).not.toMatch(/Max-Age|Expires/);
  expect(landing.headers.get("Cache-Control")).toBe("private, no-cache");
  for (const path of ["/", "/?utm_source=", "/?utm_medium=x"]) {
    const plain = await fetch(shop.url + path);
    expect(plain.headers.getSetCookie(), path).toEqual([]);
    expect(plain.headers.get("Cache-Control"), path).toContain("public");
  }
});
