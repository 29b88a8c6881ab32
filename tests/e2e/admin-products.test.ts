/** A manager changes a price and shoppers see it, counts the shelf, and adds a product with its picture. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { openDatabase } from "../../db/connection.server.ts";
import { createDatabase } from "../support/database.setup.ts";
import { expect, expectAccessible, test } from "../support/journey.ts";
import { startShop, type Shop } from "../support/shop.ts";
import { makeStaff, STAFF_COOKIE } from "../support/staff-member.ts";

const secret = "a secret that only this journey knows, and long";
let shop: Shop;
let token: string;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  const { E2E_SERVER: server = "", E2E_TEMPLATE: template = "" } = process.env;
  const folder = mkdtempSync(join(tmpdir(), "polara-journey-"));
  const { url, drop } = await createDatabase(server, template);
  shop = await startShop({ DATABASE_URL: url, DATA_DIR: folder, AUTH_SECRET: secret });
  const { db, pool } = openDatabase(url, 1);
  ({ token } = await makeStaff({ db: db, pool }, { url: shop.url, secret }, "manager"));
  await pool.end();
  stop = async () => {
    await shop.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  };
});
test.afterAll(() => stop());

test("a manager runs the catalog", async ({ page, context, expectErrors }) => {
  // The price that is none.
  expectErrors(/status of 400/);
  await context.addCookies([{ name: STAFF_COOKIE, value: token, url: shop.url }]);
  await page.goto(`${shop.url}/admin/products`);
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Name or address" }).fill("travel");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "Travel Sleeve" }).click();

  await expect(page.getByText("Shoppers pay $19.00.")).toBeVisible();
  await expectAccessible(page);
  const price = page.getByLabel("Price, $", { exact: true });
  await price.fill("cheap");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Enter a price in dollars")).toBeVisible();
  await expect(price).toBeFocused();
  await price.fill("25");
  await page.getByLabel("Description").fill("Typed, and still here.");

  const [preview] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("button", { name: "Preview" }).click(),
  ]);
  await expect(preview.getByText("$25.00").first()).toBeVisible();
  await preview.close();

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved description and price. Shoppers see it now.")).toBeVisible();
  const shopper = await context.newPage();
  await shopper.goto(`${shop.url}/product/travel-sleeve`);
  await expect(shopper.getByText("$25.00").first()).toBeVisible();
  await shopper.close();

  await page.getByLabel("Counted").fill("80");
  await page.getByRole("button", { name: "Count the shelf" }).click();
  await expect(page.getByText("5 units fewer: now 80 units to sell.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "−5" })).toBeVisible();
  await expect(page.getByLabel("Counted")).toHaveValue("");
});

test("a manager adds a product in a color that the shop does not know, with its picture", async ({ page, context }) => {
  await context.addCookies([{ name: STAFF_COOKIE, value: token, url: shop.url }]);
  await page.goto(`${shop.url}/admin/products/new`);
  await expectAccessible(page);
  const fields = {
    Name: "Polara Mini Sunset Coral",
    Address: "polara-mini-sunset-coral",
    "In one sentence": "The small one.",
    Description: "Small.",
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("Price, $", { exact: true }).fill("59");
  const color = page.getByLabel("Name of the color");
  await expect(color).toBeHidden();
  await page.getByLabel("Color", { exact: true }).selectOption("Another color");
  await color.fill("Sunset Coral");
  await page.getByLabel("Its swatch").fill("e58a6f");
  await expectAccessible(page);
  const buffer = await sharp({ create: { width: 1400, height: 1400, channels: 3, background: "#c98a5c" } })
    .png()
    .toBuffer();
  await page
    .getByLabel("Picture 1", { exact: true })
    .setInputFiles({ name: "any.jpg", mimeType: "image/jpeg", buffer });
  await page.getByRole("button", { name: "Add the product" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Polara Mini Sunset Coral");
  await expect(page.getByLabel("Color", { exact: true })).toHaveValue("Sunset Coral");
  await page.getByRole("link", { name: "Its page in the shop" }).click();
  const picture = page.getByRole("img", { name: "Polara Mini Sunset Coral" }).first();
  await expect(picture).toBeVisible();
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);

  const buy = page.getByRole("region", { name: "Buy" });
  await expect(buy.getByText("Sunset Coral", { exact: true })).toBeVisible();
  await expect(buy.locator(".swatch")).toHaveCSS("background-color", "rgb(229, 138, 111)");
  expect(await page.locator('script[type="application/ld+json"]').innerText()).toContain('"color":"Sunset Coral"');

  await page.goto(`${shop.url}/shop`);
  const choice = page.getByRole("checkbox", { name: "Sunset Coral" });
  await expect(choice.locator("xpath=..").locator(".swatch")).toHaveCSS("background-color", "rgb(229, 138, 111)");
  await choice.check();
  await expect(page).toHaveURL(/color=Sunset\+Coral/);
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.goto(`${shop.url}/search?q=sunset+coral`);
  await expect(page.getByRole("link", { name: "Polara Mini Sunset Coral" })).toBeVisible();
});
