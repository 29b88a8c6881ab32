/** Forms as no page of the shop sends them: refused before anything is built from them, and never repeated. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { useShop } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

/** Every address that reads a form, with a field that the form has. */
const FORMS: [path: string, field: string][] = [
  ["/auth", "email"],
  ["/auth/verify?token=x", "password"],
  ["/auth/two-factor", "code"],
  ["/reset-password", "email"],
  ["/reset-password?token=x", "password"],
  ["/checkout", "email"],
  ["/cart/add", "productId"],
  ["/cart/update", "itemId"],
  ["/cart/remove", "itemId"],
  ["/wishlist/add", "productId"],
  ["/wishlist/join", "guestWishlist"],
  ["/waitlist/join", "email"],
  ["/support", "email"],
  ["/account", "intent"],
  ["/account/download", "password"],
];

/** The shop's resident memory in megabytes. */
const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function send(path: string, body: string, type = "application/x-www-form-urlencoded", visitor?: Visitor) {
  const started = performance.now();
  const response = await (visitor ?? new Visitor(shop.url)).fetch(path, {
    method: "POST",
    body,
    headers: { Origin: shop.url, Accept: "text/html", "Content-Type": type },
  });
  return { status: response.status, text: await response.text(), ms: performance.now() - started };
}

describe.each(FORMS)("%s", (path, field) => {
  const customer = () => makeActor(database.pool, shop.url, AUTH_SECRET, "customer");

  it("refuses a name outside the schema before anything is built from it", async () => {
    const { visitor } = await customer();
    const before = memory();
    for (const name of ["x[5000000]", "email[4000000]", "a.b.c[99999999].d", "__proto__[x]", "surprise"]) {
      const answer = await send(path, `${field}=a&${encodeURIComponent(name)}=echoed-word`, undefined, visitor);
      expect([name, answer.status]).toEqual([name, 400]);
      expect(answer.text).not.toContain("echoed-word");
      expect(answer.text).not.toContain("surprise");
      expect(answer.text.length).toBeLessThan(100_000);
    }
    expect(memory() - before).toBeLessThan(100);
  });

  it("refuses too many fields, a field too long, and one that stands twice", async () => {
    const { visitor } = await customer();
    const many = Array.from({ length: 5_000 }, (_, i) => `f${i}=1`).join("&");
    expect((await send(path, many, undefined, visitor)).status).toBe(400);
    expect((await send(path, `${field}=${"a".repeat(30_000)}`, undefined, visitor)).status).toBe(400);
    const twice = await send(path, `${field}=one&${field}=two`, undefined, visitor);
    if (path === "/wishlist/add") expect(twice.status).not.toBe(500);
    else expect(twice.status).toBe(400);
  });

  it("refuses what no form of a browser is", async () => {
    const { visitor } = await customer();
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data"]) {
      expect([type, (await send(path, `--x\r\n${field}`, type, visitor)).status]).toEqual([type, 415]);
    }
  });
});
