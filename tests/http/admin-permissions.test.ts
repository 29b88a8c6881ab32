/**
 * Permissions of the back office. Every address and action needs a row here. A refusal changes nothing and is audited;
 * visitors who are not staff get a 404.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACCESS } from "#app/routes/admin/access.ts";
import { ROLES, type Role } from "#shop/roles.ts";
import { may } from "#shop/staff/permissions.ts";
import type { Actor } from "../support/actors.ts";
import { adminPages } from "../support/site-map.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const EVERYONE = ["owner", "manager", "support", "packer"] as const;
const CUSTOMER_CARE = ["owner", "manager", "support"] as const;
const SHIPPING = ["owner", "manager", "packer"] as const;
const MANAGERS = ["owner", "manager"] as const;
const OWNER = ["owner"] as const;

/** Roles by address and intent, "GET" for reading. */
const TABLE: Record<string, [roles: readonly Role[], intents: string][]> = {
  "/admin": [[EVERYONE, "GET"]],
  "/admin/*": [[EVERYONE, "GET"]],
  "/admin/search": [[EVERYONE, "GET"]],
  "/admin/sign-out": [[EVERYONE, "GET sign-out"]],
  "/admin/orders": [
    [EVERYONE, "GET slips hold"],
    [SHIPPING, "ship label-rates labels"],
    [CUSTOMER_CARE, "delay cancel"],
  ],
  "/admin/orders/new": [[CUSTOMER_CARE, "GET create"]],
  "/admin/orders/slips": [[EVERYONE, "GET"]],
  "/admin/orders/label/:shipmentId": [[EVERYONE, "GET"]],
  "/admin/orders/export": [[MANAGERS, "GET export"]],
  "/admin/orders/:orderId": [
    [EVERYONE, "GET note hold"],
    [SHIPPING, "ship rates buy-label deliver tracking undo-shipment refused lost arrived returned send-again"],
    [
      CUSTOMER_CARE,
      "unhold announce delay cancel-line write-off cancel refund resolve-refund record-refund retry-refund ask-payment record-payment reconcile address email return",
    ],
  ],
  "/admin/returns": [[EVERYONE, "GET"]],
  "/admin/returns/:returnId": [
    [EVERYONE, "GET receive"],
    [
      CUSTOMER_CARE,
      "authorize label checks fee decline withdraw reopen inspect quote resolve answer record-paid waive",
    ],
  ],
  "/admin/returns/:returnId/photos/:photoId": [[CUSTOMER_CARE, "GET"]],
  "/admin/products": [[EVERYONE, "GET"]],
  "/admin/products/new": [[MANAGERS, "GET create"]],
  "/admin/products/preview": [[MANAGERS, "GET preview"]],
  "/admin/products/:productId": [
    [EVERYONE, "GET"],
    [SHIPPING, "stock"],
    [CUSTOMER_CARE, "delay"],
    [MANAGERS, "edit pictures picture retire unretire delete"],
  ],
  "/admin/texts": [[MANAGERS, "GET new-post"]],
  "/admin/texts/:key": [[MANAGERS, "GET save picture withdraw announce"]],
  "/admin/texts/:key/preview": [[MANAGERS, "GET preview"]],
  "/admin/messages": [[CUSTOMER_CARE, "GET"]],
  "/admin/messages/saved": [[CUSTOMER_CARE, "GET save remove"]],
  "/admin/messages/:messageId": [[CUSTOMER_CARE, "GET reply keep status assign order"]],
  "/admin/messages/:messageId/pictures/:pictureId": [[CUSTOMER_CARE, "GET"]],
  "/admin/emails": [[CUSTOMER_CARE, "GET send-again remove"]],
  "/admin/customers": [[CUSTOMER_CARE, "GET"]],
  "/admin/customers/by-email": [[CUSTOMER_CARE, "GET note tag untag"]],
  "/admin/customers/:userId": [
    [CUSTOMER_CARE, "GET note tag untag"],
    [MANAGERS, "suspend reinstate"],
  ],
  "/admin/legal": [[CUSTOMER_CARE, "GET register"]],
  "/admin/legal/:requestId": [
    [CUSTOMER_CARE, "GET prove note extend close"],
    [OWNER, "erase"],
  ],
  "/admin/legal/:requestId/file": [[OWNER, "GET export"]],
  "/admin/discounts": [[MANAGERS, "GET code bundle end"]],
  "/admin/waitlist": [[MANAGERS, "GET invite open"]],
  "/admin/waitlist/export": [[MANAGERS, "GET export"]],
  "/admin/letters": [[MANAGERS, "GET create"]],
  "/admin/letters/:letterId": [[MANAGERS, "GET save picture stop remove"]],
  "/admin/letters/consents": [[MANAGERS, "GET export"]],
  "/admin/analytics": [[MANAGERS, "GET"]],
  "/admin/tax": [[MANAGERS, "GET"]],
  "/admin/tax/export": [[MANAGERS, "GET export"]],
  "/admin/settings": [
    [MANAGERS, "GET shipping returns social withdraw"],
    [OWNER, "contact payments tax parcels limits"],
  ],
  "/admin/staff": [[OWNER, "GET invite uninvite"]],
  "/admin/staff/:staffId": [[OWNER, "GET role disable enable sign-out factor"]],
  "/admin/audit": [[OWNER, "GET"]],
  "/admin/go-live": [[OWNER, "GET mail payments tax address"]],
};

const SAMPLE_ID = "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
const addressOf = (path: string) => path.replaceAll(/:\w+/g, SAMPLE_ID).replace("*", "none");
const rows = Object.entries(TABLE).flatMap(([path, grants]) =>
  grants.flatMap(([roles, intents]) =>
    intents.split(" ").map((intent) => ({ name: `${path} ${intent}`, path, intent, mayDo: roles })),
  ),
);

it("lets the same members record a payment of an order and of a return", () => {
  const recording = Object.values(ADMIN_ACCESS).flatMap(({ actions = {} }) =>
    Object.entries(actions).filter(([act, need]) => act.startsWith("record-pa") || need === "payments:record"),
  );
  expect(recording).toEqual([
    ["record-payment", "payments:record"],
    ["record-paid", "payments:record"],
  ]);
});

it("lists every address and action", () => {
  const declared = Object.entries(ADMIN_ACCESS).flatMap(([path, { read: GET, actions }]) =>
    Object.entries({ GET, ...actions }).map(([act, need]) => [`${path} ${act}`, ROLES.filter((one) => may(one, need))]),
  );
  expect(rows.map(({ name, mayDo }) => [name, mayDo]).toSorted()).toEqual(declared.toSorted());
  const hasActions = Object.entries(ADMIN_ACCESS).map(([path, { actions }]) => [path, actions !== undefined]);
  expect(adminPages.map(({ path, hasAction }) => [path, hasAction]).toSorted()).toEqual(hasActions.toSorted());
});

describe("the back office", () => {
  const { database, actor, staff } = useShop();

  const send = (who: Pick<Actor, "visitor">, { path, intent }: { path: string; intent: string }) =>
    intent === "GET"
      ? who.visitor.fetch(addressOf(path))
      : who.visitor.post(`${addressOf(path)}?intent=${intent}`, {}, { Accept: "*/*" });

  const refusals = async ({ staffId }: StaffMember) =>
    (await database.pool.query("SELECT FROM audit_log WHERE action = 'refused' AND staff_id = $1", [staffId])).rowCount;

  /** A digest of every table that an action may change. */
  const everything = async () => {
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND table_name NOT IN ('audit_log', 'rate_limits', 'staff_sessions', 'daily_counts', 'daily_orders', 'daily_sales_by_state', 'product_sales') ORDER BY 1`,
    );
    const counted = tables.map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS rows FROM "${name}" t`,
    );
    return (await database.pool.query(`${counted.join(" UNION ALL ")} ORDER BY name`)).rows;
  };

  async function changesNothing(run: () => Promise<void>): Promise<void> {
    const before = await everything();
    await run();
    expect(await everything()).toEqual(before);
  }

  const members = {} as Record<Role, StaffMember>;
  beforeAll(async () => {
    for (const role of ROLES) members[role] = await staff(role);
  });

  const addresses = [...Map.groupBy(rows, ({ path }) => path)].map(([name, own]) => ({ name, own }));

  it.each(addresses)("$name is for its roles; a refusal changes nothing and is audited", async ({ own }) => {
    const tell = async (row: (typeof rows)[number], role: Role) => {
      // Signing out ends the session.
      const member = row.path === "/admin/sign-out" ? await staff(role) : members[role];
      const before = (await refusals(member)) ?? 0;
      const { status, headers } = await send(member, row);
      expect(headers.get("Cache-Control"), `${row.name} by ${role}`).toMatch(/\bno-store\b/);
      return { status, audited: ((await refusals(member)) ?? 0) - before };
    };
    await changesNothing(async () => {
      for (const row of own)
        for (const role of ROLES.filter((role) => !row.mayDo.includes(role)))
          expect(await tell(row, role), `${row.name} by ${role}`).toEqual({ status: 403, audited: 1 });
    });
    for (const row of own) expect((await tell(row, row.mayDo.at(-1)!)).audited, row.name).toBe(0);
  });

  it("leads strangers from /admin to sign-in", async () => {
    for (const role of ["guest", "customer"] as const) {
      const { visitor } = await actor(role);
      const response = await visitor.fetch("/admin");
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/admin/sign-in?redirect=%2Fadmin"]);
    }
  });

  it("answers 404 to guests and customers at every other address and action", async () => {
    const heading = (html: string) => /<h1[\s\S]*?<\/h1>/.exec(html)?.[0];
    const { visitor } = await actor("customer");
    const unknown = heading(await (await visitor.fetch("/no-such-page")).text());
    const strangers = await Promise.all((["guest", "customer", "unverified customer"] as const).map(actor));
    for (const [i, row] of rows.filter(({ path }) => path !== "/admin").entries()) {
      // Everybody asks for the first address, and one of them for each other address and action.
      const isRead = row.intent === "GET";
      for (const stranger of i === 0 ? strangers : [strangers[i % strangers.length]!]) {
        const response = await send(stranger, row);
        const html = await response.text();
        expect([response.status, stranger.role, row.name]).toEqual([404, stranger.role, row.name]);
        if (!isRead) continue;
        const isPage = adminPages.some(({ path, rendersPage }) => path === row.path && rendersPage);
        if (isPage) expect(heading(html)).toBe(unknown);
        const data = await stranger.visitor.fetch(`${addressOf(row.path)}.data`);
        expect(data.status).toBe(404);
        expect(await data.text()).not.toMatch(/@|owner|"menu"/);
      }
    }
  });

  it("redirects ended sessions to sign-in", async () => {
    const user = "(SELECT user_id FROM staff_sessions WHERE id = $1)";
    const ended = {
      disabled: `UPDATE staff SET disabled_at = now() WHERE user_id = ${user}`,
      idle: "UPDATE staff_sessions SET last_seen_at = now() - interval '31 minutes' WHERE id = $1",
      long: "UPDATE staff_sessions SET created_at = now() - interval '13 hours' WHERE id = $1",
      "without a second factor": `DELETE FROM two_factors WHERE user_id = ${user}`,
      "signed out": "UPDATE staff_sessions SET ended_at = now(), end_reason = 'owner' WHERE id = $1",
    };
    const former = await Promise.all(
      Object.entries(ended).map(async ([why, statement]) => {
        const { visitor, sessionId } = await staff("owner");
        await database.pool.query(statement, [sessionId]);
        return { why, visitor };
      }),
    );
    await changesNothing(async () => {
      for (const [i, { own }] of addresses.entries()) {
        // Everybody asks for the first address, and one of them for each other one, to read it or to act.
        const row = own[i % own.length]!;
        for (const member of i === 0 ? former : [former[i % former.length]!]) {
          const response = await send(member, row);
          expect([member.why, row.name, response.status]).toEqual([member.why, row.name, 302]);
          expect(response.headers.get("Location")).toMatch(/^\/admin\/sign-in\?redirect=%2Fadmin/);
        }
      }
    });
  });

  it("guards every spelling of an address that the router accepts", async () => {
    const owner = await staff("owner");
    const guest = await actor("guest");
    for (const path of ["/admin/orders", "/Admin/orders", "/ADMIN/Orders", "/%61dmin/orders", "/admin/orders/"]) {
      const response = await owner.visitor.fetch(path);
      expect([path, response.status, /<h1[^>]*>Orders/.test(await response.text())]).toEqual([path, 200, true]);
      expect((await guest.visitor.fetch(path)).status).toBe(404);
    }
    for (const path of ["/administer", "/admin%2Forders", "/%E0%A4%A/admin"]) {
      expect([path, (await owner.visitor.fetch(path)).status]).toEqual([path, 404]);
    }
  });

  it("answers 404 to unknown actions", async () => {
    const owner = await staff("owner");
    for (const intent of ["", "toString", "constructor", "nothing"]) {
      expect((await owner.visitor.post(`/admin/staff?intent=${intent}`, {})).status).toBe(404);
    }
    expect((await owner.visitor.post("/admin/staff", {})).status).toBe(404);
  });
});
