import type { Page } from "@playwright/test";
import sharp from "sharp";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, holdBack, openAdmin } from "../support/journey.ts";
import { placedOrder } from "../support/placed-order.ts";
import { setUnits } from "../support/stock.ts";

/** Units of the open product in orders of other journeys, which are on hand and not available. */
const committed = async (page: Page) => Number(await page.locator("dt:text-is('Committed') + dd").textContent());

test("a manager edits a price, previews it, sets the stock and delays its orders", async ({
  page,
  office,
  context,
  expectErrors,
}) => {
  expectErrors(/status of 400/);
  // Other journeys have bought some.
  await setUnits(office.pool, "travel-sleeve", 85);
  await office.signIn(page, "manager");
  await openAdmin(page, "/admin/products");
  await page.getByRole("searchbox", { name: "Name or URL handle" }).fill("travel");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "Travel Sleeve" }).click();

  await expect(page.getByText("Shoppers pay $19.00.")).toBeVisible();
  const price = page.getByLabel("Price ($)", { exact: true });
  await price.fill("cheap");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Enter a price in dollars")).toBeVisible();
  await expect(price).toBeFocused();
  await price.fill("25");
  await page.getByLabel("Description", { exact: true }).fill("Typed, and still here.");

  const [preview] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("button", { name: "Preview" }).first().click(),
  ]);
  await expect(preview.getByText("$25.00").first()).toBeVisible();
  await preview.close();

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved description and price. Changes are live.")).toBeVisible();
  const shopper = await context.newPage();
  await shopper.goto("/product/travel-sleeve");
  await expect(shopper.getByText("$25.00").first()).toBeVisible();
  await shopper.close();

  await page.getByLabel("Reason", { exact: true }).selectOption("Stock count (sets on hand)");
  await page.getByLabel("Quantity", { exact: true }).fill(String(80 + (await committed(page))));
  await page.getByRole("button", { name: "Change stock" }).click();
  await expect(page.getByText("5 units fewer: 80 units available.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "−5" })).toBeVisible();
  await expect(page.getByLabel("Quantity", { exact: true })).toHaveValue("");

  await placedOrder(office.db, { "travel-sleeve": 1 });
  const delay = page.getByRole("region", { name: "Delay orders" });
  await page.reload();
  await delay.getByRole("button", { name: "Preview" }).click();
  await expect(delay.getByText("Choose a date after today")).toBeVisible();
  await delay.getByLabel("New ship date").fill(daysAfter(newYorkDay(new Date()), 60));
  await delay.getByLabel("Reason for the delay").selectOption("Our supplier is late.");
  await delay.getByRole("button", { name: "Preview" }).click();
  await delay.getByText("Email to customers").click();
  await expect(delay.getByText("will ship later than planned")).toBeVisible();
  await expectAccessible(page);
  await delay.getByRole("button", { name: /^Delay \d+ orders?$/ }).click();
  await expect(delay.getByText(/^\d+ orders? will be delayed/)).toBeVisible();
});

test("before hydration a press is answered, and fields are typed, and both stay", async ({ page, office }) => {
  await office.signIn(page, "manager");
  await page.goto("/admin/products");
  const address = await page.getByRole("link", { name: "Charging Dock" }).getAttribute("href");
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  await page.goto(address!, { waitUntil: "commit" });
  await page.getByLabel("Reason", { exact: true }).selectOption("Stock count (sets on hand)");
  await page.getByLabel("Quantity", { exact: true }).fill(String(80 + (await committed(page))));
  await page.getByRole("button", { name: "Change stock" }).click();
  const answer = page.getByText("80 units available.");
  await expect(answer).toBeVisible();
  // Fields that had words as well.
  const typed = { Name: "Dock", Description: "Typed early." };
  for (const [label, words] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(words);
  const listens = page.waitForResponse(/\/admin\/live/);
  release();
  await listens;
  await office.pool.query(
    "UPDATE stock SET inventory_count = 61 FROM products WHERE id = product_id AND slug = 'charging-dock'",
  );
  await office.pool.query("SELECT pg_notify('office', 'message')");
  await expect(page.getByRole("definition").filter({ hasText: "61" }).first()).toBeVisible();
  await expect(answer).toBeVisible();
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  for (const [label, words] of Object.entries(typed))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(words);
});

test("an adjustment whose answer is lost is made once, and the next one as well", async ({
  page,
  office,
  expectErrors,
}) => {
  expectErrors(/ERR_FAILED/);
  await office.signIn(page, "manager");
  await openAdmin(page, "/admin/products");
  await page.getByRole("link", { name: "Travel Sleeve" }).click();
  const change = page.getByRole("button", { name: "Change stock" });
  const receive = async (units: string) => {
    await page.getByLabel("Reason", { exact: true }).selectOption("Received (adds)");
    await page.getByLabel("Quantity", { exact: true }).fill(units);
  };
  const made = (units: string) => page.getByRole("cell", { name: units, exact: true });
  await receive("7");
  await page.route(
    /intent=stock/,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await change.click();
  await expect(page.getByText("The connection to the shop was lost. Please try again.")).toBeVisible();
  // News bring what was done.
  await office.pool.query("SELECT pg_notify('office', 'message')");
  await expect(made("+7")).toBeVisible();
  await change.click();
  await expect(page.getByText(/^7 units more: /)).toBeVisible();
  await receive("3");
  await change.click();
  await expect(made("+3")).toBeVisible();
  await expect(made("+7")).toHaveCount(1);
});

test("a product that is added offline stays typed, and one that is added during news is shown", async ({
  page,
  office,
  context,
  expectErrors,
}) => {
  expectErrors(/ERR_INTERNET_DISCONNECTED/);
  await office.signIn(page, "manager");
  await openAdmin(page, "/admin/products/new");
  const fields = {
    Name: "Berry Basket",
    "URL handle": "berry-basket",
    "Short description": "For berries.",
    Description: "A basket.",
    "Price ($)": "19",
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  const save = page.getByRole("button", { name: "Save product" });
  await context.setOffline(true);
  await save.click();
  await expect(page.getByText("The connection to the shop was lost. Please try again.")).toBeVisible();
  await expect(page.getByLabel("Description", { exact: true })).toHaveValue("A basket.");
  await context.setOffline(false);
  await page.route(/\/products\/new\.data/, async (route) => {
    if (route.request().method() === "POST") {
      await office.pool.query("SELECT pg_notify('office', 'message')");
      // News reload the page within this time, unless they wait for the form.
      await page.waitForTimeout(1_000);
    }
    await route.continue();
  });
  await save.click();
  await expect(page.getByRole("heading", { level: 1, name: "Berry Basket" })).toBeVisible();
});

test("a manager adds a color with pictures, and is asked for a code", async ({ page, office, expectErrors }) => {
  expectErrors(/status of 40[03]/);
  const { code, staffId } = await office.signIn(page, "manager");
  const leave = "UPDATE staff_sessions SET proved_at = now() - interval '15 minutes' WHERE user_id = $1";
  await office.pool.query(leave, [staffId]);
  await page.goto("/admin/products");
  await page.getByRole("link", { name: "Polara Classic Frost White" }).click();
  await expect(page.getByText("Unsaved changes")).toHaveCount(0);
  await page.getByRole("link", { name: "Add a color" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add a color of Polara Classic");
  const preview = page.getByRole("article", { name: "Preview" });
  await expect(preview).toContainText("$89.00");
  await expect(page.getByLabel("Color name")).toBeHidden();
  await page.getByLabel("Color", { exact: true }).selectOption("New color…");
  await expect(page.getByLabel("Swatch")).toHaveValue("");
  await page.getByLabel("Color name").fill("Sky Blue");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Polara Classic Sky Blue");
  await expect(preview.getByRole("heading")).toHaveText("Polara Classic Sky Blue");
  await page.getByLabel("Color picker").fill("#7fb2d9");
  await expect(page.getByLabel("Swatch")).toHaveValue("#7fb2d9");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Polara Classic Sky Blue");
  await expect(page.getByLabel("URL handle")).toHaveValue("polara-classic-sky-blue");
  await page.getByLabel("Stock", { exact: true }).fill("25");
  await expect(preview).toContainText("In Stock");
  const [first, second] = await Promise.all(
    ["#c98a5c", "#5c8ac9"].map(async (background) => ({
      name: `${background}.png`,
      mimeType: "image/png",
      buffer: await sharp({ create: { width: 1300, height: 1300, channels: 3, background } })
        .png()
        .toBuffer(),
    })),
  );
  await page.getByLabel("Select pictures, or drop them here").setInputFiles(first!);
  await expect(page.getByRole("img", { name: "Selection 1" })).toBeVisible();

  const specs = page.locator("summary", { hasText: "Specs" });
  await specs.click();
  await page.getByRole("button", { name: "Add spec" }).click();
  const spec = (part: string) => page.getByLabel(new RegExp(`^${part} of spec`)).last();
  await spec("Name").fill("Wi-Fi cord");
  await spec("Value").fill("6");
  await spec("Unit").selectOption("ft");
  await expect(page.getByText("Unsaved changes")).toBeInViewport();
  // Folded specs open with their error.
  await specs.click();
  await expect(spec("Name")).toBeHidden();
  await page.getByRole("button", { name: "Save product" }).click();
  await expect(page.getByText(/^Spec \d+: enter a name of letters and digits/)).toBeVisible();
  await expectAccessible(page);
  await spec("Name").fill("Cord");
  await expect(preview).toContainText("6 ft");
  await page.getByRole("button", { name: "Save product" }).click();
  await page.getByLabel("Authentication code").fill(await code());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Polara Classic Sky Blue");
  await expect(page.getByText("Product added.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "+25" })).toBeVisible();

  await page.getByLabel("Select pictures, or drop them here").setInputFiles(second!);
  await page.getByRole("button", { name: "Upload" }).click();
  const pictures = page.getByRole("region", { name: "Pictures" }).locator("li[draggable]");
  await expect(pictures).toHaveCount(2);
  await page.getByLabel("Description of picture 2").fill("The blue one");
  await page.getByRole("button", { name: "Move picture 2 up" }).click();
  const main = page.getByLabel("Description of the main picture");
  await expect(main).toHaveValue("The blue one");
  await pictures.nth(1).dragTo(pictures.nth(0));
  await expect(main).toHaveValue("");
  await expect(page.getByLabel("Description of picture 2")).toHaveValue("The blue one");
  await expectAccessible(page);
  await page.getByRole("link", { name: "View in store" }).click();
  const picture = page.getByRole("img", { name: "Polara Classic Sky Blue" }).first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0);
  await page.goto("/shop");
  const choice = page.getByRole("checkbox", { name: "Sky Blue" });
  await expect(choice.locator("xpath=..").locator(".swatch")).toHaveCSS("background-color", "rgb(127, 178, 217)");
});

test("a manager is asked before unsaved changes are lost, and never without any", async ({ page, office }) => {
  await office.signIn(page, "manager");
  await openAdmin(page, "/admin/products");
  const list = page.getByRole("main").getByRole("link", { name: "Products", exact: true });
  const heading = page.getByRole("heading", { level: 1 });
  const product = page.getByRole("link", { name: "Polara Pro Earth Green" });
  await product.click();
  await list.click();
  await expect(heading).toContainText("Products");
  await product.click();
  await page.getByRole("link", { name: "Add a color" }).click();
  await expect(heading).toContainText("Add a color of");
  await expect(page.getByLabel("URL handle")).toHaveValue("");
  await page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: "Products" }).click();
  await expect(heading).toHaveText("Products");

  await product.click();
  const field = page.getByLabel("Short description", { exact: true });
  await field.fill("Half a thought");
  await list.click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toHaveCount(0);
  await expect(field).toHaveValue("Half a thought");
  const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  // The router returns to the page at once, which ends the wait for another one.
  await page.evaluate(() => history.back());
  await expect(question).toBeVisible();
  const news = office.pool.query("SELECT pg_notify('office', 'message')");
  await Promise.all([page.waitForResponse(/\.data/), news]);
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(heading).toContainText("Products");

  await product.click();
  await expect(field).not.toHaveValue("Half a thought");
  await field.fill("A whole thought");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved short description.")).toBeVisible();
  await list.click();
  await expect(heading).toContainText("Products");
});

test("a refused field and its message stand above the bar on a phone", async ({ page, office, expectErrors }) => {
  expectErrors(/status of 400/);
  await office.signIn(page, "manager");
  await page.setViewportSize({ width: 390, height: 844 });
  await openAdmin(page, "/admin/products");
  await page.getByRole("link", { name: "Polara Pro Earth Green" }).click();
  const field = page.getByLabel("Shipping weight (oz)");
  await field.fill("abc");
  // Below the bar, at the end of the screen.
  await field.evaluate((input) => window.scrollBy(0, input.getBoundingClientRect().bottom - window.innerHeight));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(field).toBeFocused();
  const top = async (text: string) => (await page.getByText(text).boundingBox())!.y;
  await expect
    .poll(async () => (await top("A few fields need fixing.")) - (await top("Enter whole ounces, such as 74")))
    .toBeGreaterThan(30);
});
