/** Orders in the back office through HTTP, as browsers without JavaScript ask for them: who sees what, and what an act answers. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../shop/staff/roles.ts";
import { placedOrder } from "../support/placed-order.ts";
import { makeStaff, type StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const { shop, database } = useShop({ AUTH_SECRET });

const members = {} as Record<Role, StaffMember>;
beforeAll(async () => {
  for (const role of ["owner", "manager", "support", "packer"] as const)
    members[role] = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, role);
});

let numbers = 0;
const tracking = () => `1Z999AA1${String(++numbers).padStart(10, "0")}`;
const place = (units: Record<string, number> = { "charging-dock": 2 }, isAuthorized = false) =>
  placedOrder(database.db, units, { isAuthorized });
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows;
const get = async (role: Role, path: string) => {
  const answer = await members[role].visitor.fetch(path);
  return { status: answer.status, text: (await answer.text()).replaceAll("<!-- -->", ""), answer };
};
const act = async (role: Role, path: string, fields: Record<string, string> = {}) => {
  const answer = await members[role].visitor.post(path, fields);
  return { status: answer.status, text: (await answer.text()).replaceAll("<!-- -->", ""), answer };
};
const statusOf = async (id: string) =>
  (await query<{ status: string }>("SELECT status FROM orders WHERE id = $1", [id]))[0]?.status;

describe("what a packer reads", () => {
  it("is lines and addresses, and nowhere an email, a phone or a sum, in the page's data as little as in the page", async () => {
    const { id } = await place();
    await query("UPDATE orders SET phone = '5550199123' WHERE id = $1", [id]);
    const pages = ["/admin", "/admin/orders", `/admin/orders/${id}`, `/admin/orders/slips?ids=${id}`];
    for (const path of pages) {
      for (const address of [path, path.replace(/^([^?]*)/, "$1.data")]) {
        const { status, text } = await get("packer", address);
        expect(status, address).toBe(200);
        expect(text, address).toContain("Lovelace");
        for (const secret of [`${id}@example.com`, "5550199123", "$89.99", "8999", "totalCents", "priceCents"])
          expect(text, `${address} ${secret}`).not.toContain(secret);
      }
      if (!path.includes("slips")) expect((await get("support", path)).text, path).toMatch(/\$8\d\.99/);
    }
    expect((await get("packer", `/admin/orders?q=${id}@ex`)).text).toContain("No order fits");
    expect((await get("support", `/admin/orders?q=${id}@ex`)).text).toContain(id.slice(0, 8));
  });

  it("ships, and nothing else of an order", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    for (const name of ["cancel", "refund", "decline", "address", "email", "settle"])
      expect((await act("packer", `${path}?act=${name}`)).status, name).toBe(403);
    expect((await get("packer", "/admin/orders/export")).status).toBe(403);
    const { status, text } = await act("packer", `${path}?act=ship`, { tracking: tracking() });
    expect([status, await statusOf(id)]).toEqual([200, "shipped"]);
    expect(text).toContain("Shipped. Its customer has the tracking number.");
    expect(text).toContain(members.packer.name);
  });
});

describe("an act on an order", () => {
  it("that is not right says so beside its field, and nothing typed is lost", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const { status, text } = await act("owner", `${path}?act=ship`, { tracking: "12 34" });
    expect([status, await statusOf(id)]).toEqual([400, "processing"]);
    expect(text).toContain("No carrier has such a number");
    expect(text).toContain('value="12 34"');
    expect((await act("owner", `${path}?act=decline`, { reason: "" })).text).toContain("Choose a reason");
    expect((await act("owner", `${path}?act=hold`, { text: " " })).text).toContain("Say why");
  });

  it("that somebody else was faster with says what happened meanwhile, and a button that is off says why", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const seen = /name="seen" value="(\d+)"/.exec((await get("support", path)).text)?.[1] ?? "";
    await act("owner", `${path}?act=decline`, { reason: "price", seen });
    const late = await act("support", `${path}?act=cancel`, { seen: seen === "0" ? "-1" : seen });
    expect(late.status).toBe(409);
    expect(late.text).toContain(`It is declined, so that cannot be done. Meanwhile: Declined (${members.owner.name}).`);
    expect(late.text).toContain("It is declined, so it cannot be put on hold.");
    const again = await act("support", `${path}?act=decline`, { reason: "price", seen: "-1" });
    expect(again.text).toContain("It was so before.");
  });

  it("every kind of it answers in words and is written down", async () => {
    const { id, lines } = await place({ "charging-dock": 2, "travel-sleeve": 1 });
    const path = `/admin/orders/${id}`;
    const line = lines["charging-dock"] ?? "";
    const steps: [string, Record<string, string>, string][] = [
      ["note", { text: "Wants a gift wrap" }, "The note stands in the timeline."],
      ["hold", { text: "Looks odd" }, "On hold"],
      ["unhold", { text: "" }, "It can ship again."],
      ["delay", { until: "2099-03-04" }, "Promised for that day."],
      ["cancel-line", { keep: `${line}:1`, stock: "off", reason: "damaged" }, "Changed. Its customer is told."],
      ["email", { email: "confirmation" }, "It is on its way once more."],
      ["ship", { tracking: tracking(), carrier: "ups" }, "Shipped."],
      ["deliver", {}, "Delivered."],
    ];
    for (const [name, fields, said] of steps) {
      const { status, text } = await act("manager", `${path}?act=${name}`, fields);
      expect([status, name]).toEqual([200, name]);
      expect(text).toContain(said);
    }
    const rows = await query<{ action: string }>(
      "SELECT action FROM audit_log WHERE subject = 'order:' || $1 AND staff_id = $2 ORDER BY id",
      [id, members.manager.staffId],
    );
    expect(rows.map(({ action }) => action)).toEqual(steps.map(([name]) => `order.${name}`));
    const { text } = await get("packer", path);
    for (const title of ["Wants a gift wrap", "Put on hold", "Email sent again", "written off", "Delivered"])
      expect(text).toContain(title);
  });

  it("an address is corrected, and a wrong one is told", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const addressSeen = ["Ada Lovelace", "12 Analytical Ave", "", "New York", "NY", "10001"].join("\r\n");
    const address = {
      shippingFirstName: "Ada",
      shippingLastName: "Byron",
      shippingAddressLine1: "1 Other Street",
      shippingAddressLine2: "",
      shippingCity: "Albany",
      shippingState: "NY",
      shippingPostalCode: "12207",
    };
    const wrong = await act("support", `${path}?act=address`, { ...address, shippingPostalCode: "1", addressSeen });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Postal code must be at least 5 digits");
    expect((await act("support", `${path}?act=address`, { ...address, addressSeen })).text).toContain(
      "The address is corrected.",
    );
    const late = { ...address, shippingCity: "Troy", addressSeen };
    expect((await act("owner", `${path}?act=address`, late)).text).toContain("Somebody else was faster");
  });

  it("refunds stay within what the role gives back, ask who is there above a sum, and are lines or an amount", async () => {
    const { id, lines } = await place({ "charging-dock": 9 }, true);
    await query("UPDATE payments SET state = 'captured', captured = amount WHERE order_id = $1", [id]);
    await query("UPDATE orders SET status = 'shipped' WHERE id = $1", [id]);
    const path = `/admin/orders/${id}?act=refund`;
    const some = { reason: "goodwill", refundsSeen: "0" };
    const tooMuch = await act("support", path, { ...some, amount: "100.01" });
    expect([tooMuch.status, tooMuch.text.includes("at most $100.00 of one order a day.")]).toEqual([403, true]);
    const stale = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "owner", { isFresh: false });
    const unproved = await stale.visitor.post(path, { ...some, amount: "250" });
    expect([unproved.status, (await unproved.text()).includes("Enter the code of your app")]).toEqual([403, true]);
    const both = await act("owner", path, { ...some, amount: "5", units: `${lines["charging-dock"]}:1` });
    expect(both.text).toContain("not both");
    expect((await act("owner", path, { ...some, amount: "5", reason: "" })).text).toContain("Choose a reason");
    expect(await query("SELECT FROM payment_actions")).toEqual([]);
    const done = await act("support", path, { ...some, units: `${lines["charging-dock"]}:2` });
    expect([done.status, done.text.includes("The refund of $80.00 is under way.")]).toEqual([200, true]);
    const more = await act("support", path, { reason: "goodwill", refundsSeen: "1", amount: "20.01" });
    expect([more.status, more.text.includes("of one order a day, and you gave back $80.00.")]).toEqual([403, true]);
    expect((await act("owner", path, { ...some, amount: "5" })).text).toContain("Somebody else was faster");
    expect((await act("owner", path, { reason: "late", amount: "300" })).text).toContain("Another refund is under way");
    expect(await query("SELECT amount, staff_id FROM payment_actions")).toEqual([
      { amount: 80_00, staff_id: members.support.staffId },
    ]);
  });
});

describe("many at once", () => {
  it("pasted numbers ship each its order, and what is refused stops no other and stays in the field", async () => {
    const [one, two, ended] = [await place(), await place(), await place()];
    await act("owner", `/admin/orders/${ended.id}?act=decline`, { reason: "price" });
    const wrong = `${ended.id.slice(0, 8)} ${tracking()}`;
    const pasted = [`${one.id.slice(0, 8)} ${tracking()}`, wrong, "00000000 1Z999AA10123456784", tracking()].join("\n");
    const { status, text } = await act("packer", "/admin/orders?view=to-ship&act=ship", {
      tracking: pasted,
      id: two.id,
    });
    expect(status).toBe(409);
    expect(text).toContain("2 shipped, 2 not.");
    expect(text).toContain("There is no order of this number.");
    expect(text).toContain("It is declined, so that cannot be done.");
    expect(text).toContain(`>${wrong}\n00000000 1Z999AA10123456784</textarea>`);
    expect([await statusOf(one.id), await statusOf(two.id), await statusOf(ended.id)]).toEqual([
      "shipped",
      "shipped",
      "declined",
    ]);
    expect((await act("packer", "/admin/orders?act=ship", { tracking: "" })).text).toContain("Paste tracking numbers");
  });

  it("slips are one a sheet, with what is left to send", async () => {
    const [one, two] = [await place(), await place({ "travel-sleeve": 3 })];
    const { answer } = await act("packer", "/admin/orders?act=slips", { page: `${one.id},${two.id}` });
    expect(answer.headers.get("Location")).toBe(`/admin/orders/slips?ids=${one.id},${two.id}`);
    const { text } = await get("packer", answer.headers.get("Location") ?? "");
    expect(text.match(/<article/g)).toHaveLength(2);
    expect(text).toContain("12 Analytical Ave");
  });
});

describe("the export", () => {
  it("is taken by managers who prove who they are, is written down, and holds no formula", async () => {
    const { id } = await place();
    await query("UPDATE orders SET shipping_first_name = '=1+1' WHERE id = $1", [id]);
    const path = `/admin/orders/export.csv?q=${id.slice(0, 8)}`;
    expect((await get("support", path)).status).toBe(403);
    const stale = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "manager", { isFresh: false });
    expect((await stale.visitor.fetch(path)).headers.get("Location")).toContain("/admin/orders/export?q=");
    const page = path.replace(".csv", "");
    expect((await stale.visitor.post(`${page}&act=export`, { code: "" })).status).toBe(403);
    const proved = await stale.visitor.post(`${page}&act=export`, { code: await stale.code() });
    expect(await proved.text()).toContain("Download the file");
    const file = await stale.visitor.fetch(path);
    expect(file.headers.get("Content-Type")).toContain("text/csv");
    const [header, row, ...rest] = (await file.text()).split("\n");
    expect(header).toContain("number,id,placed_at,status,payment,first_name");
    expect(row).toContain(`,'=1+1,Lovelace,${id}@example.com`);
    expect(rest).toEqual([""]);
    expect(await query("SELECT action, after FROM audit_log WHERE staff_id = $1", [stale.staffId])).toContainEqual({
      action: "order.export",
      after: { search: "masked" },
    });
  });
});

it("whoever is no staff finds nothing, and neither does an order that there is not", async () => {
  const nowhere = "/admin/orders/8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
  expect((await get("owner", nowhere)).status).toBe(404);
  expect((await act("owner", `${nowhere}?act=cancel`)).status).toBe(404);
  expect((await get("owner", "/admin/orders/none")).status).toBe(404);
  for (const path of ["/admin/orders", nowhere, "/admin/orders/slips", "/admin/orders/export.csv"])
    expect((await fetch(shop.url + path)).status, path).toBe(404);
});
