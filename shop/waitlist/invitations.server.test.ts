import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { placedOrder } from "#tests/support/placed-order.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import { addToCart } from "#shop/cart/cart.server.ts";
import { emails } from "#shop/emails.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { isWaitlistUsed, listBatches, listPlaces, placesByCampaign } from "./list-signups.server.ts";
import {
  codeHash,
  countInvitable,
  invitationCode,
  inviteBatch,
  reserveForWaitlist,
  listEarlyProducts,
  sendInvitations,
} from "./invitations.server.ts";
import { placeOfLink, unsubscribe, unsubscribeUrl } from "./waitlist.server.ts";
import { waitlist } from "./waitlist.tables.ts";

const secret = "a secret that only tests know, and long enough";
const shop = useFreshDatabase();
let by: Acting;

beforeAll(async () => {
  by = await staffRow(shop.pool, "manager");
});
beforeEach(async () => {
  await shop.pool.query("DELETE FROM waitlist");
  await shop.pool.query("DELETE FROM pgboss.job");
});

async function place({ verified = true, utmSource = null as string | null } = {}) {
  const email = `waiting-${randomUUID()}@example.com`;
  const { rows } = await shop.pool.query("INSERT INTO users (email, name) VALUES ($1, '') RETURNING id", [email]);
  const [made] = await shop.db
    .insert(waitlist)
    .values({ userId: rows[0].id, email, utmSource, phone: "212", verifiedAt: verified ? sql`now()` : null })
    .returning();
  return made!;
}

const jobs = async () =>
  (await shop.pool.query<{ id: string }>("SELECT data->>'placeId' AS id FROM pgboss.job WHERE name = 'mail'")).rows;
const write = (placeId: string) => emails["waitlist-invitation"].write(shop.db, { placeId }, { ...emailShop, secret });
const codeHashOf = async (placeId: string) =>
  (await shop.pool.query("SELECT code_hash FROM waitlist WHERE id = $1", [placeId])).rows[0]?.code_hash;

it("the waitlist is used once somebody joined, or a product is for it first", async () => {
  const reserve = (until: string | null) => reserveForWaitlist(shop.db, by, "travel-sleeve", until);
  expect(await isWaitlistUsed(shop.db)).toBe(false);
  await reserve("2099-01-01");
  expect(await isWaitlistUsed(shop.db)).toBe(true);
  await reserve(null);
  expect(await isWaitlistUsed(shop.db)).toBe(false);
  await place({ verified: false });
  expect(await isWaitlistUsed(shop.db)).toBe(true);
});

describe("a batch", () => {
  it("invites the first verified people once, and is audited", async () => {
    const [first, , third] = [await place(), await place({ verified: false }), await place(), await place()];
    expect(await countInvitable(shop.db, {})).toBe(3);
    expect(await inviteBatch(shop.db, by, { segment: {}, size: 2 }, secret)).toEqual({ batch: 1, invited: 2 });
    const invited = (await listPlaces(shop.db, { state: "invited" }, null)).map(({ id }) => id);
    expect(invited.toSorted()).toEqual([first.id, third.id].toSorted());
    expect(await inviteBatch(shop.db, by, { segment: {}, size: 5 }, secret)).toEqual({ batch: 2, invited: 1 });
    expect(await inviteBatch(shop.db, by, { segment: {}, size: 5 }, secret)).toMatchObject({ invited: 0 });
    expect(await listBatches(shop.db)).toMatchObject([
      { batch: 2, invited: 1, sent: 0, ordered: 0 },
      { batch: 1, invited: 2 },
    ]);
    const { rows } = await shop.pool.query(
      "SELECT staff_id, after FROM audit_log WHERE action = 'waitlist.invite' ORDER BY id",
    );
    expect(rows[0]).toEqual({ staff_id: by.staffId, after: { invited: 2, source: null, campaign: null } });
  });

  it("of a campaign invites nobody else", async () => {
    await place({ utmSource: "mail" });
    const none = await place();
    expect(await inviteBatch(shop.db, by, { segment: { utmSource: null }, size: 9 }, secret)).toMatchObject({
      invited: 1,
    });
    expect(await codeHashOf(none.id)).toBeTruthy();
    expect(await placesByCampaign(shop.db)).toContainEqual({
      utmSource: "mail",
      utmCampaign: null,
      verified: 1,
      unverified: 0,
      unsubscribed: 0,
      invited: 0,
    });
  });

  it("sent by two at once invites nobody twice", async () => {
    for (let i = 0; i < 6; i++) await place();
    const both = await Promise.all([1, 2].map(() => inviteBatch(shop.db, by, { segment: {}, size: 4 }, secret)));
    expect(both.map(({ invited }) => invited).toSorted()).toEqual([2, 4]);
  });
});

it("offers no archived product", async () => {
  await reserveForWaitlist(shop.db, by, "travel-sleeve", "2099-01-01");
  const names = async () => (await listEarlyProducts(shop.db)).map(({ name }) => name);
  expect(await names()).toEqual(["Travel Sleeve"]);
  await shop.pool.query("UPDATE products SET is_available = false, retired_at = now() WHERE slug = 'travel-sleeve'");
  expect(await names()).toEqual([]);
  await shop.pool.query("UPDATE products SET is_available = true, retired_at = NULL WHERE slug = 'travel-sleeve'");
});

describe("its invitations", () => {
  beforeEach(() => reserveForWaitlist(shop.db, by, "travel-sleeve", "2099-01-01"));

  it("are queued once, with the product, a code and a List-Unsubscribe link", async () => {
    const { id, email } = await place();
    await inviteBatch(shop.db, by, { segment: {}, size: 1 }, secret);
    expect(await Promise.all([sendInvitations(shop.db), sendInvitations(shop.db)])).toContain(1);
    const [job] = await jobs();
    expect(await jobs()).toHaveLength(1);
    const mail = await write(job!.id);
    expect(mail).toMatchObject({ to: email, subject: "You’re first in line | Polara" });
    expect(mail?.text).toContain("Travel Sleeve for $19.00, which opens to everyone on January 1, 2099.");
    const code = /early\?code=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    expect(await codeHashOf(id)).toBe(codeHash(code));
    expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    const link = /<.*\?k=(.+)>/.exec(mail?.headers?.["List-Unsubscribe"] ?? "")?.[1] ?? "";
    expect(mail?.text).toContain(link);
    expect(placeOfLink(link, ["another", secret])).toBe(id);
    await reserveForWaitlist(shop.db, by, "travel-sleeve", null);
    expect(await write(job!.id)).toBeNull();
  });

  it("never go to anybody unsubscribed, also after the batch was queued", async () => {
    const [before, queued, written] = [await place(), await place(), await place()];
    await unsubscribe(shop.db, before.id);
    expect(await inviteBatch(shop.db, by, { segment: {}, size: 9 }, secret)).toMatchObject({ invited: 2 });
    await unsubscribe(shop.db, queued.id);
    expect(await sendInvitations(shop.db)).toBe(1);
    await unsubscribe(shop.db, written.id);
    const [job] = await jobs();
    expect(await write(job!.id)).toBeNull();
    const places = await listPlaces(shop.db, { state: "unsubscribed" }, null);
    expect(places).toHaveLength(3);
    expect(places[0]).toMatchObject({ phone: null, utmSource: null });
  });

  it("wait while no product is waitlist-only", async () => {
    await place();
    await inviteBatch(shop.db, by, { segment: {}, size: 1 }, secret);
    await reserveForWaitlist(shop.db, by, "travel-sleeve", null);
    expect(await sendInvitations(shop.db)).toBe(0);
    await reserveForWaitlist(shop.db, by, "travel-sleeve", "2099-01-01");
    expect(await sendInvitations(shop.db)).toBe(1);
  });

  it("wait also once queued, and are sent with the next product", async () => {
    const { id } = await place();
    await inviteBatch(shop.db, by, { segment: {}, size: 1 }, secret);
    expect(await sendInvitations(shop.db)).toBe(1);
    await reserveForWaitlist(shop.db, by, "travel-sleeve", null);
    expect(await write(id)).toBeNull();
    expect(await listBatches(shop.db)).toMatchObject([{ invited: 1, sent: 0 }]);
    await reserveForWaitlist(shop.db, by, "charging-dock", "2099-01-01");
    expect(await sendInvitations(shop.db)).toBe(1);
    expect((await write(id))?.text).toContain("Charging Dock for");
    await reserveForWaitlist(shop.db, by, "charging-dock", null);
    // A retry of an email that has arrived.
    const order = await placedOrder(shop.db, { "travel-sleeve": 1 });
    await shop.db.update(waitlist).set({ orderId: order.id }).where(eq(waitlist.id, id));
    expect(await write(id)).toBeNull();
    expect(await listBatches(shop.db)).toMatchObject([{ invited: 1, sent: 1 }]);
  });

  it.each(["", "x", `${randomUUID()}.`, `${randomUUID()}.AAAA`])("need a valid link to unsubscribe: %j", (link) => {
    expect(placeOfLink(link, [secret])).toBeNull();
  });

  it("have a link for one place", async () => {
    const url = unsubscribeUrl(randomUUID(), { baseUrl: "http://localhost:3000", secret });
    expect(
      placeOfLink(
        url.split("?k=")[1]!.replace(/^./, (digit) => (digit === "a" ? "b" : "a")),
        [secret],
      ),
    ).toBeNull();
  });
});

describe("a product reserved for the waitlist", () => {
  const add = (productId: string, invitation: string | null) =>
    addToCart(shop.db, { guestId: randomUUID() }, { productId, quantity: 1 }, invitation);

  it("can be added with a code, and by everybody after its date", async () => {
    const { rows } = await shop.pool.query("SELECT id FROM products WHERE slug = 'travel-sleeve'");
    const productId = rows[0].id;
    const { id } = await place();
    await inviteBatch(shop.db, by, { segment: {}, size: 1 }, secret);
    const hash = codeHash(invitationCode(id, secret));
    expect(await reserveForWaitlist(shop.db, by, "nothing-of-ours", "2099-01-01")).toBe(false);
    expect(await reserveForWaitlist(shop.db, by, "TRAVEL sleeve", "2099-01-01")).toBe(true);
    expect(await listEarlyProducts(shop.db)).toMatchObject([
      { name: "Travel Sleeve", until: new Date("2099-01-01T05:00:00Z") },
    ]);
    expect(await add(productId, null)).toEqual({ ok: false, reason: "waitlist-only" });
    expect(await add(productId, codeHash("made up"))).toEqual({ ok: false, reason: "waitlist-only" });
    expect(await add(productId, hash)).toMatchObject({ ok: true, quantity: 1 });
    await reserveForWaitlist(shop.db, by, "travel-sleeve", null);
    expect(await add(productId, null)).toMatchObject({ ok: true });
    await shop.pool.query("UPDATE products SET name = 'Travel Sleeve' WHERE slug = 'charging-dock'");
    expect(await reserveForWaitlist(shop.db, by, "Travel Sleeve", "2099-01-01")).toBe(false);
  });
});
