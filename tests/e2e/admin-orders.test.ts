import { openDatabase } from "#db/connection.server.ts";
import { expect, expectAccessible, openAdmin, tabTo, test } from "../support/journey.ts";
import { placedOrder } from "../support/placed-order.ts";
import { aParcel } from "../support/staff.ts";
import { makeStaff, STAFF_COOKIE } from "../support/staff-member.ts";

const secret = process.env.E2E_AUTH_SECRET ?? "";

test("an order is found, shipped and noted by keyboard alone and without JavaScript", async ({
  browser,
  expectErrors,
}) => {
  expectErrors(/status of 400/);
  const url = process.env.E2E_URL ?? "";
  const database = openDatabase(process.env.E2E_DATABASE_URL ?? "", 2);
  const { cookie } = await makeStaff(database, { url, secret }, "packer");
  const { id } = await placedOrder(database.db, { "charging-dock": 1 }, { isArranged: true });
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await context.addCookies([{ name: STAFF_COOKIE, value: cookie, url }]);
  const page = await context.newPage();
  const activate = async (role: "link" | "button", name: string | RegExp) => {
    await tabTo(page, page.getByRole(role, { name, exact: true }));
    await page.keyboard.press("Enter");
  };
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
  };

  await page.goto(`${url}/admin/orders`);
  await type("Search orders", id.slice(0, 8));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox")).toHaveCount(1);
  await activate("link", id.slice(0, 8));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Order ${id.slice(0, 8)}`);
  await type("Tracking number", "nothing like it");
  await activate("button", "Ship");
  await expect(page.getByText("Unknown tracking number.")).toBeVisible();
  await type("Tracking number", aParcel(77_010).trackingNumber);
  await activate("button", "Ship");
  await expect(page.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();
  await type("Note", "Left at the door");
  await activate("button", "Add note");
  await expect(page.getByRole("region", { name: "Timeline" })).toContainText("Left at the door");
  await context.close();
  await database.pool.end();
});

test("an owner ships one order from Today and two more with pasted numbers, of which a wrong one stays", async ({
  page,
  context,
  expectErrors,
}) => {
  expectErrors(/status of 40[09]/);
  const url = process.env.E2E_URL ?? "";
  const database = openDatabase(process.env.E2E_DATABASE_URL ?? "", 2);
  const { cookie, name } = await makeStaff(database, { url, secret }, "owner");
  const places = [1, 2, 3].map(() =>
    placedOrder(database.db, { "charging-dock": 2, "travel-sleeve": 1 }, { isArranged: true }),
  );
  const [one, two, three] = (await Promise.all(places)).map(({ id }) => id);
  // The first of those that ship tomorrow.
  await database.pool.query(
    `UPDATE orders SET created_at = created_at - interval '9 years',
      ship_by = (now() AT TIME ZONE 'America/New_York')::date + 1 WHERE id = ANY ($1)`,
    [[one, two, three]],
  );
  await context.addCookies([{ name: STAFF_COOKIE, value: cookie, url }]);

  await openAdmin(page, "/admin");
  await page
    .getByRole("region", { name: "To ship" })
    .getByRole("link", { name: one?.slice(0, 8) })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Order ${one?.slice(0, 8)}`);
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("Wants it without a box");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("region", { name: "Timeline" }).getByRole("listitem").first()).toContainText(
    `NoteWants it without a box${name}, today`,
  );
  await expect(note).toHaveValue("");
  await page.getByLabel("Tracking number").fill("nothing like it");
  await page.getByRole("button", { name: "Ship", exact: true }).click();
  await expect(page.getByText("Unknown tracking number.")).toBeVisible();
  await expect(page.getByLabel("Tracking number")).toBeFocused();
  await page.getByLabel("Tracking number").fill(aParcel(77_001).trackingNumber);
  await page.getByRole("button", { name: "Ship", exact: true }).click();
  await expect(page.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Timeline" }).getByRole("listitem").first()).toContainText(
    "ShippedUPS",
  );
  await expect(page.getByText("Cancel order")).toHaveCount(0);
  // The form has moved on the page; its message survives a live update.
  const updated = page.waitForResponse(/\.data/);
  await database.pool.query("NOTIFY office, 'order'");
  await updated;
  await expectAccessible(page);
  await expect(page.getByText("Shipped. The customer was emailed the tracking number.")).toBeVisible();

  await page.getByRole("link", { name: "Orders", exact: true }).click();
  await page.getByRole("link", { name: "To ship", exact: true }).click();
  await expect(page).toHaveURL(/view=to-ship/);
  const boxes = [two, three].map((id) => page.getByRole("checkbox", { name: `Select ${id?.slice(0, 8)}` }));
  for (const box of boxes) await box.check();
  await expectAccessible(page);
  await page.getByRole("link", { name: two?.slice(0, 8), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Order ${two?.slice(0, 8)}`);
  await page.goBack();
  for (const box of boxes) await expect(box).toBeChecked();
  const numbers = [77_002, 77_003].map((number) => aParcel(number).trackingNumber);
  const wrong = `00000000 ${aParcel(77_004).trackingNumber}`;
  await page.getByRole("button", { name: "Ship", exact: true }).click();
  await expectAccessible(page);
  const field = page.getByLabel("Tracking numbers");
  await field.fill([...numbers, wrong].join("\n"));
  await page.getByRole("button", { name: "Ship orders" }).click();
  await expect(page.getByText("2 shipped, 1 failed. The failed lines are still in the field.")).toBeVisible();
  await expect(field).toBeHidden();
  await expect(field).toHaveValue(wrong);
  const results = page.getByRole("list", { name: "Results" });
  await expect(results.getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("checkbox", { name: `Select ${two?.slice(0, 8)}` })).toHaveCount(0);

  await page.goto(`/admin/orders?q=${two?.slice(0, 8)}`);
  const slips = page.getByRole("button", { name: "Print packing slips" });
  await expect(slips).toBeHidden();
  await page.getByRole("checkbox", { name: "Select all 1" }).check();
  await expect(page.getByRole("checkbox", { name: `Select ${two?.slice(0, 8)}` })).toBeChecked();
  await slips.click();
  await expect(page.getByRole("article", { name: `Order ${two?.slice(0, 8)}` })).toBeVisible();
  await database.pool.end();
});
