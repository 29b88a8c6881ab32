/** Go live: what is missing, and its tests with the real thing. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { texts } from "#shop/content/text.tables.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { textOf } from "../support/page-data.ts";
import { usePayingShop } from "../support/paying-shop.ts";
import { makeStaff, STAFF_COOKIE, type StaffMember } from "../support/staff-member.ts";
import { AUTH_SECRET, useShop } from "../support/use-shop.ts";

const ADDRESS = ["Polara", "1 Dock Road", "Austin, TX 78701"];
/** The shop's own addresses and legal texts, once its process has heard of them. */
async function ownWords({ db }: Pick<ReturnType<typeof useShop>["database"], "db">, url: string) {
  const emails = { supportEmail: "help@bowls.com", ordersEmail: "orders@bowls.com" };
  const shipFrom = { ...FIRST_SETTINGS.parcels.shipFrom, line1: "1 Dock Road" };
  const counts = { effectiveOn: "2020-01-01", staffId: randomUUID() };
  const legal = { version: 1, markdown: "## Ours {#ours}\n\nOurs.", fields: {}, publishAt: new Date("2026-01-01") };
  await db
    .insert(texts)
    .values(["terms", "privacy", "warranty"].map((name) => ({ ...counts, ...legal, key: `legal-${name}` })));
  await db.insert(settingsVersions).values([
    { ...counts, section: "contact", value: { ...emails, returnAddress: ADDRESS, postalAddress: ADDRESS } },
    { ...counts, section: "parcels", value: { shipFrom } },
    { ...counts, section: "tax", value: { TX: true } },
  ]);
  const support = async () => (await fetch(`${url}/support`, { headers: { "X-Forwarded-Proto": "https" } })).text();
  await vi.waitFor(async () => expect(await support()).toContain(emails.supportEmail), 5_000);
}
const screen = async ({ visitor }: StaffMember) => textOf(await (await visitor.fetch("/admin/go-live")).text());
/** The page after a test, without JavaScript. */
const test = async ({ visitor }: StaffMember, intent: string) =>
  textOf(await (await visitor.post(`/admin/go-live?intent=${intent}`, {})).text());

describe("with everything in the sandbox", () => {
  const sandbox = { PAYMENTS: "sandbox", TAX: "sandbox", CARRIERS: "sandbox" };
  const { shop, database, staff } = useShop(sandbox);
  beforeAll(() => ownWords(database, shop.url));

  it.each([
    ["mail", /The email to \S+@example\.com stays in the shop’s mailbox/],
    ["payments", /The sandbox answered\. It takes no keys, so yours weren’t tried\./],
    ["tax", /The sandbox answered: \$8\.25 on \$100\.00 in Austin, TX\./],
    ["address", /The sandbox delivers to 1 Dock Road, Austin, TX 78701/i],
  ])("the test of %s succeeds and is audited", async (name, answer) => {
    const owner = await staff("owner");
    expect(await test(owner, name)).toMatch(answer);
    const { rows } = await database.pool.query("SELECT action, after FROM audit_log WHERE staff_id = $1", [
      owner.staffId,
    ]);
    expect(rows).toEqual([{ action: "go-live.test", after: { test: name, outcome: "ok" } }]);
    if (name !== "mail") return;
    const { rows: sent } = await database.pool.query('SELECT subject FROM mailbox_messages WHERE "to" = $1', [
      owner.email,
    ]);
    expect(sent).toEqual([{ subject: "Your shop’s email works | Polara" }]);
  });

  it("the screen, the menu and Today say what is missing, to owners", async () => {
    const owner = await staff("owner");
    const shown = await screen(owner);
    for (const words of ["is this machine only", "The sandbox takes test cards only", "set SMTP_URL", "None is known"])
      expect(shown).toContain(words);
    const today = await (await owner.visitor.fetch("/admin")).text();
    expect(today).toContain('href="/admin/go-live"');
    expect(textOf(today)).toMatch(/To go live \d/);
    const manager = await staff("manager");
    expect(await (await manager.visitor.fetch("/admin")).text()).not.toContain("/admin/go-live");
  });
});

describe("with wrong keys and servers that are away", () => {
  const away = "http://127.0.0.1:9";
  const { shop, database } = usePayingShop({
    AUTH_SECRET,
    STRIPE_SECRET_KEY: "sk_test_wrong",
    TAX: "stripe",
    SMTP_URL: "smtp://127.0.0.1:9",
    CARRIERS: "easypost",
    EASYPOST_API_KEY: "any",
    EASYPOST_API_URL: away,
  });
  beforeAll(() => ownWords(database, shop.url));

  it.each([
    ["mail", /The mail server did not accept it \(E[A-Z]+\)\./],
    ["payments", /Stripe refuses the key, or what it may not do\./],
    ["tax", /Stripe refuses the key, or what it may not do\./],
    ["address", /EasyPost did not answer\./],
  ])("the test of %s says so and is audited", async (name, answer) => {
    const owner = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner");
    expect(await test(owner, name)).toMatch(answer);
    const { rows } = await database.pool.query("SELECT after FROM audit_log WHERE staff_id = $1", [owner.staffId]);
    expect(rows).toEqual([{ after: { test: name, outcome: "failed" } }]);
  });
});

describe("a public shop where all is done", () => {
  const { shop, database, staff } = useShop({
    BASE_URL: "https://bowls.example.com",
    TRUST_PROXY: "loopback",
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_live_none",
    STRIPE_WEBHOOK_SECRET: "whsec_none",
    STRIPE_API_URL: "http://127.0.0.1:9",
    TAX: "stripe",
    SMTP_URL: "smtp://127.0.0.1:9",
  });
  beforeAll(() => ownWords(database, shop.url));

  it("says so, and has no entry in the menu until something is missing again", async () => {
    const { visitor, cookie } = await staff("owner");
    await staff("owner");
    visitor.carry(`__Host-${STAFF_COOKIE}`, cookie);
    const read = async (path: string) =>
      (await visitor.fetch(path, { headers: { "X-Forwarded-Proto": "https" } })).text();
    const menu = async () => /<nav aria-label="Back office">[\s\S]*?<\/nav>/.exec(await read("/admin"))?.[0] ?? "";
    expect(await menu()).toContain("Go live");
    await database.pool.query("INSERT INTO backups DEFAULT VALUES");
    await database.pool.query(
      "INSERT INTO payment_inbox (provider, event_id, type, reference, handled_at, mode) VALUES ('stripe', 'evt_1', 'charge.captured', 'ch_1', now(), 'live')",
    );
    await vi.waitFor(async () => expect(await menu()).not.toContain("Go live"), 5_000);
    expect(await menu()).toContain("Orders");
    const screen = textOf(await read("/admin/go-live"));
    expect(screen).toContain("Nothing is missing");
    expect(screen).toContain("The checkout adds sales tax in Texas.");
    expect(screen).toContain("“Continue with Google” is left out.");
    for (const path of ["/auth", "/auth?tab=sign-up"]) expect(await read(path)).not.toContain("Continue with Google");
    expect(
      (await visitor.fetch("/google-sandbox/authorize", { headers: { "X-Forwarded-Proto": "https" } })).status,
    ).toBe(404);
    expect(screen).toContain("The shop takes credit and debit cards, Apple Pay, and Google Pay.");
    await database.pool.query(
      "UPDATE staff SET disabled_at = now() WHERE user_id <> (SELECT user_id FROM staff_sessions ORDER BY created_at LIMIT 1)",
    );
    expect(await menu()).toContain("Go live");
  });

  it("offers no method whose provider is not set up", async () => {
    const { visitor, cookie } = await staff("owner");
    visitor.carry(`__Host-${STAFF_COOKIE}`, cookie);
    const lacking = "Not available until PAYPAL_CLIENT_ID and PAYPAL_SECRET are set";
    const html = async (answer: Promise<Response>) => textOf(await (await answer).text());
    const shown = await html(visitor.fetch("/admin/settings", { headers: { "X-Forwarded-Proto": "https" } }));
    expect(shown.split("Not available until")).toHaveLength(2);
    expect(shown).toContain(lacking);
    const turnedOn = { card: "on", paypal: "on", effectiveOn: "2099-01-12", state: "0-0" };
    const from = { Origin: "https://bowls.example.com", "X-Forwarded-Proto": "https" };
    const refused = await visitor.post("/admin/settings?intent=payments", turnedOn, from);
    expect(refused.status).toBe(400);
    expect(textOf(await refused.text())).toContain(lacking);
  });
});
