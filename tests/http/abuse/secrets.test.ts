/** AUTH_SECRET is replaced, because it may have been seen: what it sealed is still opened, and what it signed is not believed. */
import { afterAll, describe, expect, it } from "vitest";
import { makeActor } from "../../support/actors.ts";
import { giveSecondFactor } from "../../support/second-factor.ts";
import { startShop, type Shop } from "../../support/shop.ts";
import { useFreshDatabase } from "../../support/fresh-database.ts";
import { Visitor } from "../../support/visitor.ts";

const [OLD, NEW] = ["a secret that tests know and somebody else too", "a new secret that nobody else has seen yet"];
const database = useFreshDatabase(5);
const shops: Shop[] = [];
afterAll(() => Promise.all(shops.map((shop) => shop.stop())));

async function open(env: Record<string, string>): Promise<Shop> {
  const shop = await startShop({ DATABASE_URL: database.url, ...env });
  shops.push(shop);
  return shop;
}
const isIn = async (who: Visitor) => (await who.fetch("/account")).status === 200;

describe("after AUTH_SECRET was replaced", () => {
  it("everybody signs in again, with the second factor that they had", async () => {
    const before = await open({ AUTH_SECRET: OLD });
    const ada = await makeActor(database.pool, before.url, OLD, "customer");
    const { code } = await giveSecondFactor(database, OLD, ada.userId ?? "");
    expect(await isIn(ada.visitor)).toBe(true);

    const signIn = async (shop: Shop) => {
      expect(await isIn(ada.visitor.movedTo(shop.url))).toBe(false);
      const visitor = new Visitor(shop.url);
      await visitor.post("/auth", { intent: "sign-in", email: ada.email, password: ada.password, redirect: "/" });
      await visitor.post("/auth/two-factor", { code: await code() });
      return isIn(visitor);
    };
    expect(await signIn(await open({ AUTH_SECRET: NEW }))).toBe(false);
    expect(await signIn(await open({ AUTH_SECRET: NEW, AUTH_SECRET_OLD: OLD }))).toBe(true);
  });
});

describe("the keys that check access tokens", () => {
  it("may be kept by other services for a quarter of an hour", async () => {
    const shop = shops[0] ?? (await open({ AUTH_SECRET: OLD }));
    const answer = await fetch(`${shop.url}/api/auth/jwks`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=900");
  });
});
