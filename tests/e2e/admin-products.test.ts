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

test("a manager adds a product with its picture", async ({ page, context }) => {
  await context.addCookies([{ name: STAFF_COOKIE, value: token, url: shop.url }]);
  await page.goto(`${shop.url}/admin/products/new`);
  await expectAccessible(page);
  const fields = {
    Name: "Polara Mini",
    Address: "polara-mini",
    "In one sentence": "The small one.",
    Description: "Small.",
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("Price, $", { exact: true }).fill("59");
  const buffer = await sharp({ create: { width: 1400, height: 1400, channels: 3, background: "#c98a5c" } })
    .png()
    .toBuffer();
  await page
    .getByLabel("Picture 1", { exact: true })
    .setInputFiles({ name: "any.jpg", mimeType: "image/jpeg", buffer });
  await page.getByRole("button", { name: "Add the product" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Polara Mini");
  await page.getByRole("link", { name: "Its page in the shop" }).click();
  const picture = page.getByRole("img", { name: "Polara Mini" }).first();
  await expect(picture).toBeVisible();
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);
});
