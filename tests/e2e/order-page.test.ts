/** From the toast to the order's own page, by the browser it was placed in and by its mail, and what can be done there. */
import {
  expect,
  expectAccessible,
  expectToast,
  fillCart,
  open,
  placeOrder,
  someEmail,
  test,
} from "../support/journey.ts";
import { emailTo } from "../support/mailbox.ts";
import { ADD_UNITS } from "#tests/support/units.ts";

const url = () => process.env.E2E_URL ?? "";

test("a guest sees the order and cancels it after a confirmation", async ({ page, database }) => {
  await fillCart(page, database, "travel-sleeve");
  const id = await placeOrder(page, someEmail());
  await open(page, `/orders/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We’re getting it ready");
  await expect(page.getByText("Ada Lovelace")).toBeVisible();
  const link = page.getByRole("link", { name: "Cancel order" });
  await link.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Cancel this order?" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  await link.click();
  await dialog.getByRole("button", { name: "Cancel order" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Canceled");
  await expectToast(page, "Order canceled", "You won’t pay for it.");
  await expect(page.getByRole("link", { name: "Cancel order" })).toHaveCount(0);
});

test("the emailed link opens the page in another browser, with its key in no address", async ({
  page,
  browser,
  database,
}) => {
  await fillCart(page, database, "travel-sleeve");
  const email = someEmail();
  const id = await placeOrder(page, email);
  const mail = await emailTo(url(), email, id.slice(0, 8));
  const link = mail.links.find((each) => each.includes(`/orders/${id}?k=`)) ?? "";
  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  await elsewhere.goto(link);
  await expect(elsewhere).toHaveURL(`${url()}/orders/${id}`);
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText("We’re getting it ready");
  // The page's script finds its data again, as after leaving and coming back.
  await elsewhere.getByRole("link", { name: "Ask about this order" }).click();
  await expect(elsewhere.getByLabel("Message")).toHaveValue(`Order ${id.slice(0, 8)}: `);
  await elsewhere.goBack();
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText("We’re getting it ready");
  await elsewhere.getByRole("link", { name: "Print a receipt" }).click();
  await expect(elsewhere.getByRole("heading", { name: "Receipt" })).toBeVisible();
  expect(await elsewhere.evaluate(() => document.cookie)).toBe("");
  await context.close();
});

test("a receipt of ten lines prints on one page", async ({ page, database }) => {
  await fillCart(page, database, "travel-sleeve");
  const id = await placeOrder(page, someEmail());
  // Not ordered: other journeys count the units that there are.
  await database.query(
    `INSERT INTO order_items (order_id, product_id, name, price, quantity)
     SELECT $1, id, name, price, 1 FROM products WHERE slug <> 'travel-sleeve' ORDER BY slug LIMIT 9`,
    [id],
  );
  await database.query(ADD_UNITS);
  await page.goto(`/orders/${id}/receipt`);
  await expect(page.getByRole("row")).toHaveCount(11);
  const paper = (await page.pdf({ format: "Letter" })).toString("latin1");
  expect(/\/Type \/Pages[^>]*\/Count (\d+)|\/Count (\d+)/.exec(paper)?.slice(1)).toContain("1");
});
