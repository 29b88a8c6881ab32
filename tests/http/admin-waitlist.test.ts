/** The waitlist, its invitations and analytics, without JavaScript. */
import { beforeAll, expect, it } from "vitest";
import { RATE_DAYS } from "#shop/analytics/events.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { invitationCode, inviteBatch } from "#shop/waitlist/invitations.server.ts";
import { listPlaces } from "#shop/waitlist/list-signups.server.ts";
import { unsubscribeUrl } from "#shop/waitlist/waitlist.server.ts";
import { textOf } from "../support/page-data.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { setUnits } from "../support/stock.ts";
import { AUTH_SECRET, useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const { shop, database, staff } = useShop();
let manager: StaffMember;
let support: StaffMember;
let menuBefore: string | undefined;

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const BROWSER = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", Accept: "text/html" };

async function place(email: string, source: string | null = null): Promise<string> {
  const [user] = await query("INSERT INTO users (email, name) VALUES ($1, '') RETURNING id", [email]);
  const [made] = await query(
    "INSERT INTO waitlist (user_id, email, utm_source, verified_at) VALUES ($1, $2, $3, now()) RETURNING id",
    [user.id, email, source],
  );
  return made.id;
}

beforeAll(async () => {
  manager = await staff("manager");
  support = await staff("support");
  menuBefore = await menu();
  await place("=cmd@example.com", "mail");
  for (const name of ["ada", "grace", "lin"]) await place(`${name}@example.com`);
});

const page = async (path: string) => (await manager.visitor.fetch(path)).text();

const menu = async () => /<nav aria-label="Back office">[^]*?<\/nav>/.exec(await page("/admin"))?.[0];

it("is in the menu once it is used", async () => {
  expect(menuBefore).toContain("Analytics");
  expect(menuBefore).not.toContain("Waitlist");
  expect(await menu()).toContain("Waitlist");
});

/** Action and filled fields of a form. */
function formOf(html: string, id: string) {
  const form = html.match(/<form[^>]*>[^]*?<\/form>/g)?.find((each) => each.includes(` id="${id}"`)) ?? "";
  const valueIn = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const inputs = form.match(/<input[^>]*>/g) ?? [];
  return {
    action: valueIn(form, "action").replaceAll("&amp;", "&"),
    fields: Object.fromEntries(inputs.map((input) => [valueIn(input, "name"), valueIn(input, "value")])),
  };
}

it("filters signups by source and status", async () => {
  expect(await page("/admin/waitlist")).toContain("ada@example.com");
  const ofMail = await page("/admin/waitlist?source=mail");
  expect(ofMail).toContain("=cmd@example.com");
  expect(ofMail).not.toContain("ada@example.com");
  const open = formOf(ofMail, "open-").action;
  const refused = await (await manager.visitor.post(open, { slug: "Nothing of ours", until: "" })).text();
  expect(refused).toContain("Enter the name or URL handle");
  expect(refused).not.toContain("ada@example.com");
  expect(await page("/admin/waitlist?state=unsubscribed")).toContain("No signups match.");
  expect((await support.visitor.fetch("/admin/waitlist")).status).toBe(403);
});

it("exports a CSV file after a recent verification, without formulas, and audits it", async () => {
  const stale = await staff("manager", { isFresh: false });
  const take = (who: StaffMember) => who.visitor.post("/admin/waitlist/export?intent=export", {});
  const refused = await take(stale);
  expect([refused.status, refused.headers.get("Location")]).toEqual([303, "/admin/waitlist?export=code#export"]);
  expect((await take(support)).status).toBe(403);
  const file = await take(manager);
  expect(file.headers.get("Content-Disposition")).toContain("waitlist-");
  const lines = (await file.text()).trim().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe("Email,Phone,Source,Campaign,Joined,Confirmed,Unsubscribed,Batch,Order");
  expect(lines.at(-1)).toMatch(/^'=cmd@example.com,/);
  expect(await query("SELECT staff_id FROM audit_log WHERE action = 'waitlist.export'")).toEqual([
    { staff_id: manager.staffId },
  ]);
});

it("invites a batch; each code opens waitlist-only products for one order", async () => {
  const submit = async (name: string, fields: Record<string, string>) =>
    (await manager.visitor.post(`/admin/waitlist?intent=${name}`, fields)).text();
  expect(await submit("invite", { size: "1", confirms: "1" })).toContain(
    "No one was invited: no product is waitlist-only",
  );
  expect(await submit("open", { slug: "travel-sleeve", until: "soon" })).toContain("Choose a date");
  for (const until of [newYorkDay(new Date()), "2020-01-01"])
    expect(await submit("open", { slug: "travel-sleeve", until })).toContain("Choose a day after today");
  expect(await submit("open", { slug: "Nothing of ours", until: "2099-01-01" })).toContain(
    "Enter the name or URL handle",
  );
  expect(await submit("open", { slug: "Travel Sleeve", until: "2099-01-01" })).toContain(
    "Waitlist-only until that date.",
  );
  expect(await page("/admin/waitlist")).toContain('<option value="travel-sleeve">Travel Sleeve</option>');
  expect(await page("/admin/waitlist")).toMatch(
    /You’re first in line[^]*Travel Sleeve for \$19\.00, which opens to everyone on January 1, 2099/,
  );
  const notice = "Waitlist first: by invitation now, for everyone starting January 1, 2099";
  await expect.poll(() => page("/product/travel-sleeve")).toContain(notice);
  expect(await page("/product/travel-sleeve")).toContain("https://schema.org/OutOfStock");
  expect(await page("/product/travel-sleeve")).toMatch(
    /January 1, 2099<\/(?:p|span)>[^]*<a [^>]*href="\/waitlist\/join"[^>]*>Join the waitlist</,
  );
  expect(await submit("invite", { size: "9000" })).toContain("Enter a number from 1 to 5,000");
  await query(
    "UPDATE stock SET inventory_count = 0 WHERE product_id = (SELECT id FROM products WHERE slug = 'travel-sleeve')",
  );
  expect(await page("/admin/waitlist")).toContain("Invite anyway, with 0 available of Travel Sleeve");
  expect(await submit("invite", { size: "1", source: "-" })).toContain("There is none left for them to order.");
  const one = { size: "1", source: "-", confirms: "1" };
  expect(await submit("invite", { ...one, soldOut: "on" })).toContain("Batch 1: 1 invited");
  await query(
    "UPDATE stock SET inventory_count = 9 WHERE product_id = (SELECT id FROM products WHERE slug = 'travel-sleeve')",
  );
  expect(await submit("invite", { size: "500", source: "-" })).toMatch(
    /name="confirms" value="2"[^]*>Invite 2 people</,
  );
  expect(await submit("invite", { ...one, size: "500" })).toContain("Invite 2 people");
  const start = formOf(await page("/admin/waitlist?source=-&state=verified"), "invite");
  const asked = await (await manager.visitor.post(start.action, { ...start.fields, size: "1" })).text();
  expect(asked).not.toContain("=cmd@example.com");
  const confirmation = formOf(asked, "invite");
  expect(await (await manager.visitor.post(confirmation.action, confirmation.fields)).text()).toContain(
    "Batch 2: 1 invited",
  );
  const [invited] = await query("SELECT id FROM waitlist WHERE email LIKE 'ada@%'");
  const link = `/waitlist/early?code=${invitationCode(invited.id, AUTH_SECRET)}`;

  const stranger = new Visitor(shop.url);
  const fields = { productId: await stranger.productId("travel-sleeve"), quantity: "1" };
  const refused = await stranger.post("/cart/add", fields, { Accept: "application/json" });
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ ok: false, message: expect.stringContaining("open to our waitlist first") }),
  ]);

  const early = new Visitor(shop.url);
  const opened = await early.fetch(link);
  expect([opened.status, opened.headers.get("Location")]).toEqual([303, "/product/travel-sleeve"]);
  expect([(await early.me()).isInvited, (await stranger.me()).isInvited]).toEqual([true, false]);
  await early.add("travel-sleeve");
  expect((await early.checkout()).status).toBe(200);
  const [order] = await query("SELECT order_id FROM waitlist WHERE id = $1", [invited.id]);
  expect(order.order_id).toBeTruthy();
  expect((await early.me()).isInvited).toBe(false);
  expect(await page("/admin/waitlist?state=invited")).toContain(order.order_id.slice(0, 8));
  const ordered = (await listPlaces(database.db, {}, null)).filter(({ orderId }) => orderId !== null);
  expect(ordered).toMatchObject([{ id: invited.id, orderId: order.order_id }]);

  const again = await early.post("/cart/add", fields, { Accept: "application/json" });
  expect(again.status).toBe(409);
  await query("UPDATE products SET waitlist_only_until = NULL");
});

it("a product that becomes waitlist-only cannot be ordered from an earlier cart", async () => {
  const guest = new Visitor(shop.url);
  await guest.add("charging-dock");
  await query("UPDATE products SET waitlist_only_until = now() + interval '1 day' WHERE slug = 'charging-dock'");
  const answer = await guest.checkout();
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("It’s open to our waitlist first.");
  await query("UPDATE products SET waitlist_only_until = NULL");
});

it("one code gives one order, also to simultaneous buyers", async () => {
  const id = await place("katherine@example.com", "race");
  const by = { staffId: manager.staffId, role: "manager" as const, address: "", requestId: null };
  await inviteBatch(database.db, by, { segment: { utmSource: "race" }, size: 1 }, AUTH_SECRET);
  await query("UPDATE products SET waitlist_only_until = now() + interval '1 day' WHERE slug = 'charging-dock'");
  const shoppers = await Promise.all(
    [1, 2, 3].map(async () => {
      const visitor = new Visitor(shop.url);
      await visitor.fetch(`/waitlist/early?code=${invitationCode(id, AUTH_SECRET)}`);
      await visitor.add("charging-dock");
      return { visitor, fields: await visitor.checkoutFields() };
    }),
  );
  const answers = await Promise.all(shoppers.map(({ visitor, fields }) => visitor.checkout(fields)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  await query("UPDATE products SET waitlist_only_until = NULL");
});

it("a signup is unsubscribed by the page's button and by a mail program's one-click request", async () => {
  for (const headers of [{ Accept: "text/html", Origin: shop.url }, { Accept: "*/*" }] as Record<string, string>[]) {
    const id = await place(`${Object.keys(headers).length}-unsubscribes@example.com`);
    const { pathname, search } = new URL(unsubscribeUrl(id, { baseUrl: shop.url, secret: AUTH_SECRET }));
    const opened = await fetch(shop.url + pathname + search);
    expect(await opened.text()).toContain("<button");
    const state = () => query("SELECT unsubscribed_at IS NOT NULL AS done FROM waitlist WHERE id = $1", [id]);
    expect(await state()).toEqual([{ done: false }]);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const answer = await fetch(shop.url + pathname + search, { method: "POST", body, headers, redirect: "follow" });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("You’re unsubscribed")]);
    expect(await state()).toEqual([{ done: true }]);
    const cut = await fetch(`${shop.url}${pathname}${search}x`, { method: "POST", headers });
    expect([cut.status, await cut.text()]).toEqual([404, "This link is incomplete. Open it from the email again."]);
  }
});

it("counts visits and product views, also of cached pages, without bots and prefetches", async () => {
  const { count: before } = (await query("SELECT coalesce(sum(count), 0)::int AS count FROM daily_counts"))[0];
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(shop.url + path, { headers: { ...BROWSER, ...headers } });
  for (let i = 0; i < 3; i++) await ask("/?utm_source=counted", { "Sec-Fetch-Site": "cross-site" });
  await ask("/product/travel-sleeve", { "Sec-Fetch-Site": "same-origin", Cookie: "polara_visit=utm_source%3Dcounted" });
  await ask("/product/travel-sleeve.data", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" });
  await ask("/product/travel-sleeve.data", { "Sec-Purpose": "prefetch", "Sec-Fetch-Dest": "empty" });
  await ask("/checkout", { Referer: `${shop.url}/cart` });
  await ask("/", { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  const events = () =>
    query("SELECT event, utm_source AS source, count::int FROM daily_counts ORDER BY count DESC, event, utm_source");
  await expect
    .poll(async () => (await query("SELECT sum(count)::int AS count FROM daily_counts"))[0].count, { timeout: 15_000 })
    .toBeGreaterThanOrEqual(before + 6);
  expect(await events()).toEqual(
    expect.arrayContaining([
      { event: "visit", source: "counted", count: 3 },
      { event: "product-view", source: "counted", count: 1 },
    ]),
  );
  const shown = await page("/admin/analytics?days=7&source=counted");
  expect(shown).toMatch(/Visits<\/th><td class="number">3</);
  expect(shown).toContain("partial");
  // Without sales there is no chart of zeros, and counts have no halves.
  expect(shown).not.toContain("Sales by day, in dollars");
  expect(shown).toMatch(/<span>4<\/span><span>2<\/span><span>0<\/span>/);
  expect(shown).toContain("Today’s sales count starting tomorrow.");
  const year = await page("/admin/analytics?days=365&source=counted");
  expect(year).toContain("Visits by week");
  expect(year.match(/fill-opacity/g)).toHaveLength(53);
  expect((await support.visitor.fetch("/admin/analytics")).status).toBe(403);
});

it("analytics filters by a button that is seen, and by two dates", async () => {
  const usual = await page("/admin/analytics");
  expect(usual).toMatch(/<button type="submit" class="btn">Filter</);
  expect(usual).not.toContain('type="date"');
  const october = await page("/admin/analytics?days=custom&from=2026-10-01&to=2026-10-31");
  expect(october).toMatch(/Oct 1[^<]* to Oct 31/);
  expect(october).toMatch(/<option value="custom" selected="">Custom dates</);
  expect(october).toContain("Top products");
  const reversed = await page("/admin/analytics?days=custom&from=2026-10-31&to=2026-10-01");
  expect(reversed).toMatch(/“To” is before “From”\. The last 28 days are shown\./);
  expect(reversed).toMatch(/value="2026-10-31"[^]*value="2026-10-01"/);
});

it("the forecast of stock is in days that help, and Today names what sells out soon", async () => {
  for (const [slug, stock, sold] of [
    ["travel-sleeve", 50, 1],
    ["charging-dock", 40, 140],
  ] as const) {
    await setUnits(database.pool, slug, stock);
    await query("INSERT INTO product_sales SELECT $1, id, $2, 0 FROM products WHERE slug = $3", [
      RATE_DAYS,
      sold,
      slug,
    ]);
  }
  const forecast = textOf(/Stock forecast[^]*?<\/table>/.exec(await page("/admin/analytics"))?.[0]);
  expect(forecast).toContain("Charging Dock 40 140 In 8 days");
  expect(forecast).toContain("Travel Sleeve 50 1 In over a year");
  const today = textOf(await page("/admin"));
  expect(today).toContain("Charging Dock 40 available, sells out in 8 days");
  expect(today).not.toContain("Travel Sleeve 50 available");
});

it("the period of Tax is in words, and a reversed one is refused beside its dates", async () => {
  const october = await page("/admin/tax?from=2026-10-01&to=2026-10-31");
  expect(october).toContain("Oct 1, 2026 to Oct 31, 2026");
  expect(october).toContain(">Clear</a>");
  expect(await page("/admin/tax")).not.toContain(">Clear</a>");
  const reversed = await page("/admin/tax?from=2026-10-31&to=2026-10-01");
  expect(reversed).toContain("“To” is before “From”. This year is shown.");
  expect(reversed).toMatch(/value="2026-10-31"[^]*value="2026-10-01"/);
});
