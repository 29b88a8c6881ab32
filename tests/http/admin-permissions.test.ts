/**
 * Who may do what in the back office. One list for every screen and act: a new one without a row here fails. Whoever is
 * refused has changed nothing, and the refusal is in the audit log; whoever is no staff finds nothing.
 */
import { describe, expect, it } from "vitest";
import { ADMIN_ACCESS } from "../../app/routes/admin/access.ts";
import { ROLES } from "../../shop/staff/roles.ts";
import { makeActor, type Actor } from "../support/actors.ts";
import { adminPages } from "../support/site-map.ts";
import { makeStaff, type StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";

/** Who may: o, m, s, p for owner, manager, support and packer. Acts follow the address of their form. */
const TABLE: Record<string, string> = {
  "/admin": "omsp",
  "/admin/*": "omsp",
  "/admin/find": "omsp",
  "/admin/sign-out": "omsp",
  "/admin/sign-out sign-out": "omsp",
  "/admin/orders": "omsp",
  "/admin/orders ship": "omp",
  "/admin/orders slips": "omsp",
  "/admin/orders/slips": "omsp",
  "/admin/orders/export": "om",
  "/admin/orders/export export": "om",
  "/admin/orders/export.csv": "om",
  "/admin/orders/:orderId": "omsp",
  "/admin/orders/:orderId note": "omsp",
  "/admin/orders/:orderId ship": "omp",
  "/admin/orders/:orderId deliver": "omp",
  "/admin/orders/:orderId hold": "omsp",
  "/admin/orders/:orderId unhold": "oms",
  "/admin/orders/:orderId delay": "oms",
  "/admin/orders/:orderId cancel-line": "oms",
  "/admin/orders/:orderId cancel": "oms",
  "/admin/orders/:orderId decline": "oms",
  "/admin/orders/:orderId refund": "oms",
  "/admin/orders/:orderId ask-payment": "oms",
  "/admin/orders/:orderId settle": "oms",
  "/admin/orders/:orderId address": "oms",
  "/admin/orders/:orderId email": "oms",
  "/admin/products": "omsp",
  "/admin/products/new": "om",
  "/admin/products/new create": "om",
  "/admin/products/preview": "om",
  "/admin/products/preview preview": "om",
  "/admin/products/:productId": "omsp",
  "/admin/products/:productId edit": "om",
  "/admin/products/:productId move": "omp",
  "/admin/products/:productId pictures": "om",
  "/admin/products/:productId picture": "om",
  "/admin/products/:productId retire": "om",
  "/admin/products/:productId unretire": "om",
  "/admin/products/:productId delete": "om",
  "/admin/messages": "oms",
  "/admin/messages/saved": "oms",
  "/admin/messages/saved save": "oms",
  "/admin/messages/saved remove": "oms",
  "/admin/messages/:messageId": "oms",
  "/admin/messages/:messageId reply": "oms",
  "/admin/messages/:messageId status": "oms",
  "/admin/messages/:messageId assign": "oms",
  "/admin/messages/:messageId order": "oms",
  "/admin/customers": "oms",
  "/admin/customers/by-email": "oms",
  "/admin/customers/:userId": "oms",
  "/admin/privacy": "oms",
  "/admin/privacy register": "oms",
  "/admin/privacy/:requestId": "oms",
  "/admin/privacy/:requestId prove": "oms",
  "/admin/privacy/:requestId note": "oms",
  "/admin/privacy/:requestId extend": "oms",
  "/admin/privacy/:requestId close": "oms",
  "/admin/privacy/:requestId erase": "o",
  "/admin/privacy/:requestId/file": "o",
  "/admin/privacy/:requestId/file export": "o",
  "/admin/waitlist": "om",
  "/admin/waitlist invite": "om",
  "/admin/waitlist open": "om",
  "/admin/waitlist/export": "om",
  "/admin/waitlist/export export": "om",
  "/admin/numbers": "om",
  "/admin/staff": "o",
  "/admin/staff invite": "o",
  "/admin/staff uninvite": "o",
  "/admin/staff role": "o",
  "/admin/staff disable": "o",
  "/admin/staff enable": "o",
  "/admin/staff sign-out": "o",
  "/admin/staff factor": "o",
  "/admin/audit": "o",
};

const SAMPLE_ID = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
const addressOf = (path: string) => path.replaceAll(/:\w+/g, SAMPLE_ID).replace("*", "none");
const rows = Object.entries(TABLE).map(([name, who]) => {
  const [path = "", act] = name.split(" ");
  return { name, path, act, mayDo: ROLES.filter((role) => who.includes(role.charAt(0))) };
});

describe("the list", () => {
  it("has a row for every screen and every act, and nothing else", () => {
    const declared = Object.entries(ADMIN_ACCESS).flatMap(([path, { acts = {} }]) => [
      path,
      ...Object.keys(acts).map((act) => `${path} ${act}`),
    ]);
    expect(Object.keys(TABLE).toSorted()).toEqual(declared.toSorted());
    expect([...new Set(adminPages.map(({ path }) => path))].toSorted()).toEqual(Object.keys(ADMIN_ACCESS).toSorted());
    const withActs = Object.entries(ADMIN_ACCESS)
      .filter(([, { acts }]) => acts)
      .map(([path]) => path);
    expect(
      adminPages
        .filter(({ hasAction }) => hasAction)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(withActs.toSorted());
  });
});

describe("the back office", () => {
  const { shop, database } = useShop({ AUTH_SECRET });
  const secret = { secret: AUTH_SECRET };

  const send = (who: Pick<Actor, "visitor">, { path, act }: { path: string; act?: string | undefined }) =>
    act === undefined
      ? who.visitor.fetch(addressOf(path))
      : who.visitor.post(`${addressOf(path)}?act=${act}`, {}, { Accept: "*/*" });

  const refusals = async ({ staffId }: StaffMember) =>
    Number(
      (
        await database.pool.query("SELECT count(*) FROM audit_log WHERE action = 'refused' AND staff_id = $1", [
          staffId,
        ])
      ).rows[0].count,
    );

  /** Everything that a refused act could have changed; what the shop counts by itself goes on meanwhile. */
  const everything = async () => {
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND table_name NOT IN ('audit_log', 'rate_limits', 'staff_sessions', 'daily_counts', 'daily_orders', 'product_sales', 'sold_out_changes', 'sold_out_counts') ORDER BY 1`,
    );
    const counted = tables.map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS rows FROM "${name}" t`,
    );
    return (await database.pool.query(`${counted.join(" UNION ALL ")} ORDER BY name`)).rows;
  };

  it.each(rows)("$name is for those who may", async ({ mayDo, ...row }) => {
    for (const role of ROLES) {
      const member = await makeStaff(database, { url: shop.url, ...secret }, role);
      const before = mayDo.includes(role) ? null : await everything();
      const response = await send(member, row);
      expect(response.headers.get("Cache-Control"), role).toMatch(/\bno-store\b/);
      expect(await refusals(member), role).toBe(before ? 1 : 0);
      if (!before) continue;
      expect(response.status, role).toBe(403);
      expect(await everything(), role).toEqual(before);
    }
  });

  it("has nothing for guests and customers, at any address and by any act", async () => {
    const before = await makeActor(database.pool, shop.url, AUTH_SECRET, "customer");
    const unknown = /<h1[\s\S]*?<\/h1>/.exec(await (await before.visitor.fetch("/no-such-page")).text())?.[0];
    for (const role of ["guest", "customer", "unverified customer"] as const) {
      const actor = await makeActor(database.pool, shop.url, AUTH_SECRET, role);
      for (const row of rows) {
        const response = await send(actor, row);
        const told = await response.text();
        expect([response.status, role, row.name]).toEqual([404, role, row.name]);
        const isPage = adminPages.some(({ path, rendersPage }) => path === row.path && rendersPage);
        if (!row.act && isPage) expect(/<h1[\s\S]*?<\/h1>/.exec(told)?.[0]).toBe(unknown);
        const data = await actor.visitor.fetch(`${addressOf(row.path)}.data`);
        expect(data.status).toBe(404);
        expect(await data.text()).not.toMatch(/@|owner|"menu"/);
      }
    }
  });

  it("sends those whose session holds no more to sign in: disabled, idle, too long, with another second factor", async () => {
    const ended: Record<string, (member: StaffMember) => [string, unknown[]]> = {
      disabled: ({ staffId }) => ["UPDATE staff SET disabled_at = now() WHERE user_id = $1", [staffId]],
      idle: ({ sessionId }) => [
        "UPDATE staff_sessions SET last_seen_at = now() - interval '31 minutes' WHERE id = $1",
        [sessionId],
      ],
      long: ({ sessionId }) => [
        "UPDATE staff_sessions SET created_at = now() - interval '13 hours' WHERE id = $1",
        [sessionId],
      ],
      "without a second factor": ({ staffId }) => ["DELETE FROM two_factors WHERE user_id = $1", [staffId]],
      "signed out": ({ sessionId }) => ["UPDATE staff_sessions SET ended_at = now() WHERE id = $1", [sessionId]],
    };
    for (const [why, how] of Object.entries(ended)) {
      const member = await makeStaff(database, { url: shop.url, ...secret }, "owner");
      await database.pool.query(...how(member));
      const before = await everything();
      for (const row of rows) {
        const response = await send(member, row);
        expect([why, row.name, response.status]).toEqual([why, row.name, 302]);
        expect(response.headers.get("Location")).toMatch(/^\/admin\/sign-in\?redirect=%2Fadmin/);
      }
      expect(await everything(), why).toEqual(before);
    }
  });

  it("is the back office in any spelling that the router takes for it", async () => {
    const owner = await makeStaff(database, { url: shop.url, ...secret }, "owner");
    const guest = await makeActor(database.pool, shop.url, AUTH_SECRET, "guest");
    for (const path of ["/admin/orders", "/Admin/orders", "/ADMIN/Orders", "/%61dmin/orders", "/admin/orders/"]) {
      const response = await owner.visitor.fetch(path);
      expect([path, response.status, /<h1[^>]*>Orders/.test(await response.text())]).toEqual([path, 200, true]);
      expect((await guest.visitor.fetch(path)).status).toBe(404);
    }
    for (const path of ["/administer", "/admin%2Forders", "/%E0%A4%A/admin"]) {
      expect([path, (await owner.visitor.fetch(path)).status]).toEqual([path, 404]);
    }
  });

  it("knows no act that is not listed", async () => {
    const owner = await makeStaff(database, { url: shop.url, ...secret }, "owner");
    for (const act of ["", "toString", "constructor", "nothing"]) {
      expect((await owner.visitor.post(`/admin/staff?act=${act}`, {})).status).toBe(404);
    }
    expect((await owner.visitor.post("/admin/staff", {})).status).toBe(404);
  });
});
