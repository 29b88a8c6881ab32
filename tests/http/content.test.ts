import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Visitor } from "../support/visitor.ts";
import { signUpForm, useShop } from "../support/use-shop.ts";
import { fixedPages } from "#shop/pages.ts";
import { policy } from "#shop/policies.ts";
import { dayText } from "#shop/policy-text.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";

const ADDRESSES = { supportEmail: "help@own.example", ordersEmail: "sales@own.example" };
const { shop, visitor, database, staff } = useShop();

const page = async (path: string) => (await visitor.fetch(path)).text();
const posts = readdirSync("shop/content/posts").map((file) => {
  const text = readFileSync(`shop/content/posts/${file}`, "utf8");
  const [sentence = ""] = /(?<=\n)[A-Z][A-Za-z ,]{25,}/.exec(text.split("\n---\n")[1] ?? "") ?? [];
  return { path: `/blog/${file.replace(".mdx", "")}`, date: /^date: (.+)$/m.exec(text)?.[1] ?? "", sentence };
});
const [lead] = posts.toSorted((a, b) => b.date.localeCompare(a.date)) as [(typeof posts)[number]];
const LEAD = lead.path;
const contentPages = [...fixedPages.map(({ path }) => path).filter((path) => path !== "/" && path !== "/shop"), LEAD];

describe("content pages", () => {
  it.each(contentPages)("%s is public, as a document and as data", async (path) => {
    const response = await visitor.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toMatch(/^public, max-age=0, s-maxage=60/);
    expect(response.headers.get("ETag")).toBeTruthy();
    expect(response.headers.get("Set-Cookie")).toBeNull();
    expect((await visitor.fetch(`${path}.data`)).status).toBe(200);
  });

  it("an unknown post shows the lead post with its canonical link, uncached", async () => {
    const response = await visitor.fetch("/blog/no-such-post");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(await response.text()).toContain(`rel="canonical" href="${shop.url}${LEAD}"`);
  });

  it("the blog links to every post, each with a date, a reading time and related products", async () => {
    const html = await page("/blog");
    const posts = new Set([...html.matchAll(/href="(\/blog\/[^"]+)"/g)].map(([, href = ""]) => href));
    expect(posts.size).toBe(readdirSync("shop/content/posts").length);
    for (const path of posts) {
      const post = await page(path);
      expect(post).toMatch(/<time dateTime="\d{4}-\d\d-\d\d">/i);
      expect(post).toMatch(/\d(<!-- -->)? min read/);
      expect(post.match(/href="\/product\//g)?.length).toBe(3);
    }
  });

  it.each([
    ["/privacy", 13],
    ["/terms", 19],
    ["/warranty", 18],
  ])("%s has %i anchored sections, each in its table of contents, and its dates", async (path, count) => {
    const html = await page(path);
    const sections = [...html.matchAll(/<section id="([^"]+)" aria-labelledby/g)].map(([, id]) => id);
    expect(sections).toHaveLength(count);
    for (const id of sections) expect(html).toMatch(new RegExp(`href="(${path})?#${id}"`));
    const [, updated = policy.effectiveDate] =
      /^updated: (.+)$/m.exec(readFileSync(`shop/content/legal${path}.mdx`, "utf8")) ?? [];
    expect(html).toContain(`Effective date: ${dayText(updated)}`);
    expect(html).toContain(`Last updated: ${dayText(updated)}`);
    expect(html).toContain('href="/support"');
  });

  it("keep their text out of scripts", async () => {
    for (const [path, words] of [
      ["/terms", "American Arbitration Association"],
      [LEAD, lead.sentence],
    ] as const) {
      const html = await page(path);
      expect(html).toContain(words);
      const scripts = [...html.matchAll(/\/assets\/[^"]+\.js/g)].map(String);
      for (const script of new Set(scripts)) expect(await page(script)).not.toContain(words);
    }
  });
});

describe("the privacy policy", () => {
  it("lists the cookies that the shop sets, and their lifetimes", async () => {
    const html = await page("/privacy");
    const guest = new Visitor(shop.url);
    const added = await guest.add("travel-sleeve");
    expect(added.headers.getSetCookie().join()).toMatch(/^polara_guest=[^;]+;.*Max-Age=31536000;.*HttpOnly/);
    const signedUp = await guest.post("/auth?tab=sign-up", signUpForm("cookies@example.com"));
    const cookies = signedUp.headers.getSetCookie().map((line) => /^([^=]+)=/.exec(line)?.[1] ?? "");
    expect(cookies).toContain("polara.session_token");
    expect(signedUp.headers.getSetCookie().join()).toMatch(
      /polara\.session_token=[^;]+; Max-Age=2592000;[^,]*HttpOnly/,
    );
    await database.pool.query("UPDATE users SET email_verified = true WHERE email = 'cookies@example.com'");
    const signedIn = await new Visitor(shop.url).post("/auth", {
      intent: "sign-in",
      email: "cookies@example.com",
      password: "correct horse",
      redirect: "/",
    });
    expect(signedIn.headers.getSetCookie().join()).toMatch(/polara_device=[^;]+; Max-Age=31536000;[^,]*HttpOnly/);
    const buyer = new Visitor(shop.url);
    await buyer.add("travel-sleeve");
    const ordered = (await buyer.checkout()).headers.getSetCookie();
    expect(ordered.join()).toMatch(/^polara_ordered=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
    const others = [...signedIn.headers.getSetCookie(), ...ordered].map((line) => /^([^=]+)=/.exec(line)?.[1] ?? "");
    for (const name of ["polara_guest", ...cookies, ...others]) expect(html, name).toContain(`<code>${name}</code>`);
  });
});

describe("the addresses of the settings", () => {
  beforeAll(async () => {
    await database.db.insert(settingsVersions).values({
      section: "contact",
      value: ADDRESSES,
      effectiveOn: "2020-01-01",
      staffId: randomUUID(),
    });
    await vi.waitFor(async () => expect(await page("/support")).toContain(ADDRESSES.supportEmail), 5_000);
  });

  it.each(["/", "/privacy", "/terms", "/warranty", "/support", "/warranty.md", "/support.md", "/api/openapi.json"])(
    "%s has the support address",
    async (path) => {
      const text = await page(path);
      expect(text).toContain(ADDRESSES.supportEmail);
      expect(text).not.toContain("@polara.example");
    },
  );

  it("receipts have the orders address, packing slips that of support", async () => {
    const buyer = new Visitor(shop.url);
    await buyer.add("travel-sleeve");
    await buyer.checkout();
    const [{ id }] = (await database.pool.query("SELECT id FROM orders ORDER BY created_at DESC LIMIT 1")).rows;
    expect(await (await buyer.fetch(`/orders/${id}/receipt`)).text()).toContain(ADDRESSES.ordersEmail);
    const packer = await staff("packer");
    const slips = await packer.visitor.fetch(`/admin/orders/slips?ids=${id}`);
    expect(await slips.text()).toContain(ADDRESSES.supportEmail);
  });
});

describe("the contact form", () => {
  const fields = { name: "Ada Lovelace", email: "contact@example.com", message: "Does it fit a melon?" };
  const count = async () => Number((await database.pool.query("SELECT count(*) FROM contact_messages")).rows[0].count);

  it("shows errors beside fields, and preserves what was typed", async () => {
    const response = await visitor.post("/support", { name: " ", email: "not <an> address", message: "Typed & kept" });
    expect(response.status).toBe(400);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const html = await response.text();
    for (const [field, message] of [
      ["name", "Name is required"],
      ["email", "Please enter a valid email address"],
    ])
      expect(html).toMatch(new RegExp(`id="contact-form-${field}-error"[^>]*>${message}`));
    expect(html).toContain('value="not &lt;an&gt; address"');
    expect(html).toContain("Typed &amp; kept</textarea>");
    expect(await count()).toBe(0);
  });

  it("stores the message, and confirms it", async () => {
    const response = await visitor.post("/support", fields);
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const html = await response.text();
    expect(html).toContain("Message sent");
    expect(html).not.toContain("Does it fit a melon?");
    expect(await count()).toBe(1);
  });

  it("confirms to a program that filled the honeypot, and stores nothing", async () => {
    const before = await count();
    const honeypot = /<input[^>]*tabindex="-1"[^>]*name="([^"]+)"/i.exec(await page("/support"))?.[1] ?? "";
    expect(honeypot).not.toBe("");
    const response = await visitor.post("/support", { ...fields, message: "Buy now", [honeypot]: "x" });
    expect(await response.text()).toContain("Message sent");
    expect(await count()).toBe(before);
  });

  it("with invalid input is a 400", async () => {
    expect((await visitor.post("/support", {})).status).toBe(400);
    expect((await visitor.post("/support", { ...fields, message: "\u0000" })).status).toBe(400);
  });
});
