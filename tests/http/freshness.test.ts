/** Two processes of one shop: changes show at once on both, and visitors go on at either. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newYorkDay } from "#shop/new-york-time.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { typedSettings } from "#shop/settings/typed-settings.ts";
import { fieldsOf } from "../support/page-data.ts";
import { startShop, type Shop } from "../support/shop.ts";
import { STAFF_COOKIE, type StaffMember } from "../support/staff-member.ts";
import { setUnits } from "../support/stock.ts";
import { AUTH_SECRET, someEmail, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const SANDBOXES = { PAYMENTS: "sandbox", TAX: "sandbox" };
const { shop: first, database, actor, staff } = useShop(SANDBOXES);
const query = (text: string) => database.pool.query(text);
let shops: Shop[];
let owner: StaffMember;
beforeAll(async () => {
  shops = [first, await startShop({ DATABASE_URL: database.url, AUTH_SECRET, ...SANDBOXES })];
  owner = await staff("owner");
});
afterAll(() => shops[1]?.stop());

const page = async (shop: Shop, path: string) => (await fetch(shop.url + path)).text();

it("an early-bird price names its last day, and shows nothing of it without an end", async () => {
  const [shop] = shops as [Shop];
  const ends = (at: string) =>
    query(`UPDATE products SET early_bird_end_date = ${at} WHERE early_bird_price IS NOT NULL`);
  for (const path of ["/", "/shop", "/product/polara-pro-earth-green"]) {
    await ends("'2100-01-01 05:00Z'");
    await expect.poll(() => page(shop, path)).toMatch(/after (<!-- -->)?December 31, 2099/);
    // The days left stand there before a script counts.
    expect(await page(shop, path)).toMatch(/role="timer"[^>]*><span[^>]*><span[^>]*>\d{5}</);
    await ends("NULL");
    await expect.poll(() => page(shop, path)).not.toMatch(/December 31, 2099|Early Bird Ends In|Ends in|Today Only/);
  }
});

describe("a change of the catalog", () => {
  it("shows at once on every process that had cached the page", async () => {
    for (const shop of shops) expect(await page(shop, "/product/travel-sleeve")).toContain("$19.00");
    await query("UPDATE products SET price = 2100 WHERE slug = 'travel-sleeve'");
    for (const shop of shops) {
      await expect.poll(() => page(shop, "/product/travel-sleeve")).toContain("$21.00");
      expect(await page(shop, "/shop")).toContain("$21.00");
    }
  });

  it("low stock after an order shows 'Only N left' on the other process", async () => {
    await setUnits(database.pool, "charging-dock", 11);
    const [here, there] = shops as [Shop, Shop];
    await expect.poll(() => page(there, "/product/charging-dock")).toContain("In Stock");
    const guest = new Visitor(here.url);
    await guest.add("charging-dock", 2);
    expect((await guest.checkout()).status).toBe(303);
    await expect.poll(() => page(there, "/product/charging-dock")).toContain("Only 9 left");
  });

  it("a sale of plentiful stock leaves cached pages", async () => {
    const [here] = shops as [Shop];
    const etag = async () => (await fetch(`${here.url}/product/ethylene-filter-2-pack`)).headers.get("ETag");
    const before = await etag();
    const guest = new Visitor(here.url);
    await guest.add("ethylene-filter-2-pack", 2);
    expect((await guest.checkout()).status).toBe(303);
    expect(await etag()).toBe(before);
  });
});

describe("a change of the settings", () => {
  const typed = typedSettings(FIRST_SETTINGS);
  const today = newYorkDay(new Date());
  const save = async (section: "shipping" | "returns" | "payments" | "tax", fields: Record<string, string>) => {
    const html = await (await owner.visitor.fetch("/admin/settings")).text();
    const form = html.slice(html.indexOf(`id="${section}-"`));
    const state = /name="state" value="([^"]*)"/.exec(form)?.[1] ?? "";
    const sent = { ...typed[section], effectiveOn: today, state, ...fields };
    const saved = await owner.visitor.post(`/admin/settings?intent=${section}`, sent);
    expect(saved.status, await saved.text()).toBe(200);
  };
  const SHOWN = ["/", "/shop", "/about", "/product/travel-sleeve", "/llms.txt"];

  it("shows within two seconds on every process: pages, cart, Markdown, feeds, search and structured data", async () => {
    for (const shop of shops) for (const path of SHOWN) expect(await page(shop, path)).not.toContain("$75");
    const paid = { standardName: "Ground Shipping", expressFree: "", overnightOffered: "" };
    await save("shipping", { freeFrom: "75", standardPrice: "4.50", ...paid });
    await save("returns", { returnDays: "45" });
    const lacking = async (paths: string[]) =>
      (await Promise.all(shops.flatMap((shop) => paths.map((path) => page(shop, path)))))
        .filter((text) => !text.includes("$75") || !/45(-day|<!-- -->| days)/i.test(text))
        .map((text) => text.slice(0, 200));
    // A busy machine renders all of them more slowly.
    await expect.poll(() => lacking(["/llms.txt"]), { timeout: 2_000 }).toEqual([]);
    await expect.poll(() => lacking(SHOWN)).toEqual([]);
    for (const shop of shops) {
      expect(await page(shop, "/product/travel-sleeve.md")).toMatch(/Shipping \$4\.50[\s\S]*45 days from delivery/);
      expect(await page(shop, "/warranty")).toContain("45-Day Return Policy");
      const terms = await page(shop, "/terms.md");
      expect(terms).toContain("With Ground Shipping, shipping is free for Orders with a subtotal of $75 or more:");
      expect(terms).toMatch(
        /Ground Shipping:\*\* 5-7 business days, \$4\.50\n- \*\*Express Shipping:\*\* 2-3 business days, \$19\.99\n\n/,
      );
      expect(await page(shop, "/product/travel-sleeve")).toContain('"merchantReturnDays":45');
      expect(await page(shop, "/feeds/google.xml")).toContain("<g:price>4.50 USD</g:price>");
      expect(await page(shop, "/search.json?q=restocking%20fee")).toContain("45 days");
      const guest = new Visitor(shop.url);
      await guest.add("travel-sleeve", 2);
      expect(await (await guest.fetch("/cart")).text()).toContain("Add $33.00 more for free shipping");
      await guest.add("travel-sleeve", 2);
      const checkout = await (await guest.fetch("/checkout")).text();
      expect(checkout).toContain("Free on orders $75+ with Ground Shipping.");
      expect(checkout).not.toContain("Overnight Shipping</span>");
      const off = await guest.checkout({ shippingMethod: "overnight" });
      expect([off.status, await off.text()]).toEqual([
        409,
        expect.stringContaining("Overnight Shipping is no longer offered. Choose another shipping method"),
      ]);
      const express = await guest.checkout({ shippingMethod: "express" });
      expect(express.status, await express.text()).toBe(303);
    }
  });

  it("shows the ways to pay on every process: terms, Markdown, privacy policy and checkout", async () => {
    const guests = await Promise.all(
      shops.map(async ({ url }) => {
        const guest = new Visitor(url);
        await guest.add("ethylene-filter-2-pack");
        return guest;
      }),
    );
    // Not the name of a loader’s value.
    const named = /(?<!offers)PayPal/;
    const naming = async (...paths: string[]) => {
      const texts = guests.flatMap((guest) => paths.map(async (path) => (await guest.fetch(path)).text()));
      return (await Promise.all(texts)).filter((text) => named.test(text)).length;
    };
    const all = ["/terms", "/terms.md", "/privacy", "/checkout"];
    expect(await naming(...all)).toBe(0);
    await save("payments", { klarna: "on", paypal: "on" });
    await expect.poll(() => naming("/terms.md"), { timeout: 2_000 }).toBe(guests.length);
    await expect.poll(() => naming(...all)).toBe(guests.length * all.length);
    for (const guest of guests) {
      expect(await (await guest.fetch("/terms")).text()).toContain("Google Pay, Klarna, and PayPal.");
      expect(await (await guest.fetch("/checkout")).text()).toMatch(/Google Pay, or Klarna/);
    }
  });

  it("adds sales tax on every process, in the states that are on", async () => {
    const address = { shippingMethod: "standard", shippingState: "TX", shippingPostalCode: "78701" };
    const guests = await Promise.all(
      shops.map(async ({ url }) => {
        const guest = new Visitor(url);
        await guest.add("ethylene-filter-2-pack");
        return guest;
      }),
    );
    const taxes = () =>
      Promise.all(
        guests.map(async (guest) => (await guest.fetch(`/checkout/tax.json?${new URLSearchParams(address)}`)).json()),
      );
    expect(await taxes()).toEqual(shops.map(() => ({ taxCents: 0 })));
    await save("tax", { TX: "on" });
    await expect.poll(taxes, { timeout: 2_000 }).toEqual(shops.map(() => ({ taxCents: 2_35 })));
    await save("tax", { TX: "", effectiveOn: "2099-01-12" });
    expect(await taxes()).toEqual(shops.map(() => ({ taxCents: 2_35 })));
    expect(await (await owner.visitor.fetch("/admin/settings")).text()).toContain("Texas: On → Off");
  });

  it("with a later day shows nothing yet, and refuses an order at a price that is no longer the one shown", async () => {
    await save("returns", { returnDays: "14", effectiveOn: "2099-01-12" });
    const [here, there] = shops as [Shop, Shop];
    expect(await page(there, "/warranty")).toContain("45-Day Return Policy");
    const guest = new Visitor(here.url);
    await guest.add("travel-sleeve");
    const seen = await guest.checkoutFields();
    await save("shipping", { freeFrom: "75", standardPrice: "6" });
    const refused = await guest.checkout(seen);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("Standard Shipping is now $6.00 instead of $4.50.");
    expect((await guest.checkout()).status).toBe(303);
  });
});

it("a text that is published shows on every process", async () => {
  for (const shop of shops) expect(await page(shop, "/about")).toContain("Good Food Deserves More Time");
  const html = await (await owner.visitor.fetch("/admin/texts/pages-about")).text();
  const fields = { ...fieldsOf(html, "save"), heading: "We wait with your peaches", do: "publish" };
  expect((await owner.visitor.post("/admin/texts/pages-about?intent=save", fields)).status).toBe(200);
  for (const shop of shops) await expect.poll(() => page(shop, "/about")).toContain("We wait with your peaches");
});

describe("a session", () => {
  it("is valid on every process, and ends on every process, also for a copied cookie", async () => {
    const { visitor: who } = await actor("customer");
    const there = who.movedTo(shops[1]!.url);
    const copy = new Visitor(first.url);
    copy.carry("polara.session_token", /session_token=([^;]+)/.exec(who.cookieHeader())?.[1] ?? "");
    for (const visitor of [there, copy]) expect((await visitor.me()).customer).not.toBeNull();
    const out = await there.post("/auth/sign-out", {});
    expect([out.status, out.headers.get("Location")]).toEqual([303, "/"]);
    expect(out.headers.get("Clear-Site-Data")).toBe('"cache"');
    for (const visitor of [who, there, copy]) expect((await visitor.me()).customer).toBeNull();
    expect(await copy.isIn()).toBe(false);
  });

  it("begins on one process with an answer of Google to another", async () => {
    const who = new Visitor(first.url);
    const pressed = await who.post("/auth", { intent: "google", redirect: "/" });
    const typed = { email: someEmail(), firstName: "Grace", lastName: "Hopper", verified: "on" };
    const answered = await who.post((pressed.headers.get("Location") ?? "").slice(first.url.length), typed);
    const back = (answered.headers.get("Location") ?? "").slice(first.url.length);
    await who.movedTo(shops[1]!.url).fetch(back);
    expect((await who.me()).customer).toEqual({ firstName: "Grace", emailVerified: true });
  });
});

it("live updates come from every process, and end with it", async () => {
  const listen = async ({ url }: Shop) => {
    const headers = { Cookie: `${STAFF_COOKIE}=${owner.cookie}` };
    const { body } = await fetch(`${url}/admin/live`, { headers });
    const live = { text: "" };
    const ended = (async () => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) live.text += chunk;
    })();
    return { live, ended };
  };
  const streams = await Promise.all(shops.map(listen));
  await query("UPDATE products SET featured = NOT featured WHERE slug = 'travel-sleeve'");
  for (const { live } of streams) await expect.poll(() => live.text).toContain("event: news\ndata: catalog");
  expect(await shops[1]!.terminate()).toBe(0);
  await streams[1]!.ended;
});
