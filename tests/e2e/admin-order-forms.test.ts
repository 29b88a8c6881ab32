/** Forms of orders that stay open: after a success, after a refusal, and while colleagues work. */
import type { BrowserContext, Page } from "@playwright/test";
import { openDatabase } from "#db/connection.server.ts";
import { writeSummary } from "#shop/orders/write-change.server.ts";
import type { Role } from "#shop/roles.ts";
import { expect, expectAccessible, test } from "../support/journey.ts";
import { placedOrder } from "../support/placed-order.ts";
import { aParcel } from "../support/staff.ts";
import { makeStaff, STAFF_COOKIE } from "../support/staff-member.ts";
import { CHARGE_ALL, SHIP_ALL } from "../support/units.ts";

const [url, secret] = [process.env.E2E_URL ?? "", process.env.E2E_AUTH_SECRET ?? ""];
const shop = { url, ...openDatabase(process.env.E2E_DATABASE_URL ?? "", 2) };
test.afterAll(() => shop.pool.end());

async function signIn(context: BrowserContext, role: Role) {
  const member = await makeStaff(shop, { url, secret }, role);
  await context.addCookies([{ name: STAFF_COOKIE, value: member.cookie, url }]);
  return member;
}

const query = async <Row extends object>(text: string, values: unknown[]) =>
  (await shop.pool.query<Row>(text, values)).rows;
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const unfold = (page: Page, name: string) => page.locator("summary", { hasText: name }).click();
const tracking = (page: Page) => page.getByLabel("Tracking number");
let numbers = 55_000;
const newNumber = () => aParcel(++numbers).trackingNumber;

test("after a canceled item and a first parcel, the rest ships whole with an empty form", async ({ page, context }) => {
  await signIn(context, "manager");
  const { id, lines } = await placedOrder(shop.db, { "charging-dock": 3, "travel-sleeve": 1 }, { isArranged: true });
  await placedOrder(shop.db, { "charging-dock": 1 }, { isArranged: true });
  await page.goto(`${url}/admin/orders/${id}`);
  const next = page.getByRole("region", { name: "Next step" });
  const [dock, sleeve] = [next.getByLabel("charging-dock"), next.getByLabel("travel-sleeve")];
  const carrier = next.getByLabel("Carrier");
  const canceling = page
    .locator("details")
    .filter({ has: page.getByLabel("Canceled items") })
    .last();
  const toCancel = canceling.getByLabel("charging-dock");
  const expectUnits = async (docks: number) => {
    await expect(dock).toHaveValue(`${lines["charging-dock"]}:${docks}`);
    await expect(sleeve).toHaveValue(`${lines["travel-sleeve"]}:1`);
  };
  await expectUnits(3);

  await unfold(page, "More actions");
  await unfold(page, "Cancel items");
  await toCancel.selectOption("1 of 3");
  await page.getByLabel("Canceled items").selectOption("Write off");
  await canceling.getByLabel("Reason, shown to the customer").selectOption({ index: 1 });
  await press(page, "Cancel items");
  await expect(page.getByText("Items canceled. The customer was notified. Send $40.00 back yourself")).toBeVisible();
  await expectUnits(2);
  // None of the two that are kept.
  await expect(toCancel).toHaveValue(`${lines["charging-dock"]}:2`);
  await expect(page.getByLabel("Canceled items")).toHaveValue("back");

  await unfold(page, "Ship part of the order");
  await dock.selectOption("1 of 2");
  await sleeve.selectOption("0 of 1");
  await carrier.selectOption("UPS");
  await tracking(page).fill(newNumber());
  await press(page, "Ship");
  await expect(page.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();
  await expect(tracking(page)).toHaveValue("");
  await expect(carrier).toHaveValue("");
  await expect(dock).toBeHidden();
  await expectUnits(1);

  await tracking(page).fill(newNumber());
  await press(page, "Ship");
  await expect(next).toContainText("Mark as delivered");
  const following = page.getByRole("link", { name: "Next order to ship" });
  await expect(following).toHaveAttribute("href", /^\/admin\/orders\/[0-9a-f-]{36}\?view=to-ship$/);
});

test("a refund form left open for 15 minutes asks for a code, keeps what was typed, and starts over", async ({
  page,
  context,
  expectErrors,
}) => {
  expectErrors(/status of 403/);
  const member = await signIn(context, "owner");
  const { id } = await placedOrder(shop.db, { "charging-dock": 9 }, { isAuthorized: true });
  const [payment] = await query<{ id: string }>(
    "UPDATE payments SET state = 'captured', captured = amount WHERE order_id = $1 RETURNING id",
    [id],
  );
  await query(CHARGE_ALL, [id, payment!.id]);
  await query(SHIP_ALL, [id, "shipped"]);
  await query("UPDATE orders SET stage = 'shipped' WHERE id = $1", [id]);
  await writeSummary(shop.db, id);
  await page.goto(`${url}/admin/orders/${id}`);
  await unfold(page, "Refund");
  const form = page.getByRole("group").filter({ hasText: "available to refund" });
  const [amount, reason] = [form.getByLabel("Or an amount ($)"), form.getByLabel("Reason, shown to the customer")];
  const units = form.getByRole("combobox").first();
  await units.selectOption("2 of 9");
  await expect(form.getByRole("status")).toHaveText("Items$80.00Total$80.00");
  await expect(form.getByRole("button", { name: "Refund $80.00" })).toBeVisible();
  await amount.fill("10");
  await expect(amount).toHaveAccessibleDescription("Choose items or enter an amount, not both");
  await units.selectOption("0 of 9");
  await amount.fill("360.01");
  await expect(amount).toHaveAccessibleDescription("More than the $360.00 left to refund");
  await expect(form.getByRole("button", { name: "Refund $360.01" })).toBeDisabled();
  await amount.fill("240");
  await reason.selectOption("goodwill");
  await query("UPDATE staff_sessions SET proved_at = now() - interval '15 minutes' WHERE user_id = $1", [
    member.staffId,
  ]);
  const dialog = page.getByRole("dialog", { name: "Confirm that it’s you" });
  const code = dialog.getByLabel("Authentication code");
  const refund = form.getByRole("button", { name: "Refund $240.00" });
  await refund.click();
  await expect(code).toBeFocused();
  await expect(code).not.toHaveAttribute("aria-invalid");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(refund).toBeFocused();
  await refund.click();
  await code.fill("000000");
  await press(page, "Continue");
  await expect(dialog.getByText("That code is incorrect or already used.")).toBeVisible();
  await expect(amount).toHaveValue("240");
  await expect(reason).toHaveValue("goodwill");
  await code.fill(await member.code());
  // The answer stands before the page's data are read again, until which the form is not sent once more.
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Refund of $240.00 started.")).toBeVisible();
  await expect(amount).toHaveValue("");
  await expect(reason).toHaveValue("");
  await expect(dialog).toHaveCount(0);
});

// In the office, where no other journey changes an order meanwhile.
test("two people at one order: each sees what the other did, and no news of their own", async ({ browser, office }) => {
  const news = (page: Page) => page.getByText("An order changed").filter({ visible: true });
  const newPage = async (role: Role) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    return { page, context, member: await office.signIn(page, role) };
  };
  const [owner, manager, packer] = [await newPage("owner"), await newPage("manager"), await newPage("packer")];
  const { id } = await placedOrder(office.db, { "charging-dock": 2 }, { isArranged: true });
  // The manager's page gets no live updates.
  await manager.context.route("**/admin/live", (route) => route.fulfill({ status: 204 }));
  const opening: [Page, string][] = [
    [owner.page, `/${id}`],
    [manager.page, `/${id}`],
    [packer.page, `?view=to-ship&q=${id.slice(0, 8)}`],
  ];
  for (const [page, path] of opening)
    await Promise.all([page.waitForResponse("**/admin/live"), page.goto(`${office.url}/admin/orders${path}`)]);
  await expect(packer.page.getByRole("link", { name: id.slice(0, 8) })).toBeVisible();

  await tracking(owner.page).fill(newNumber());
  await press(owner.page, "Ship");
  await expect(owner.page.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();
  await expect(news(packer.page)).toBeVisible();
  await expect(packer.page.getByText("No orders match.")).toBeVisible();
  await expect(news(owner.page)).toHaveCount(0);

  await tracking(manager.page).fill(newNumber());
  await press(manager.page, "Ship");
  await expect(manager.page.getByRole("alert")).toHaveText(
    `Everything in this order has shipped. Since you opened this page: Shipped (${owner.member.name}).`,
  );
  await expect(manager.page.getByRole("region", { name: "Shipments" })).toContainText("Shipped");
  await expect(manager.page.getByRole("region", { name: "Next step" })).toContainText("Mark as delivered");
  for (const { context } of [owner, manager, packer]) await context.close();
});

test("forms start over, and a corrected address stays in its own", async ({ page, context }) => {
  await signIn(context, "owner");
  const { id } = await placedOrder(shop.db, { "charging-dock": 1 });
  await page.goto(`${url}/admin/orders/${id}`);
  await unfold(page, "Edit address");
  await page.getByLabel("City").fill("Oakland");
  await page.getByLabel("State").selectOption("CA");
  await page.getByLabel("ZIP code").fill("94607");
  await press(page, "Edit address");
  await expect(page.getByText("Address updated.")).toBeVisible();
  await expect(page.getByLabel("City")).toHaveValue("Oakland");
  await expect(page.getByLabel("State")).toHaveValue("CA");
  await expect(page.getByLabel("ZIP code")).toHaveValue("94607");

  await page.goto(`${url}/admin/staff`);
  await page.getByLabel("Email", { exact: true }).fill("grace@example.com");
  await page.getByRole("radio", { name: /^Support/ }).check();
  await press(page, "Send invitation");
  await expect(page.getByText("Invitation sent to grace@example.com.")).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("");
  await expect(page.getByRole("radio", { name: /^Packer/ })).toBeChecked();
});
