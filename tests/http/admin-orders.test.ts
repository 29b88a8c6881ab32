/** Orders in the back office, without JavaScript. */
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { checkChanged } from "#shop/orders/check-orders.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { orders } from "#shop/orders/order.tables.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import { anonymizeOrders } from "#shop/privacy/erase-account.server.ts";
import { ROLES, type Role } from "#shop/roles.ts";
import { dayWords } from "#app/ui/admin/when.tsx";
import { makeAccount } from "../support/people.ts";
import { placedOrder } from "../support/placed-order.ts";
import type { StaffMember } from "../support/staff-member.ts";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";
import { CANCEL_UNITS, CHARGE_ALL, SHIP_ALL } from "#tests/support/units.ts";

const { shop, database, staff } = useShop();

const members = {} as Record<Role, StaffMember>;
beforeAll(async () => {
  for (const role of ROLES) members[role] = await staff(role);
});

let numbers = 0;
const tracking = () => `1Z999AA1${String(++numbers).padStart(10, "0")}`;
const place = (units: Record<string, number> = { "charging-dock": 2 }, isAuthorized = false) =>
  placedOrder(database.db, units, { isAuthorized, isArranged: !isAuthorized });
/** The order has shipped in the parcel of some of its units, and its payment has paid for what is not canceled. */
async function charged(id: string, capturedCents: number, units = 99): Promise<void> {
  const [payment] = await query<{ id: string }>(
    "UPDATE payments SET state = 'captured', amount = greatest(amount, $2), captured = $2 WHERE order_id = $1 RETURNING id",
    [id, capturedCents],
  );
  await query(CHARGE_ALL, [id, payment!.id]);
  await query(SHIP_ALL, [id, "shipped"]);
  await query("DELETE FROM shipment_units WHERE order_id = $1 AND unit > $2", [id, units]);
  await query("UPDATE orders SET stage = 'shipped' WHERE id = $1", [id]);
  await writeSummary(database.db, id);
}
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows;
const read = async (response: Response) => ({
  status: response.status,
  location: response.headers.get("Location"),
  text: (await response.text()).replaceAll("<!-- -->", ""),
});
const get = async (role: Role, path: string) => read(await members[role].visitor.fetch(path));
const submit = async (who: Role | StaffMember, path: string, fields: Record<string, string> = {}) =>
  read(await (typeof who === "string" ? members[who] : who).visitor.post(path, fields));
const statusOf = async (id: string) =>
  (await query<{ status: string }>("SELECT status FROM orders WHERE id = $1", [id]))[0]?.status;

it("an order that does not add up is on Today, with what differs", async () => {
  const { id } = await place();
  await query("UPDATE payments SET captured = captured + 500, amount = amount + 500 WHERE order_id = $1", [id]);
  await checkChanged(database.db);
  const { text } = await get("owner", "/admin");
  const [item = ""] = /<li[^>]*>(?:(?!<li)[^])*what was captured of payment 1 is [^]*?<\/li>/.exec(text) ?? [];
  expect(item).toContain(`href="/admin/orders/${id}"`);
  expect(item).toContain(orderNumber(id));
  expect((await get("packer", "/admin")).text).not.toContain("what was captured");
});

it("a gift message is on the slip, which shows no prices, on the page of its order, and in no one else’s", async () => {
  const visitor = new Visitor(shop.url);
  await visitor.add("charging-dock");
  const gift = { giftMessage: "Happy birthday, Grandma!\r\n  <b>Love</b>, Ada  " };
  expect((await visitor.checkout({ ...gift, email: "no email" })).status).toBe(400);
  expect((await visitor.checkout(gift)).status).toBe(200);
  const [order] = await query<{ id: string; text: string }>(
    "SELECT id, gift_message AS text FROM orders WHERE gift_message IS NOT NULL",
  );
  const { id, text } = order!;
  expect(text).toBe("Happy birthday, Grandma!\n  <b>Love</b>, Ada");
  const asShown = "Happy birthday, Grandma!\n  &lt;b&gt;Love&lt;/b&gt;, Ada";
  expect((await read(await visitor.fetch(`/orders/${id}`))).text).toContain(asShown);
  expect((await get("packer", `/admin/orders/${id}`)).text).toContain(asShown);
  const slip = (await get("packer", `/admin/orders/slips?ids=${id}`)).text;
  expect(slip).toContain(asShown);
  expect(slip).not.toMatch(/\$\d/);
  await query(`UPDATE orders SET session_id = NULL WHERE id = $1`, [id]);
  expect((await read(await visitor.fetch(`/orders/${id}`))).text).not.toContain("Grandma");
});

describe("packers", () => {
  it("see items and addresses but no email, phone or amount, in pages and in their data", async () => {
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
      if (path.includes(`orders/${id}`))
        expect((await get("packer", path)).text).toMatch(/Under the.{0,20}<a href="\/terms\//);
      if (!path.includes("slips")) expect((await get("support", path)).text, path).toMatch(/\$8\d\.99/);
    }
    expect((await get("packer", `/admin/orders?q=${id}@ex`)).text).toContain("No orders match");
    expect((await get("support", `/admin/orders?q=${id}@ex`)).text).toContain(id.slice(0, 8));
  });

  it("ship orders, and undo it", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const { status, text } = await submit("packer", `${path}?intent=ship`, { tracking: tracking() });
    expect([status, await statusOf(id)]).toEqual([200, "shipped"]);
    expect(text).toContain(members.packer.name);
    expect(text).toMatch(/Shipped. The customer was emailed the tracking number.*Next step.*Mark as delivered/s);
    const [sent] = await query<{ shipment: string }>("SELECT id AS shipment FROM shipments WHERE order_id = $1", [id]);
    const wrong = await submit("packer", `${path}?intent=tracking`, { ...sent, tracking: "12 34", carrier: "" });
    expect(wrong.text).toContain("Unknown tracking number.");
    const undone = await submit("packer", `${path}?intent=undo-shipment`, sent);
    expect(undone.text).toMatch(/Shipment undone\. Its items.*No shipments yet\./s);
    expect(await statusOf(id)).toBe("processing");
  });
});

it("an overnight order is named on Today, in the lists, in bulk, on its page and on its slip", async () => {
  const { id } = await place();
  const today = newYorkDay(new Date());
  await query(
    "UPDATE orders SET shipping_method = 'overnight', ship_by = $2, created_at = now() - interval '9 years' WHERE id = $1",
    [id, today],
  );
  const number = orderNumber(id);
  const [group] = /<tbody id="today".*?<\/tbody>/s.exec((await get("packer", "/admin")).text) ?? [];
  const list = (await get("packer", `/admin/orders?view=today`)).text;
  for (const text of [group, list]) expect(text).toMatch(new RegExp(`${number}.*?Today.*?Overnight`, "s"));
  const dialog = /<dialog[^>]*id="bulk-ship".*?<\/dialog>/s.exec(list);
  expect(dialog?.[0]).toContain(`${number} Overnight`);
  const { text } = await get("packer", `/admin/orders/${id}`);
  expect(text).toContain(`Ship by ${dayWords(today)} (Overnight)`);
  expect((await get("packer", `/admin/orders/slips?ids=${id}`)).text).toContain("Overnight Shipping");
});

it("a pre-ordered line is marked wherever a packer sees it, and stays until its day", async () => {
  const day = daysAfter(newYorkDay(new Date()), 40);
  const words = `ips ${dayWords(day)}`;
  const both = { "charging-dock": 1, "travel-sleeve": 1 };
  const { id } = await placedOrder(database.db, both, { isArranged: true, shipsFrom: { "travel-sleeve": day } });
  const { text: page } = await get("packer", `/admin/orders/${id}`);
  expect(page).toContain(`Pre-order, sh${words}`);
  expect(page).toMatch(new RegExp(`value="[0-9a-f-]{36}:0" selected=""[^>]*>0 of 1</option>.*?Sh${words}`, "s"));
  expect((await get("packer", `/admin/orders?q=${orderNumber(id)}`)).text).toMatch(/Part pre-order, [A-Z]/);
  expect((await get("packer", `/admin/orders/slips?ids=${id}`)).text).toContain(`Not yet: sh${words}`);
  const lines = async () =>
    query(
      `SELECT name, (SELECT nullif(count(*)::int, 0) FROM order_units AS unit JOIN shipment_units AS packed
         ON packed.order_id = unit.order_id AND packed.unit = number WHERE order_item_id = order_items.id) AS sent
       FROM order_items WHERE order_id = $1 ORDER BY name`,
      [id],
    );
  const bulk = () => submit("packer", "/admin/orders?intent=ship", { tracking: `${orderNumber(id)} ${tracking()}` });
  expect((await bulk()).text).toContain("1 shipped.");
  expect(await lines()).toEqual([
    { name: "charging-dock", sent: 1 },
    { name: "travel-sleeve", sent: null },
  ]);
  expect((await bulk()).text).toContain(`Everything left sh${words}. Open the order to ship it sooner.`);
});

describe("an action on an order", () => {
  it("answers invalid input at its field, and keeps what was typed", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const { status, text } = await submit("owner", `${path}?intent=ship`, { tracking: "12 34" });
    expect([status, await statusOf(id)]).toEqual([400, "processing"]);
    expect(text).toContain("Unknown tracking number");
    expect(text).toContain('value="12 34"');
    expect((await submit("owner", `${path}?intent=cancel`, { reason: "whim" })).text).toContain("Choose a reason");
    expect((await submit("owner", `${path}?intent=hold`, { text: " " })).text).toContain("Enter a reason");
  });

  it("names what colleagues changed in the meantime, and offers only what is possible", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const shown = (await get("support", path)).text;
    const seen = /name="seen" value="(\d+)"/.exec(shown)?.[1] ?? "";
    expect(shown).toContain("We can’t deliver to the address.");
    await submit("owner", `${path}?intent=cancel`, { reason: "price", seen });
    const late = await submit("support", `${path}?intent=cancel`, { seen });
    expect(late.status).toBe(409);
    expect(late.text).toContain(
      `This order is declined, so this cannot be done. Since you opened this page: Order declined (${members.owner.name}).`,
    );
    expect(late.text).not.toContain("Put on hold");
    const again = await submit("support", `${path}?intent=cancel`, { reason: "price", seen });
    expect(again.text).toMatch(new RegExp(`Already declined by ${members.owner.name} at \\d+:\\d\\d [AP]M\\.`));
  });

  it("confirms every change and audits it", async () => {
    const { id, lines } = await placedOrder(database.db, { "charging-dock": 2, "travel-sleeve": 1 });
    const path = `/admin/orders/${id}`;
    const until = daysAfter(newYorkDay(new Date()), 40);
    const line = lines["charging-dock"] ?? "";
    const steps: [string, Record<string, string>, string][] = [
      ["note", { text: "Wants a gift wrap" }, "Note added."],
      ["hold", { text: "Looks odd" }, "Put on hold."],
      ["unhold", { text: "" }, "Hold released."],
      ["delay", { until }, "Shipping delayed."],
      [
        "cancel-line",
        { units: `${line}:1`, stock: "off", reason: "damaged" },
        "Items canceled. The customer was notified.",
      ],
      ["email", { email: "confirmation" }, "The email is sent again."],
      ["record-payment", { how: "check", reference: "1042", cents: "8000" }, "Payment recorded."],
      ["ship", { tracking: tracking(), carrier: "ups" }, "Shipped."],
      ["tracking", { tracking: "9865 7878 8855", carrier: "" }, "Tracking number corrected."],
      ["deliver", {}, "Marked as delivered."],
      ["email", { email: "delivered" }, "The email is sent again."],
    ];
    for (const [name, fields, message] of steps) {
      const [sent] = await query<{ shipment: string }>("SELECT id AS shipment FROM shipments WHERE order_id = $1", [
        id,
      ]);
      const { text } = await submit("manager", `${path}?intent=${name}`, {
        ...fields,
        ...(name === "tracking" && sent),
      });
      expect(text, name).toContain(message);
    }
    const again = await submit("manager", `${path}?intent=email`, { email: "delivered" });
    expect(again.text).toContain("It was sent again less than a minute ago.");
    // It would say that nothing was charged.
    const confirmation = await submit("manager", `${path}?intent=email`, { email: "confirmation" });
    expect(confirmation.text).toContain("Choose an email");
    const rows = await query<{ action: string }>(
      "SELECT action FROM audit_log WHERE subject = 'order:' || $1 AND staff_id = $2 ORDER BY id",
      [id, members.manager.staffId],
    );
    expect(rows.map(({ action }) => action)).toEqual(steps.map(([name]) => `order.${name}`));
    const { text } = await get("packer", path);
    for (const title of ["Wants a gift wrap", "Put on hold", "Email resent", "written off", "Delivered"])
      expect(text).toContain(title);
  });

  it("says to whoever ships it that an order was placed without payment", async () => {
    const [without, paid] = [await placedOrder(database.db, { "charging-dock": 2 }), await place()];
    const shown = async ({ id }: { id: string }) => (await get("packer", `/admin/orders/${id}`)).text;
    expect(await shown(without)).toContain("Placed without payment.");
    expect(await shown(paid)).not.toContain("Placed without payment.");
  });

  it("corrects an address, but not an invalid or outdated one", async () => {
    const { id } = await place();
    const path = `/admin/orders/${id}`;
    const addressSeen = ["Ada Lovelace", "12 Analytical Ave", "New York, NY 10001"].join("\r\n");
    const address = {
      shippingFirstName: "Ada",
      shippingLastName: "Byron",
      shippingAddressLine1: "1 Other Street",
      shippingAddressLine2: "",
      shippingCity: "Albany",
      shippingState: "NY",
      shippingPostalCode: "12207",
    };
    const wrong = await submit("support", `${path}?intent=address`, {
      ...address,
      shippingPostalCode: "1",
      addressSeen,
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Postal code must be at least 5 digits");
    expect((await submit("support", `${path}?intent=address`, { ...address, addressSeen })).text).toContain(
      "Address updated. The customer was notified.",
    );
    expect((await get("packer", path)).text).toContain("From Ada Lovelace, 12 Analytical Ave, New York, NY 10001");
    const late = { ...address, shippingCity: "Troy", addressSeen };
    expect((await submit("owner", `${path}?intent=address`, late)).text).toContain(
      "This order was changed in the meantime",
    );
    // Nothing ships to another address than was shown, and in bulk, where none is shown, to one that was changed.
    const bulk = { tracking: `${orderNumber(id)} ${tracking()}` };
    expect((await submit("packer", "/admin/orders?intent=ship", bulk)).text).toContain(
      "Its address was changed. Open the order to check the label, and ship it there.",
    );
    expect((await submit("packer", `${path}?intent=ship`, { tracking: tracking(), addressSeen })).text).toContain(
      "This order was changed in the meantime",
    );
    expect(await statusOf(id)).toBe("processing");
    const [form = ""] = /<form[^>]*intent=ship.*?<\/form>/s.exec((await get("packer", path)).text) ?? [];
    const [, now = ""] = /name="addressSeen" value="([^"]*)"/.exec(form) ?? [];
    await submit("packer", `${path}?intent=ship`, { tracking: tracking(), addressSeen: now });
    expect(await statusOf(id)).toBe("shipped");
  });

  it("refunds items with their tax, or an amount, within the role's limit; large ones need a recent verification", async () => {
    const { id, lines } = await place({ "charging-dock": 9 }, true);
    await query("UPDATE orders SET tax = 2970, total = total + 2970 WHERE id = $1", [id]);
    await query("UPDATE order_items SET tax = 2970 WHERE order_id = $1", [id]);
    await query("UPDATE order_units SET tax = 330 WHERE order_id = $1", [id]);
    await charged(id, 360_00 + 29_70);
    const path = `/admin/orders/${id}?intent=refund`;
    const some = { reason: "goodwill", refundsSeen: "0" };
    const tooMuch = await submit("support", path, { ...some, amount: "100.01" });
    expect(tooMuch.status).toBe(403);
    expect(tooMuch.text).toContain("up to $100.00 per order per day.");
    const stale = await staff("owner", { isFresh: false });
    const unverified = await submit(stale, path, { ...some, amount: "250" });
    expect(unverified.status).toBe(403);
    expect(unverified.text).toContain("Enter the code from your authenticator app");
    const both = await submit("owner", path, { ...some, amount: "5", units: `${lines["charging-dock"]}:1` });
    expect(both.text).toContain("not both");
    expect((await submit("owner", path, { ...some, amount: "5", reason: "" })).text).toContain("Choose a reason");
    const empty = (await submit("owner", path, { refundsSeen: "0", amount: "", reason: "" })).text;
    for (const problem of ["Choose a reason", "Enter an amount, or choose items above"])
      expect(empty).toContain(problem);
    expect(await query("SELECT FROM payment_actions WHERE kind = 'refund'")).toEqual([]);
    // Without JavaScript the first press shows the sum, and the second one confirms it.
    const two = { ...some, formId: `refund-${id}`, units: `${lines["charging-dock"]}:2` };
    const asked = await submit("support", path, two);
    expect(asked.status).toBe(409);
    for (const shown of ["Check the sum, then confirm", "$80.00", "$6.60", "Refund $86.60"])
      expect(asked.text).toContain(shown);
    const total = /name="total" value="(\d+)"/.exec(asked.text)?.[1] ?? "";
    const done = await submit("support", path, { ...two, total });
    expect(done.text).toContain("Refund of $86.60 started.");
    expect(done.text).toContain("2 of 9 refunded before");
    const more = await submit("support", path, { reason: "goodwill", refundsSeen: "1", amount: "13.41" });
    expect(more.status).toBe(403);
    expect(more.text).toContain("per order per day, and you already refunded $86.60.");
    expect((await submit("owner", path, { ...some, amount: "5" })).text).toContain(
      "This order was changed in the meantime",
    );
    expect((await submit("owner", path, { reason: "late", amount: "303.11" })).text).toContain(
      "Only $303.10 is left to refund.",
    );
    expect(await query("SELECT amount, staff_id FROM payment_actions WHERE kind = 'refund'")).toEqual([
      { amount: 86_60, staff_id: members.support.staffId },
    ]);
    await submit("owner", path, { reason: "goodwill", refundsSeen: "1", amount: "5" });
    const seven = { ...two, refundsSeen: "2", units: `${lines["charging-dock"]}:7` };
    const rest = (await submit("owner", path, seven)).text;
    for (const shown of ["$280.00", "$23.10", "Refunded before", "-$5.00", "Refund $298.10"])
      expect(rest).toContain(shown);
  });
});

describe("an order with a canceled unit", () => {
  const canceled = async () => {
    const { id, lines } = await place({ "charging-dock": 2, "travel-sleeve": 1 }, true);
    const dock = lines["charging-dock"] ?? "";
    await query(CANCEL_UNITS, [[dock], 1]);
    await charged(id, 80_00);
    await query(
      `UPDATE payments SET method = '{"brand": "visa", "lastFour": "4242", "wallet": null}' WHERE order_id = $1`,
      [id],
    );
    return { id, dock, path: `/admin/orders/${id}` };
  };

  it("refunds only what was kept, and refuses other quantities beside their field", async () => {
    const { id, dock, path } = await canceled();
    const { text } = await get("manager", path);
    expect(text).toContain(`value="${dock}:1"`);
    expect(text).not.toContain(`value="${dock}:2"`);
    const refund = (units: string, reason = "goodwill") =>
      submit("manager", `${path}?intent=refund`, {
        formId: `refund-${id}`,
        refundsSeen: "0",
        total: "4000",
        reason,
        units,
      });
    for (const [units, status, problem] of [
      [`${dock}:2`, 409, "Only 1 of charging-dock can be refunded"],
      [`${dock}:-3`, 400, "Choose the quantities again"],
      ["none:1", 400, "Choose the quantities again"],
    ] as const) {
      const { text, ...answer } = await refund(units);
      expect([answer.status, text.split('aria-invalid="true"').length], units).toEqual([status, 2]);
      expect(text).toContain(problem);
    }
    expect((await refund(`${dock}:1`, "")).text.split(`value="${dock}:1" selected=""`)).toHaveLength(2);
    expect((await refund(`${dock}:1`)).text).toContain("Refund of $40.00 started.");
    const { status, text: again } = await refund(`${dock}:1`);
    expect([status, again.includes("charging-dock was refunded before")]).toEqual([409, true]);
    expect(again).toMatch(/charging-dock<\/p><p[^>]*>Refunded<\/p>/);
    const none = await submit("manager", `${path}?intent=refund`, { refundsSeen: "1", reason: "goodwill" });
    expect(none.text).toContain("Refunded already: 1 × charging-dock. Enter an amount, or choose items above");
  });
});

it("cancels the rest of a charged order and refunds it, within the role's limit", async () => {
  const { id, lines } = await place({ "charging-dock": 9 }, true);
  await charged(id, 360_00, 1);
  const path = `/admin/orders/${id}`;
  const cancel = (who: Role | StaffMember, keep: number, more = {}) => {
    const units = `${lines["charging-dock"]}:${keep}`;
    return submit(who, `${path}?intent=cancel-line`, { units, stock: "back", reason: "sold-out", ...more });
  };
  expect((await get("support", path)).text).toContain("What was charged for them is refunded.");
  expect((await cancel("support", 9)).text).toContain("Choose the items to cancel");
  const tooMuch = await cancel("support", 6);
  expect([tooMuch.status, tooMuch.text]).toEqual([403, expect.stringContaining("up to $100.00 per order per day.")]);
  const unverified = await cancel(await staff("owner", { isFresh: false }), 3);
  expect([unverified.status, unverified.text]).toEqual([403, expect.stringContaining("Enter the code")]);
  expect((await cancel("support", 7)).text).toContain("Items canceled, and a refund of $80.00 started.");
  const before = await cancel("support", 6, { refunded: "on" });
  expect(before.text).toContain("Less than these items cost was refunded as an amount");
  expect(await query("SELECT amount FROM payment_actions")).toContainEqual({ amount: 80_00 });
  expect(await query("SELECT count(canceled_at)::int AS units FROM order_units WHERE order_id = $1", [id])).toEqual([
    { units: 2 },
  ]);
});

it("cancels a charged order as a whole within the role's limit, alone or among others", async () => {
  const { id } = await place({ "charging-dock": 9 }, true);
  await charged(id, 360_00, 0);
  await query("UPDATE shipments SET state = 'failed', shipped_at = NULL WHERE order_id = $1", [id]);
  await writeSummary(database.db, id);
  const cancel = (who: Role | StaffMember) => submit(who, `/admin/orders/${id}?intent=cancel`, { reason: "" });
  const tooMuch = await cancel("support");
  expect([tooMuch.status, tooMuch.text]).toEqual([403, expect.stringContaining("up to $100.00 per order per day.")]);
  const unverified = await cancel(await staff("owner", { isFresh: false }));
  expect([unverified.status, unverified.text]).toEqual([403, expect.stringContaining("Enter the code")]);
  const among = await submit("support", "/admin/orders?intent=cancel", { id });
  expect(among.text).toContain("It would refund more than your role may.");
  expect((await cancel("owner")).text).toContain("Canceled. The customer was notified.");
});

describe("bulk actions", () => {
  it("ship pasted numbers; failed lines stop no other and stay in the field", async () => {
    const [one, two, ended] = [await place(), await place(), await place()];
    await submit("owner", `/admin/orders/${ended.id}?intent=cancel`, { reason: "price" });
    const wrong = `${ended.id.slice(0, 8)} ${tracking()}`;
    const pasted = [`${one.id.slice(0, 8)} ${tracking()}`, wrong, "00000000 1Z999AA10123456784", tracking()].join("\n");
    const { status, text } = await submit("packer", "/admin/orders?view=to-ship&intent=ship", {
      tracking: pasted,
      id: two.id,
    });
    expect(status).toBe(409);
    expect(text).toContain("2 shipped, 2 failed.");
    expect(text).toContain("No order has this number.");
    expect(text).toContain("This order is declined, so this cannot be done.");
    expect(text).toContain(`>${wrong}\n00000000 1Z999AA10123456784</textarea>`);
    expect([await statusOf(one.id), await statusOf(two.id), await statusOf(ended.id)]).toEqual([
      "shipped",
      "shipped",
      "declined",
    ]);
    expect((await submit("packer", "/admin/orders?intent=ship", { tracking: "" })).text).toContain(
      "Paste tracking numbers",
    );
  });

  it("print one packing slip per order, with the units left to ship", async () => {
    const [one, two] = [await place(), await place({ "travel-sleeve": 3 })];
    expect((await submit("packer", "/admin/orders?intent=slips")).text).toContain("Select at least one order.");
    const { location } = await submit("packer", "/admin/orders?intent=slips", { id: one.id });
    expect(location).toBe(`/admin/orders/slips?ids=${one.id}`);
    const { text } = await get("packer", `${location},${two.id}`);
    expect(text.match(/<article/g)).toHaveLength(2);
    expect(text).toContain("12 Analytical Ave");
  });
});

it("bulk actions hold, delay and cancel each selected order, and say why one was not", async () => {
  const { id } = await place();
  const bulk = (intent: string, fields: Record<string, string>) =>
    submit("support", `/admin/orders?intent=${intent}`, { id, ...fields });
  const silent = (await bulk("hold", { text: " " })).text;
  expect(silent).toContain("Enter a reason");
  const chosen = (silent.match(/<input[^>]*name="id"[^>]*>/g) ?? []).filter((box) => box.includes(" checked"));
  expect(chosen).toEqual([expect.stringContaining(`value="${id}"`)]);
  expect((await bulk("hold", { text: "Looks odd" })).text).toContain("1 put on hold.");
  expect((await bulk("hold", { text: "Looks odd" })).text).toContain("It was done before.");
  for (const until of ["", "2099-03-04"])
    expect((await bulk("delay", { until })).text).toContain("Choose a date after today and within two years");
  expect((await bulk("delay", { until: daysAfter(newYorkDay(new Date()), 40) })).text).toContain("1 delayed.");
  expect((await bulk("cancel", {})).text).toContain("1 canceled.");
  expect((await bulk("delay", { unknown: "on" })).text).toContain("This order is canceled, so this cannot be done.");
  expect((await submit("packer", "/admin/orders?intent=cancel", { id })).status).toBe(403);
  const rows = await query<{ action: string }>(
    "SELECT action FROM audit_log WHERE subject = 'order:' || $1 ORDER BY id",
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual(["order.hold", "order.delay", "order.cancel"]);
});

it("an order's page leads to its customer, its products, and the orders beside it in the list", async () => {
  const [first, second] = [await place(), await place()];
  await query("UPDATE orders SET shipping_last_name = 'Beside' WHERE id = ANY ($1)", [[first.id, second.id]]);
  await submit("packer", `/admin/orders/${first.id}?intent=ship`, { tracking: tracking() });
  const path = `/admin/orders/${first.id}?q=beside`;
  const { text } = await get("support", path);
  expect(text).toMatch(new RegExp(`<a[^>]*rel="prev"[^>]*href="/admin/orders/${second.id}\\?q=beside"`));
  expect(text).not.toContain('rel="next"');
  const [, note = ""] = /<form[^>]*action="([^"]*intent=note[^"]*)"/.exec(text) ?? [];
  const noted = await submit("support", note.replaceAll("&amp;", "&"), { text: "Called." });
  expect(noted.text).toContain(`href="/admin/orders/${second.id}?q=beside"`);
  expect(text).toContain(`href="/admin/customers/by-email?email=${first.id}%40example.com"`);
  expect(text).toContain(`href="/admin/products/`);
  expect(text).toMatch(/(To be sent|Sent): shipped/);
  expect((await get("packer", path)).text).not.toContain("by-email");
});

it("search finds orders by number, ZIP code and phone; pages, texts and settings by name", async () => {
  const { id } = await place();
  await query("UPDATE orders SET phone = '(415) 555-0142', shipping_postal_code = '94114' WHERE id = $1", [id]);
  const number = tracking();
  await submit("packer", `/admin/orders/${id}?intent=ship`, { tracking: number });
  const find = async (role: Role, typed: string) =>
    (await get(role, `/admin/search?q=${encodeURIComponent(typed)}`)).text;
  for (const typed of [number, "94114", "415 555 0142"])
    expect(await find("support", typed), typed).toContain(`href="/admin/orders/${id}"`);
  expect(await find("packer", number)).toContain(`href="/admin/orders/${id}"`);
  expect(await find("packer", "4155550142")).toContain("Nothing found for “<span>4155550142</span>”.");
  expect(await find("owner", "aud")).toMatch(/Audit log<.*Page</s);
  expect(await find("packer", "audit")).toContain("Nothing found");
  expect(await find("packer", id.slice(0, 4))).toContain(`href="/admin/orders/${id}"`);
  for (const [typed, path] of [
    ["notice", "/admin/texts/notice"],
    ["privacy pol", "/admin/texts/legal-privacy"],
    ["shipping", "/admin/settings#shipping"],
    ["return window", "/admin/settings#returns"],
  ])
    expect(await find("manager", typed!), typed).toContain(`href="${path}"`);
  for (const typed of ["notice", "window"]) expect(await find("support", typed)).toContain("Nothing found");
  expect(await find("support", "failed emails")).toContain('href="/admin/emails"');
  expect(await find("packer", "failed emails")).toContain("Nothing found");
});

it("search tells orders apart by date, sum and status, and leads on to all of a name", async () => {
  const ids = [];
  for (let i = 0; i < 6; i++) {
    ids.push((await place()).id);
    await makeAccount(database.db, { email: `ximena${i}@example.com` });
  }
  await query(
    `UPDATE orders SET shipping_first_name = 'Ximena', created_at = '2025-03-05 12:00Z', stage = 'partly-shipped'
     WHERE id = ANY ($1)`,
    [ids],
  );
  const find = async (role: Role, typed: string) => (await get(role, `/admin/search?q=${typed}`)).text;
  const found = await find("support", "ximena");
  expect(found).toContain("Mar 5, 2025, $89.99, Partially shipped");
  expect(found).toMatch(/href="\/admin\/orders\?q=ximena"[^>]*>All orders for “ximena”/);
  expect(found).toMatch(/href="\/admin\/customers\?q=ximena[^"]*"[^>]*>All customers for “ximena”/);
  const byPacker = await find("packer", "ximena");
  expect(byPacker).toContain("Mar 5, 2025, Partially shipped");
  expect(byPacker).not.toContain("All customers");
  expect(await find("support", ids[0]!)).not.toContain("All orders");
  expect(await find("owner", "order")).toMatch(/href="\/admin\/texts\?q=order"[^>]*>All texts for “order”/);
});

it("exports orders as CSV after a recent verification, without formulas, and audits it", async () => {
  const { id } = await place();
  await query("UPDATE orders SET shipping_first_name = '=1+1', shipping_postal_code = '02116' WHERE id = $1", [id]);
  const path = `/admin/orders/export?intent=export&q=${id.slice(0, 8)}`;
  expect((await submit("support", path)).status).toBe(403);
  const stale = await staff("manager", { isFresh: false });
  const refused = await submit(stale, path, { code: "" });
  expect(refused.location).toBe(`/admin/orders?q=${id.slice(0, 8)}&export=code#export`);
  const file = await stale.visitor.post(path, { code: await stale.code() });
  expect(file.headers.get("Content-Type")).toContain("text/csv");
  // Unlike text(), this keeps the mark by which Excel knows UTF-8.
  const [header, row, ...rest] = Buffer.from(await file.arrayBuffer())
    .toString()
    .split("\n");
  expect(header).toMatch(/^\uFEFFOrder,Placed,Status,Payment,First name/);
  expect(row).toMatch(
    new RegExp(`^#${id.slice(0, 8)},\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d,Processing,Paid,'=1\\+1,Lovelace,${id}@`),
  );
  expect(row).toContain(",NY,'02116,US,");
  expect(rest).toEqual([""]);
  expect(await query("SELECT action, after FROM audit_log WHERE staff_id = $1", [stale.staffId])).toContainEqual({
    action: "order.export",
    after: { file: "orders", search: "masked" },
  });
  for (const [name, headings] of [
    ["order-lines", "Order,Placed,Status,State,SKU,Item"],
    ["payments", "Date,Order,Type,Amount,Paid with"],
  ]) {
    const other = await stale.visitor.post(`${path}&file=${name}`, {});
    expect([other.status, other.headers.get("Content-Disposition")]).toEqual([
      200,
      expect.stringContaining(`${name}-`),
    ]);
    expect((await other.text()).split("\n")[0]).toContain(headings);
  }
  expect((await stale.visitor.post(`${path}&file=none`, {})).status).toBe(404);
});

it("answers 404 for unknown orders", async () => {
  const nowhere = "/admin/orders/8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750";
  expect((await get("owner", nowhere)).status).toBe(404);
  expect((await submit("owner", `${nowhere}?intent=cancel`)).status).toBe(404);
  expect((await get("owner", "/admin/orders/none")).status).toBe(404);
});

it("says of an order whose customer was forgotten that its name and address were erased", async () => {
  const { id } = await place();
  await database.db.execute(anonymizeOrders(eq(orders.id, id)));
  const { status, text } = await get("owner", `/admin/orders/${id}`);
  expect([status, text.includes("The customer’s name and address were erased.")]).toEqual([200, true]);
});

it("an order placed without payment is on Today, and ships once staff record how it was paid", async () => {
  const { id } = await placedOrder(database.db, { "charging-dock": 2 });
  const path = `/admin/orders/${id}`;
  const today = async () => (await get("support", "/admin")).text;
  expect(await today()).toMatch(/Arrange payment ?(?:<[^>]*> ?)+\d+</);
  expect((await get("support", "/admin/orders?view=arrange")).text).toContain(id.slice(0, 8));
  expect((await get("support", path)).text).toMatch(/The customer paid (<!-- -->)?\$89\.99/);
  expect((await submit("packer", `${path}?intent=ship`, { tracking: tracking() })).text).toContain(
    "This order is not paid, so it cannot ship.",
  );
  const record = (fields: Record<string, string>) =>
    submit("support", `${path}?intent=record-payment`, { how: "check", reference: "", cents: "8999", ...fields });
  for (const [fields, problem] of [
    [{ how: "" }, "Choose how it was paid"],
    [{ reference: "x".repeat(61) }, "Reference must be at most 60 characters"],
    [{ reference: "4242 4242-4242 4242" }, "Leave out card and account numbers."],
  ] as const) {
    const { status, text } = await record(fields);
    expect([status, text.includes(problem)], problem).toEqual([400, true]);
  }
  expect((await record({ cents: "1" })).text).toContain("This order was changed in the meantime.");
  expect((await record({ reference: "1042" })).text).toContain("Payment recorded. The order can ship.");
  expect((await record({ reference: "1042" })).text).toContain(`Already recorded by ${members.support.name}`);
  const shown = (await get("support", path)).text;
  expect(shown).toContain("Paid $89.99, Check, 1042");
  expect(shown).toContain("$89.99, Check");
  expect((await get("support", "/admin/orders?view=arrange")).text).not.toContain(id.slice(0, 8));
  expect((await submit("packer", `${path}?intent=ship`, { tracking: tracking() })).text).toContain("Shipped.");
  const refund = { reason: "damaged", amount: "9.99", refundsSeen: "0" };
  const refunded = (await submit("support", `${path}?intent=refund`, refund)).text;
  expect(refunded).toContain("Send $9.99 back yourself, the way the customer paid you, then record it as sent.");
  expect(refunded).toContain("Record $9.99 as sent");
  const [, owed = ""] = /name="refund" value="([^"]+)"/.exec(refunded) ?? [];
  const sent = (cents: string) => submit("support", `${path}?intent=record-refund`, { refund: owed, cents });
  expect((await sent("998")).text).toContain("This order was changed in the meantime.");
  expect((await sent("999")).text).toContain("Recorded as sent. The customer was emailed.");
  expect((await sent("999")).text).toContain(`Already recorded by ${members.support.name}`);
});

describe("an order by hand", () => {
  const create = "/admin/orders/new?intent=create";
  const address = {
    shippingFirstName: "Ada",
    shippingLastName: "Lovelace",
    shippingAddressLine1: "12 Analytical Ave",
    shippingCity: "New York",
    shippingState: "NY",
    shippingPostalCode: "10001",
  };
  const formOf = (more: Record<string, string> = {}) => ({
    ...address,
    formKey: crypto.randomUUID(),
    email: "phone@example.com",
    phone: "212 555 0100",
    shippingMethod: "standard",
    "product-0": "Charging Dock",
    "quantity-0": "2",
    ...more,
  });

  it("begins with a customer, who is found by name, and their last order", async () => {
    const from = await place();
    expect((await get("support", `/admin/orders/${from.id}`)).text).toContain(`/admin/orders/new?from=${from.id}`);
    const found = (await get("support", `/admin/orders/new?q=${from.id}`)).text;
    expect(found).toContain(`href="/admin/orders/new?from=${from.id}"`);
    const form = (await get("support", `/admin/orders/new?from=${from.id}`)).text;
    for (const value of [`${from.id}@example.com`, "Lovelace", "12 Analytical Ave", "10001"])
      expect(form).toContain(`value="${value}"`);
    expect((await get("support", "/admin/orders/new?email=new%40example.com")).text).toContain(
      'value="new@example.com"',
    );
    expect((await get("support", "/admin/orders/new?q=nobody-here")).text).toContain("No one matches.");
  });

  it("says beside each field what is wrong, and keeps what was typed", async () => {
    const lines = {
      "product-0": "zeppelin",
      "product-1": "Charging Dock",
      "quantity-1": "11",
      "price-1": "cheap",
      "product-2": "dock",
      "product-3": "polara",
    };
    const ofLines = ["No product has this name", "1 to 10", "Enter an amount in dollars", "Listed above already"];
    for (const [wrong, problems, status] of [
      [{ ...lines, how: "" }, [...ofLines, "Several match: Polara", "Choose how it was paid"], 400],
      [{ "product-0": "", payment: "nothing" }, ["Choose at least one product", "Choose a reason"], 400],
      [{ email: "nobody", shippingCity: "" }, ["Invalid email address", "City is required"], 400],
      [{ payment: "link" }, ["No payment provider is set up"], 400],
      [{ "price-0": "4000" }, [", its price"], 400],
      [{ discount: "900", reason: "Loyal" }, ["At most what the products cost"], 400],
      [{ discount: "9" }, ["Enter a reason, which the customer reads"], 400],
      [{ payment: "nothing", gift: "press" }, ["Your role may not place this order."], 403],
      [{ discount: "100.01", reason: "Loyal", "quantity-0": "10" }, ["Your role can take up to $100.00 off"], 403],
    ] as const) {
      const { status: answered, text } = await submit(
        "support",
        create,
        formOf({ payment: "arranged", how: "check", ...wrong }),
      );
      expect([answered, text.includes('value="Ada"')], problems[0]).toEqual([status, true]);
      for (const problem of problems) expect(text).toContain(problem);
    }
  });

  it("that was paid by check is placed once its total was seen, once, and ships", async () => {
    const typed = formOf({
      payment: "arranged",
      how: "check",
      reference: "1042",
      discount: "5",
      reason: "A scratched box",
    });
    const review = await submit("support", create, typed);
    expect(review.status).toBe(200);
    expect(review.text).toMatch(/Discount \(A scratched box\)[^]*−\$5\.00[^]*The total is \$/);
    const [, seenTotal = ""] = /name="seenTotal" value="(\d+)"/.exec(review.text) ?? [];
    const [, formKey = ""] = /name="formKey" value="([^"]+)"/.exec(review.text) ?? [];
    const seen = { ...typed, seenTotal, formKey };
    expect((await submit("support", create, { ...seen, "quantity-0": "1" })).text).toContain("The total is $");
    const [once, twice] = [await submit("support", create, seen), await submit("support", create, seen)];
    expect([once.status, twice.location]).toEqual([303, once.location]);
    const shown = (await get("support", once.location ?? "")).text;
    for (const words of ["Check, 1042", "A scratched box", "phone@example.com"]) expect(shown).toContain(words);
    expect((await submit("packer", `${once.location}?intent=ship`, { tracking: tracking() })).text).toContain(
      "Shipped.",
    );
  });

  it("at no charge ships without a payment", async () => {
    const typed = formOf({ payment: "nothing", gift: "replacement", seenTotal: "0" });
    const placed = await submit("manager", create, typed);
    expect(placed.status).toBe(303);
    const shown = (await get("manager", placed.location ?? "")).text;
    for (const words of ["No charge", "Replaces something that went wrong, at no charge", members.manager.name])
      expect(shown).toContain(words);
    expect(shown).not.toContain("Placed without payment");
    expect((await get("packer", "/admin/orders?view=to-ship")).text).toContain(placed.location);
    expect((await submit("packer", `${placed.location}?intent=ship`, { tracking: tracking() })).text).toContain(
      "Shipped.",
    );
  });
});
