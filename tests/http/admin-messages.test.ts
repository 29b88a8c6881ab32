/** Messages, failed emails, customers, privacy requests and letters, without JavaScript. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { sendBackInStock } from "#shop/consents/back-in-stock.server.ts";
import { consentUrl, listConsents, listOpenConsents } from "#shop/consents/consents.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { textOf } from "../support/page-data.ts";
import { giveSecondFactor } from "../support/second-factor.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { setUnits } from "../support/stock.ts";
import { AUTH_SECRET, someEmail, useShop } from "../support/use-shop.ts";
import type { Visitor } from "../support/visitor.ts";

const { shop, visitor, database, actor, staff } = useShop();
const run = (text: string, values: unknown[] = []) => database.pool.query(text, values);

let grace: StaffMember;
let linus: StaffMember;
let owner: StaffMember;
beforeAll(async () => {
  grace = await staff("support", { name: "Grace Hopper" });
  linus = await staff("support", { name: "Linus Meyer" });
  owner = await staff("owner", { name: "Mary Shelley", isFresh: false });
});

const words = (html: string) =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>|<!--.*?-->/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
const page = async (who: Visitor, path: string) => (await who.fetch(path)).text();
const post = async (who: StaffMember, path: string, fields: Record<string, string>) => {
  const response = await who.visitor.post(path, fields);
  return `${response.status} ${words(await response.text())}`;
};
const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

/** Sends the contact form. */
async function write(text: string): Promise<{ id: string; email: string; path: string }> {
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const sent = await visitor.post("/support", { name: "Ada Lovelace", email, message: text, "leave-empty": "" });
  expect(sent.status).toBe(200);
  const { rows } = await run("SELECT id FROM contact_messages WHERE email = $1", [email]);
  return { id: rows[0].id, email, path: `/admin/messages/${rows[0].id}` };
}

describe("messages", () => {
  it("arrive from the contact form, are found by search and are answered by email, once", async () => {
    const { path, email } = await write("Does it fit a pomegranate?");
    expect((await emailTo(shop.url, "support@polara.example", "Message from")).links).toContain(shop.url + path);
    const list = await page(grace.visitor, "/admin/messages?q=pomegr&whose=unassigned");
    expect(list).toContain(`href="${path}"`);
    const { rows } = await run(
      "INSERT INTO saved_replies (title, body) VALUES ($1, 'Hello {name}, it fits.') RETURNING id",
      [randomUUID()],
    );
    const html = await page(grace.visitor, `${path}?saved=${rows[0].id}`);
    expect(html).toMatch(/<textarea[^>]*>Hello Ada, it fits\.<\/textarea>/);
    const fields = { body: "Hello Ada, it fits.", replyId: hidden(html, "replyId"), seen: hidden(html, "seen") };
    const reply = (more = {}) => post(grace, `${path}?intent=reply`, { ...fields, ...more });
    expect(await reply({ closes: "yes" })).toMatch(/^200 .*Sent and closed\./);
    expect(await reply()).toContain("Already sent.");
    expect(await emailTo(shop.url, email, "Re: Does it fit a pomegranate?")).toMatchObject({
      text: expect.stringMatching(/^Hello Ada, it fits\.\n\nYou wrote:\n> Does it fit a pomegranate\?/),
    });
    // A search looks in all statuses, unless one was chosen.
    expect(await page(grace.visitor, "/admin/messages?q=pomegranate&status=")).toContain(`href="${path}"`);
    expect(await page(grace.visitor, "/admin/messages?q=pomegranate&status=waiting")).not.toContain(`href="${path}"`);
    expect(await page(grace.visitor, "/admin/messages?q=pomegranate&status=closed&whose=mine")).toContain(path);
  });

  it("a second reply at the same time is refused, names the first, and keeps its text", async () => {
    const { path } = await write("Two colleagues will reply.");
    const [hers, his] = [await page(grace.visitor, path), await page(linus.visitor, path)];
    const reply = (who: StaffMember, html: string, body: string) =>
      who.visitor.post(`${path}?intent=reply`, { body, replyId: hidden(html, "replyId"), seen: hidden(html, "seen") });
    expect((await reply(grace, hers, "Yes.")).status).toBe(200);
    const refused = await reply(linus, his, "My <long> words.");
    const html = await refused.text();
    expect(refused.status).toBe(409);
    expect(words(html)).toContain("Grace Hopper replied in the meantime");
    expect(html).toMatch(/<textarea[^>]*>My &lt;long&gt; words\.<\/textarea>/);
    expect((await reply(linus, html, "My <long> words.")).status).toBe(200);
  });

  it("are assigned, linked, closed and reopened, with errors at their fields", async () => {
    const { path } = await write("Please call me back.");
    const submit = (intent: string, fields: Record<string, string>) => post(grace, `${path}?intent=${intent}`, fields);
    expect(await submit("reply", { body: " ", replyId: randomUUID(), seen: "0" })).toMatch(/^400 .*Enter a reply/);
    expect(await submit("order", { number: "twelve" })).toMatch(/^400 .*has 8 characters/);
    expect(await submit("order", { number: "# 00000000" })).toMatch(/^409 .*No order has this number/);
    const number = (await actor("customer")).orderId.slice(0, 8);
    expect(await submit("order", { number })).toMatch(/^200 /);
    expect(await page(grace.visitor, path)).toContain(`View order ${number}`);
    expect(await submit("assign", { staffId: linus.staffId, was: "" })).toMatch(/^200 .*Assigned\./);
    expect(await submit("assign", { staffId: grace.staffId, was: "" })).toMatch(/^409 .*Linus Meyer is assigned now/);
    expect(await submit("status", { status: "closed", seen: "0" })).toMatch(/^200 .*Closed by Grace Hopper/);
    expect(await submit("status", { status: "open", seen: "0" })).toMatch(/^200 .*Reopened/);
    expect((await grace.visitor.fetch(`/admin/messages/${randomUUID()}`)).status).toBe(404);
    expect((await grace.visitor.fetch("/admin/messages/none")).status).toBe(404);
  });

  it("have saved replies with unique titles", async () => {
    const save = (fields: Record<string, string>) => post(grace, "/admin/messages/saved?intent=save", fields);
    expect(await save({ title: "", body: "" })).toMatch(/Enter a title.*Enter a message/);
    expect(await save({ title: "Pears", body: "They fit.", version: "" })).toContain("Pears");
    expect(await save({ title: "Pears", body: "They do not.", version: "" })).toContain(
      "Another saved reply has this title",
    );
    const { rows } = await run("SELECT id FROM saved_replies WHERE title = 'Pears'");
    const change = { key: rows[0].id, title: "Pears", body: "They did.", version: "another" };
    const form = { ...change, formId: `save-${rows[0].id}` };
    const changed = await (await grace.visitor.post("/admin/messages/saved?intent=save", form)).text();
    expect(changed).toMatch(/<details open="">(?:(?!<\/details>)[^])*This reply was changed in the meantime\./);
    await grace.visitor.post("/admin/messages/saved?intent=remove", { key: rows[0].id });
    expect(await page(grace.visitor, "/admin/messages/saved")).not.toContain("Pears");
  });
});

describe("customers", () => {
  it("are found by the start of their email, and an email with an account redirects to it", async () => {
    const ada = await actor("customer");
    const list = await page(grace.visitor, `/admin/customers?q=${ada.email.slice(0, 12).toUpperCase()}`);
    expect(list).toContain(`/admin/customers/${ada.userId}`);
    const byEmail = await grace.visitor.fetch(`/admin/customers/by-email?email=${encodeURIComponent(ada.email)}`);
    expect([byEmail.status, byEmail.headers.get("Location")]).toEqual([302, `/admin/customers/${ada.userId}`]);
    const html = words(await page(grace.visitor, `/admin/customers/${ada.userId}`));
    expect(html).toMatch(/Travel Sleeve/);
    expect(html).toContain(ada.orderId.slice(0, 8));
    const { path, email } = await write("I have no account.");
    const guest = `/admin/customers/by-email?email=${email}`;
    expect(await page(grace.visitor, guest)).toContain(path);
    expect(await post(grace, `${guest}&intent=tag`, { tag: "" })).toMatch(/^400 .*Enter a tag/);
    expect(await post(grace, `${guest}&intent=note`, { note: "Writes often.", was: "" })).toMatch(/^200 /);
    expect(await post(grace, `${guest}&intent=tag`, { tag: "press" })).toMatch(/^200 /);
    expect(await page(grace.visitor, guest)).toMatch(/Writes often\.[^]*tag=press"[^]*Remove tag press/);
    expect(await post(grace, `${guest}&intent=untag`, { tag: "press" })).not.toContain("Remove tag press");
    for (const none of [randomUUID(), "none"]) {
      expect((await grace.visitor.fetch(`/admin/customers/${none}`)).status).toBe(404);
    }
    expect((await grace.visitor.fetch("/admin/customers/by-email")).status).toBe(302);
  });
});

it("opting out of arbitration is recorded from its message, and shown with the customer", async () => {
  const { path, email } = await write("Ada Lovelace, 12 Analytical Ave: I opt out of arbitration.");
  const [, link = ""] =
    /href="(\/admin\/legal\?[^"#]+)#register"[^>]*>Record arb/.exec(await page(grace.visitor, path)) ?? [];
  const form = await page(grace.visitor, link.replaceAll("&amp;", "&"));
  expect(form).toContain(`value="${email}"`);
  const [, kind = ""] = /<option value="([a-z-]+)" selected=""/.exec(form) ?? [];
  const receivedOn = /name="receivedOn"[^>]* value="([\d-]+)"/.exec(form)?.[1] ?? "";
  const notice = { kind, email, law: "ccpa", channel: "form", receivedOn, note: "Ada Lovelace, 12 Analytical Ave" };
  const record = (fields: Record<string, string>) => post(grace, "/admin/legal?intent=register", fields);
  expect(await record({ ...notice, note: "" })).toMatch(/^400 .*Enter the name and address/);
  expect(await record(notice)).toMatch(/^200 .*A confirmation was sent/);
  expect(await record(notice)).toMatch(/^409 .*opted out before/);
  expect((await emailTo(shop.url, email, "opted out of arbitration")).to).toBe(email);
  const [, request = ""] =
    /href="(\/admin\/legal\/[^"]+)"[^>]*>Arbitration opt-out</.exec(
      await page(grace.visitor, `/admin/customers/by-email?email=${email}`),
    ) ?? [];
  expect(words(await page(grace.visitor, request))).toMatch(/Completed.*under the Terms.*12 Analytical Ave/);
  expect(await page(grace.visitor, "/admin/legal")).toContain(`href="${request}"`);
});

describe("privacy requests", () => {
  async function register(email: string, kind: string): Promise<string> {
    const today = newYorkDay(new Date());
    const fields = { email, kind, law: "gdpr", channel: "letter", receivedOn: today, note: "" };
    expect(await post(grace, "/admin/legal?intent=register", fields)).toMatch(/^200 .*Request added\./);
    const { rows } = await run("SELECT id FROM privacy_requests WHERE email = $1 AND kind = $2", [email, kind]);
    return `/admin/legal/${rows[0].id}`;
  }
  it("export the data of a verified customer to an owner with a recent code", async () => {
    const ada = await actor("customer");
    const path = await register(ada.email, "data");
    expect((await grace.visitor.post(`${path}/file?intent=export`, {})).status).toBe(403);
    const ask = (fields: Record<string, string>) => owner.visitor.post(`${path}/file?intent=export`, fields);
    expect((await ask({})).headers.get("Location")).toBe(`${path}?export=code#export`);
    expect(await page(owner.visitor, `${path}?export=code`)).toContain("Enter the code from your authenticator app");
    expect((await ask({ code: await owner.code() })).headers.get("Location")).toBe(`${path}?export=not-proven#export`);
    expect(await post(owner, `${path}?intent=prove`, { proof: "" })).toMatch(/^400 .*Choose how identity was verified/);
    expect(await page(grace.visitor, path)).toContain("another team member must verify it");
    expect(await post(grace, `${path}?intent=prove`, { proof: "answered" })).toMatch(/^409 .*another team member/);
    expect(await post(owner, `${path}?intent=prove`, { proof: "answered" })).toMatch(/^200/);
    const file = await ask({});
    expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="data-[0-9a-f]{8}\.json"$/);
    expect(file.headers.get("Cache-Control")).toContain("no-store");
    expect(await file.json()).toMatchObject({ account: { email: ada.email }, orders: [{ id: ada.orderId }] });
    expect(await post(grace, `${path}?intent=close`, { outcome: "done", answer: "" })).toMatch(/^200/);
    expect(await post(grace, `${path}?intent=note`, { note: "More." })).toMatch(/^409 .*already closed/);
  });

  it("let an owner delete the data with the word and a code", async () => {
    const ada = await actor("customer");
    const path = await register(ada.email, "deletion");
    await post(owner, `${path}?intent=prove`, { proof: "document" });
    const asked = await page(grace.visitor, path);
    expect(asked).toContain("Deleting the customer data above completes it.");
    expect(asked).not.toContain('<option value="done">');
    expect(await post(grace, `${path}?intent=close`, { outcome: "", answer: "We delete it." })).toMatch(
      /^400 .*Choose an outcome/,
    );
    const early = { outcome: "done", answer: "We deleted your data." };
    expect(await post(grace, `${path}?intent=close`, early)).toMatch(
      /^409 .*Nothing was deleted yet.*deleted your data/,
    );
    const stale = await staff("owner", { isFresh: false });
    expect(await post(grace, `${path}?intent=erase`, { confirmation: "delete" })).toMatch(/^403/);
    expect(await post(stale, `${path}?intent=erase`, { confirmation: "yes" })).toMatch(/^400 .*Type delete to confirm/);
    expect(await post(stale, `${path}?intent=erase`, { confirmation: "delete" })).toMatch(/^403 .*Enter the code/);
    const code = await stale.code();
    expect(await post(stale, `${path}?intent=erase`, { confirmation: "delete", code })).toMatch(
      /^200 .*data was deleted/,
    );
    expect((await run("SELECT FROM users WHERE email = $1", [ada.email])).rowCount).toBe(0);
    expect(await emailTo(shop.url, ada.email, "deleted")).toMatchObject({ to: ada.email });
    expect(await page(grace.visitor, "/admin/legal")).not.toContain(ada.email);
  });
});

it("staff can neither delete their account nor remove their second factor in the settings", async () => {
  const member = await actor("customer");
  const userId = member.userId ?? "";
  const { code } = await giveSecondFactor(database, AUTH_SECRET, userId);
  const settings = "/account?tab=settings";
  expect(await page(member.visitor, settings)).toContain('value="factor-remove"');
  await run("INSERT INTO staff (user_id, role) VALUES ($1, 'support')", [userId]);
  expect(await page(member.visitor, settings)).not.toContain('value="factor-remove"');
  for (const [intent, why] of [
    ["delete", "This account is on the team. An owner must disable it under Staff first."],
    ["factor-remove", "The team needs two-step sign-in. For a new phone, an owner resets it in the back office"],
  ] as const) {
    const fields = { intent, confirmation: "delete", password: member.password, code: await code() };
    const refused = await member.visitor.post(settings, fields);
    expect([refused.status, words(await refused.text())]).toEqual([409, expect.stringContaining(why)]);
  }
  expect(
    (await run("SELECT FROM users JOIN two_factors ON user_id = users.id WHERE users.id = $1", [userId])).rowCount,
  ).toBe(1);
});

/** A job of the outbox. */
const job = async (email: string, state: string): Promise<string> => {
  const { rows } = await run(
    `INSERT INTO pgboss.job (name, data, state, created_on, start_after, output)
     VALUES ('mail', $1, $2, now() - interval '2 hours', now() + interval '1 hour', '{"error": "Error", "responseCode": 550}')
     RETURNING id`,
    [{ template: "account-deleted", email }, state],
  );
  return rows[0].id;
};

it("failed emails are found from Today, sent again and removed", async () => {
  const read = (path: string) => page(grace.visitor, path);
  const [ada, ben, eve] = [someEmail(), someEmail(), someEmail()];
  const [, , third] = [await job(ada, "failed"), await job(ben, "failed"), await job(eve, "failed")];
  expect(await read("/admin")).toMatch(/Failed emails[^]*href="\/admin\/emails"/);
  const list = await read("/admin/emails");
  for (const email of [ada, ben, eve]) expect(list).toContain(email);
  expect(list).toContain("Error 550");
  const [, shown = ""] = /name="page" value="([^"]+)"/.exec(list) ?? [];
  const act = (intent: string, fields: Record<string, string>) => post(grace, `/admin/emails?intent=${intent}`, fields);
  expect(await act("remove", { page: shown })).toContain("Select the emails first.");
  expect(await act("remove", { id: third, page: shown })).toContain("1 email removed.");
  expect(await act("send-again", { page: shown })).toContain("2 emails sent again.");
  expect(await act("send-again", { page: shown })).toContain("These emails are no longer in the list.");
  expect(await read("/admin/emails")).toContain("No failed emails.");
  for (const email of [ada, ben]) expect((await emailTo(shop.url, email, "deleted")).to).toBe(email);
});

it("an alert is on Today for owners and managers", async () => {
  await job(someEmail(), "retry");
  const titleFor = async (role: "owner" | "manager" | "support") =>
    (await (await (await staff(role)).visitor.fetch("/admin")).text()).includes("Jobs are waiting");
  expect([await titleFor("owner"), await titleFor("manager"), await titleFor("support")]).toEqual([true, true, false]);
  const gauges = await (await fetch(`${shop.url}/metrics`)).text();
  expect(gauges).toContain('polara_alert{name="jobs"} 1\n');
});

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
  const read = async (path: string, who = visitor) => textOf(await (await who.fetch(path)).text());
  await setUnits(database.pool, slug, 0);
  await expect.poll(() => read(`/product/${slug}`)).toContain("Email me when it’s available");
  const ask = async (typed: string) => (await visitor.post(`/back-in-stock?product=${slug}`, { email: typed })).text();
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
