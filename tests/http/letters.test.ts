/** Consents to letters: chosen in the account, exported by staff, withdrawn by a link. */
import { expect, it } from "vitest";
import { sendBackInStock } from "#shop/consents/back-in-stock.server.ts";
import { consentUrl, listConsents, listOpenConsents } from "#shop/consents/consents.server.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { textOf } from "../support/page-data.ts";
import { setUnits } from "../support/stock.ts";
import { AUTH_SECRET, someEmail, useShop } from "../support/use-shop.ts";

const { shop, visitor: guest, database, actor, staff } = useShop();

it("the account shows and changes what one agreed to, for a proven email", async () => {
  const { visitor, email } = await actor("customer");
  const page = async () => (await visitor.fetch("/account?tab=settings")).text();
  expect(await page()).toMatch(/<input[^>]*name="news"[^>]* checked=""/);
  expect(await page()).not.toMatch(/<input[^>]*name="owners"[^>]* checked=""/);
  expect((await visitor.post("/account?tab=settings", { intent: "letters", owners: "on" })).status).toBe(200);
  expect(await listOpenConsents(database.db, email)).toEqual([{ kind: "owners", product: null }]);
  const stranger = await actor("unverified customer");
  const refused = await stranger.visitor.post("/account?tab=settings", { intent: "letters", news: "on" });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("verify your email")]);
});

it("the export has every consent, those of the waitlist too, and is audited", async () => {
  await actor("customer");
  const manager = await staff("manager");
  const file = await manager.visitor.post("/admin/letters/consents?intent=export", {});
  const lines = (await file.text()).trim().split("\n");
  expect(lines[0]).toContain("Email,List,Product,Words,Page,Given,Sent,Withdrawn");
  expect(lines.some((line) => line.includes(",News,,"))).toBe(true);
  expect(lines.some((line) => line.includes(",Waitlist,,"))).toBe(true);
  const { rows } = await database.pool.query("SELECT staff_id FROM audit_log WHERE action = 'letter.export'");
  expect(rows).toEqual([{ staff_id: manager.staffId }]);
  const stale = await staff("manager", { isFresh: false });
  expect((await stale.visitor.post("/admin/letters/consents?intent=export", {})).status).toBe(303);
});

it("a link withdraws by the page's button and by a mail program's one-click request, not by opening it", async () => {
  for (const headers of [{ Accept: "text/html", Origin: shop.url }, { Accept: "*/*" }] as Record<string, string>[]) {
    const { email } = await actor("customer");
    const { id } = (await listConsents(database.db, null, 100)).find((row) => row.email === email)!;
    const { pathname, search } = new URL(consentUrl(id, { baseUrl: shop.url, secret: AUTH_SECRET }));
    expect(await (await fetch(shop.url + pathname + search)).text()).toContain("<button");
    expect(await listOpenConsents(database.db, email)).toHaveLength(1);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const answer = await fetch(shop.url + pathname + search, { method: "POST", body, headers });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("You’re unsubscribed")]);
    expect(await listOpenConsents(database.db, email)).toEqual([]);
    expect((await fetch(`${shop.url}${pathname}${search}x`, { method: "POST", headers })).status).toBe(404);
    await database.pool.query("DELETE FROM consents WHERE id = $1", [id]);
    const late = await fetch(shop.url + pathname + search, { method: "POST", body, headers });
    expect(await late.text()).toContain("This link is too old");
  }
});

it("a draft keeps its time, what was typed, and the version that was saved before a refusal", async () => {
  const { visitor } = await staff("manager");
  const made = await visitor.post("/admin/letters?intent=create", { subject: "Cold" });
  const letter = made.headers.get("Location")!;
  const fields = { subject: "Cold", markdown: "It stays cold.", audience: "owners", productId: "", pace: "1000" };
  const save = async (more: Record<string, string>) =>
    (await visitor.post(`${letter}?intent=save`, { ...fields, sendAt: "2099-01-02T09:00", ...more })).text();
  const page = await save({ version: "1", do: "save" });
  expect(page).toContain("Saved.");
  expect(page).toContain('value="2099-01-02T09:00"');
  expect(await save({ version: "2", do: "save", sendAt: "2099-13-02T09:00" })).toContain("no such time in New York");

  const productId = (await database.pool.query<{ id: string }>("SELECT id FROM products LIMIT 1")).rows[0]!.id;
  const empty = await save({ version: "2", do: "send", productId });
  expect(empty).toContain("Saved, but no one is on this list yet");
  const version = /name="version" value="(\d+)"/.exec(empty)?.[1] ?? "";
  expect(version).toBe("3");
  const long = await save({ version, do: "save", markdown: "x".repeat(20_001) });
  expect(long).toContain("This letter has 20,001 characters");
  expect(long).toContain("x".repeat(20_001));

  await actor("customer");
  const sent = await save({ version, do: "send", audience: "news", sendAt: "" });
  expect(sent).toMatch(
    /role="status"[^>]*>For [\d,]+ (person|people)\. Begins within a minute and takes about 1 hour at most/,
  );
});

it("who asks for a sold-out product is emailed when it is available", async () => {
  const [slug, email] = ["lid-gasket-set", someEmail()];
  const read = async (path: string, who = guest) => textOf(await (await who.fetch(path)).text());
  await setUnits(database.pool, slug, 0);
  await expect.poll(() => read(`/product/${slug}`)).toContain("Email me when it’s available");
  const ask = async (typed: string) => (await guest.post(`/back-in-stock?product=${slug}`, { email: typed })).text();
  expect(await ask("ada@example")).toMatch(/value="ada@example"[^]*Please enter a valid email address/);
  expect(await ask(email)).toContain("Noted. We’ll email you once, when it’s available.");
  const { rows } = await database.pool.query("SELECT id FROM products WHERE slug = $1", [slug]);
  const waiting = async () => read(`/admin/products/${rows[0].id}`, (await staff("manager")).visitor);
  expect(await waiting()).toContain("1 person asked for an email when it’s available.");
  await setUnits(database.pool, slug, 1);
  expect(await sendBackInStock(database.db)).toBe(1);
  const mail = await emailTo(shop.url, email, "Lid Gasket Set is available");
  expect(await waiting()).not.toContain("asked for an email");
  await expect.poll(() => read(linkIn(mail, `/product/${slug}`))).toContain("Only 1 left");
});
