/** Messages, customers and the privacy desk as a browser without JavaScript uses them. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeActor } from "../support/actors.ts";
import { emailTo } from "../support/mailbox.ts";
import { makeStaff, type StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";
import type { Visitor } from "../support/visitor.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, visitor, database } = useShop({ AUTH_SECRET });
const run = (text: string, values: unknown[] = []) => database.pool.query(text, values);

let grace: StaffMember;
let linus: StaffMember;
let owner: StaffMember;
beforeAll(async () => {
  const make = (role: "support" | "owner", name: string, isFresh = true) =>
    makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, role, { name, isFresh });
  grace = await make("support", "Grace Hopper");
  linus = await make("support", "Linus Meyer");
  owner = await make("owner", "Mary Shelley", false);
});

const words = (html: string) =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>|<!--.*?-->/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
const page = async (who: Visitor, path: string) => (await who.fetch(path)).text();
const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

/** Somebody writes by the form of the shop. */
async function write(text: string): Promise<{ id: string; email: string; path: string }> {
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const sent = await visitor.post("/support", { name: "Ada Lovelace", email, message: text, "leave-empty": "" });
  expect(sent.status).toBe(200);
  const { rows } = await run("SELECT id FROM contact_messages WHERE email = $1", [email]);
  return { id: rows[0].id, email, path: `/admin/messages/${rows[0].id}` };
}

describe("messages", () => {
  it("come from the contact form, are found by their words, and are answered by mail", async () => {
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
    const sent = await grace.visitor.post(`${path}?act=reply`, { ...fields, closes: "yes" });
    expect([sent.status, words(await sent.text())]).toEqual([200, expect.stringContaining("Sent, and closed.")]);
    const again = await grace.visitor.post(`${path}?act=reply`, fields);
    expect(words(await again.text())).toContain("This was sent before, once.");
    expect(await emailTo(shop.url, email, "Re: We have your message")).toMatchObject({
      text: expect.stringMatching(/^Hello Ada, it fits\.\n\nYou wrote:\n> Does it fit a pomegranate\?/),
    });
    expect(await page(grace.visitor, "/admin/messages?q=pomegranate")).not.toContain(`href="${path}"`);
    expect(await page(grace.visitor, "/admin/messages?q=pomegranate&status=closed&whose=mine")).toContain(path);
  });

  it("answered by two at once: the second keeps what was typed, and is told who was first", async () => {
    const { path } = await write("Two will answer this.");
    const [hers, his] = [await page(grace.visitor, path), await page(linus.visitor, path)];
    const reply = (who: StaffMember, html: string, body: string) =>
      who.visitor.post(`${path}?act=reply`, { body, replyId: hidden(html, "replyId"), seen: hidden(html, "seen") });
    expect((await reply(grace, hers, "Yes.")).status).toBe(200);
    const refused = await reply(linus, his, "My <long> words.");
    const told = await refused.text();
    expect(refused.status).toBe(409);
    expect(words(told)).toContain("Grace Hopper has answered meanwhile");
    expect(told).toMatch(/<textarea[^>]*>My &lt;long&gt; words\.<\/textarea>/);
    expect((await reply(linus, told, "My <long> words.")).status).toBe(200);
  });

  it("are assigned, linked, closed and opened; what is wrong is said beside its field", async () => {
    const { path } = await write("Everything happens to this.");
    const act = async (name: string, fields: Record<string, string>) => {
      const response = await grace.visitor.post(`${path}?act=${name}`, fields);
      return `${response.status} ${words(await response.text())}`;
    };
    expect(await act("reply", { body: " ", replyId: randomUUID(), seen: "0" })).toMatch(/^400 .*Write what you answer/);
    expect(await act("order", { number: "twelve" })).toMatch(/^400 .*has eight characters/);
    expect(await act("order", { number: "00000000" })).toMatch(/^409 .*no order with this number/);
    expect(await act("assign", { staffId: linus.staffId, was: "" })).toMatch(/^200 .*It is theirs now/);
    expect(await act("assign", { staffId: grace.staffId, was: "" })).toMatch(/^409 .*Linus Meyer has it now/);
    expect(await act("status", { status: "closed", seen: "0" })).toMatch(/^200 .*Closed by Grace Hopper/);
    expect(await act("status", { status: "open", seen: "0" })).toMatch(/^200 .*Open again/);
    expect((await grace.visitor.fetch(`/admin/messages/${randomUUID()}`)).status).toBe(404);
    expect((await grace.visitor.fetch("/admin/messages/none")).status).toBe(404);
  });

  it("have saved replies, each with a title of its own", async () => {
    const save = async (fields: Record<string, string>) =>
      words(await (await grace.visitor.post("/admin/messages/saved?act=save", fields)).text());
    expect(await save({ title: "", body: "" })).toMatch(/Give it a title.*Write what it says/);
    expect(await save({ title: "Pears", body: "They fit.", version: "" })).toContain("Pears");
    expect(await save({ title: "Pears", body: "They do not.", version: "" })).toContain("There is one with this title");
    const { rows } = await run("SELECT id FROM saved_replies WHERE title = 'Pears'");
    const change = { key: rows[0].id, title: "Pears", body: "They did.", version: "another" };
    expect(await save(change)).toContain("A colleague has changed it meanwhile");
    await grace.visitor.post("/admin/messages/saved?act=remove", { key: rows[0].id });
    expect(await page(grace.visitor, "/admin/messages/saved")).not.toContain("Pears");
  });
});

describe("customers", () => {
  it("are found by how their email begins, and an email with an account leads to it", async () => {
    const ada = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const list = await page(grace.visitor, `/admin/customers?q=${ada.email.slice(0, 12).toUpperCase()}`);
    expect(list).toContain(`/admin/customers/${ada.userId}`);
    const byEmail = await grace.visitor.fetch(`/admin/customers/by-email?email=${encodeURIComponent(ada.email)}`);
    expect([byEmail.status, byEmail.headers.get("Location")]).toEqual([302, `/admin/customers/${ada.userId}`]);
    const html = words(await page(grace.visitor, `/admin/customers/${ada.userId}`));
    expect(html).toMatch(/Travel Sleeve/);
    expect(html).toContain(ada.orderId.slice(0, 8));
    const { path, email } = await write("I am nobody's customer.");
    expect(await page(grace.visitor, `/admin/customers/by-email?email=${email}`)).toContain(path);
    for (const none of [randomUUID(), "none"]) {
      expect((await grace.visitor.fetch(`/admin/customers/${none}`)).status).toBe(404);
    }
    expect((await grace.visitor.fetch("/admin/customers/by-email")).status).toBe(302);
  });
});

describe("the privacy desk", () => {
  async function register(email: string, kind: string): Promise<string> {
    const today = new Date().toISOString().slice(0, 10);
    const fields = { email, kind, law: "gdpr", channel: "letter", receivedOn: today, note: "" };
    const made = await grace.visitor.post("/admin/privacy?act=register", fields);
    expect([made.status, words(await made.text())]).toEqual([200, expect.stringContaining("Registered.")]);
    const { rows } = await run("SELECT id FROM privacy_requests WHERE email = $1 AND kind = $2", [email, kind]);
    return `/admin/privacy/${rows[0].id}`;
  }
  const post = async (who: StaffMember, path: string, fields: Record<string, string>) => {
    const response = await who.visitor.post(path, fields);
    return `${response.status} ${words(await response.text())}`;
  };

  it("gives an owner the file of who has proved who they are, once a code was shown", async () => {
    const ada = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const path = await register(ada.email, "data");
    expect((await grace.visitor.post(`${path}/file?act=export`, {})).status).toBe(403);
    const ask = (fields: Record<string, string>) => owner.visitor.post(`${path}/file?act=export`, fields);
    expect((await ask({})).headers.get("Location")).toBe(`${path}?file=code#file`);
    expect(await page(owner.visitor, `${path}?file=code`)).toContain("The code is missing");
    expect((await ask({ code: await owner.code() })).headers.get("Location")).toBe(`${path}?file=not-proven#file`);
    expect(await post(grace, `${path}?act=prove`, { proof: "" })).toMatch(/^400 .*Choose how you know/);
    expect(await post(grace, `${path}?act=prove`, { proof: "answered" })).toMatch(/^200/);
    const file = await ask({});
    expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="data-[0-9a-f]{8}\.json"$/);
    expect(file.headers.get("Cache-Control")).toContain("no-store");
    expect(await file.json()).toMatchObject({ account: { email: ada.email }, orders: [{ id: ada.orderId }] });
    expect(await post(grace, `${path}?act=close`, { outcome: "done", note: "Sent by mail." })).toMatch(/^200/);
    expect(await post(grace, `${path}?act=note`, { note: "More." })).toMatch(/^409 .*answered before/);
  });

  it("lets an owner erase them, by the word and a code", async () => {
    const ada = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const path = await register(ada.email, "deletion");
    await post(grace, `${path}?act=prove`, { proof: "document" });
    const careful = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner", { isFresh: false });
    expect(await post(grace, `${path}?act=erase`, { confirmation: "delete" })).toMatch(/^403/);
    expect(await post(careful, `${path}?act=erase`, { confirmation: "yes" })).toMatch(/^400 .*Type delete to confirm/);
    expect(await post(careful, `${path}?act=erase`, { confirmation: "delete" })).toMatch(/^403 .*Enter the code/);
    const code = await careful.code();
    expect(await post(careful, `${path}?act=erase`, { confirmation: "delete", code })).toMatch(
      /^200 .*The person is erased/,
    );
    expect((await run("SELECT FROM users WHERE email = $1", [ada.email])).rowCount).toBe(0);
    expect(await emailTo(shop.url, ada.email, "deleted")).toMatchObject({ to: ada.email });
    expect(await page(grace.visitor, "/admin/privacy")).not.toContain(ada.email);
  });

  it("mails why an answer takes longer", async () => {
    const email = `${randomUUID()}@example.com`;
    const path = await register(email, "data");
    expect(await post(grace, `${path}?act=extend`, { reason: "" })).toMatch(/^400 .*Write why/);
    expect(await post(grace, `${path}?act=extend`, { reason: "the archive is slow." })).toMatch(/^200/);
    expect((await emailTo(shop.url, email, "more time")).text).toContain("the archive is slow.");
  });
});

it("whoever runs the shop cannot delete the account in its settings", async () => {
  const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
  await run("INSERT INTO staff (user_id, role) VALUES ($1, 'support')", [actor.userId]);
  const fields = { intent: "delete", confirmation: "delete", password: actor.password };
  const refused = await actor.visitor.post("/account?tab=settings", fields);
  expect(refused.status).toBe(409);
  expect(words(await refused.text())).toContain("You run this shop: an owner ends that under Staff first.");
  expect((await run("SELECT FROM users WHERE id = $1", [actor.userId])).rowCount).toBe(1);
});
