/** The embedded database and the process around it, when things go wrong. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guestCookie } from "../support/actors.ts";
import { postgresProcesses, postmaster } from "../support/embedded.ts";
import { launch, startShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
let folder: string;
let shop: Shop;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "polara-resilience-"));
  shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET });
});
afterAll(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the database", () => {
  it("frozen under the shop: cached pages stay, the rest is 503, then recovery without a restart", async () => {
    const guest = new Visitor(shop.url);
    await guest.add("travel-sleeve", 1);
    const sleeve = { productId: await guest.productId("travel-sleeve"), quantity: "1" };
    expect((await fetch(`${shop.url}/shop`)).status).toBe(200);
    // A stopped postmaster forks no more.
    process.kill(postmaster(folder), "SIGSTOP");
    const all = postgresProcesses(folder);
    for (const pid of all) process.kill(pid, "SIGSTOP");
    try {
      const asked = Array.from({ length: 15 }, () => guest.fetch("/cart"));
      asked.push(guest.post("/cart/add", sleeve, { Accept: "*/*" }), guest.fetch("/feeds/google.xml"));
      const ofApi = guest.fetch("/api/products");
      expect((await fetch(`${shop.url}/shop`)).status).toBe(200);
      for (const response of await Promise.all([...asked, ofApi])) {
        expect(response.status).toBe(503);
        expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
      }
      expect((await ofApi).headers.get("Content-Type")).toBe("application/problem+json");
      expect(await (await ofApi).json()).toMatchObject({ status: 503, title: "Service Unavailable" });
    } finally {
      for (const pid of all) process.kill(pid, "SIGCONT");
    }
    await expect.poll(async () => (await guest.fetch("/cart")).status, { timeout: 30_000 }).toBe(200);
    expect(await (await guest.fetch("/cart")).text()).toContain("Travel Sleeve");
  });

  it("killed under the shop: a 503 page with Retry-After, then recovery without a restart", async () => {
    const known = guestCookie("3f0c1f9e-7a53-4f0e-9d2c-111111111111", AUTH_SECRET);
    const withCart = { headers: { Cookie: `polara_guest=${known}` } };
    const cart = () => fetch(`${shop.url}/cart`, withCart);
    expect((await fetch(`${shop.url}/shop`)).status).toBe(200);
    process.kill(postmaster(folder), "SIGKILL");
    let down = await cart();
    while (down.status === 200) down = await cart();
    expect(down.status).toBe(503);
    expect(Number(down.headers.get("Retry-After"))).toBeGreaterThan(0);
    const html = await down.text();
    expect(html).toContain("We’ll be right back");
    expect(html).toContain("Try again");
    expect((await fetch(`${shop.url}/shop`)).status).toBe(200);
    expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
    const guest = new Visitor(shop.url);
    const write = await guest.post("/cart/clear", {}, { Accept: "*/*" });
    expect([200, 503]).toContain(write.status);
    await expect
      .poll(async () => (await fetch(`${shop.url}/readyz`)).status, { timeout: 30_000, interval: 200 })
      .toBe(200);
    expect((await cart()).status).toBe(200);
  });

  it("a second shop on the same folder is refused with a clear error", async () => {
    const second = launch({ DATA_DIR: folder, DATABASE_URL: "", PORT: "3999" });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain("Another Polara already runs on");
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
  });

  it("SIGTERM stops the shop, then its database, and the next start has all data", async () => {
    const pid = postmaster(folder);
    expect(await shop.terminate()).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow();
    shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET });
    expect((await fetch(`${shop.url}/shop`)).status).toBe(200);
  });
});
