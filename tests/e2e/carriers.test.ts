/** Labels, and the question about an address, with the sandbox of carriers. */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, fillAddress, someEmail, tabTo } from "../support/journey.ts";
import type { Office } from "../support/office.ts";
import { putInCart } from "../support/pay-journey.ts";
import { placedOrder } from "../support/placed-order.ts";

test.use({ env: { CARRIERS: "sandbox" } });

const place = ({ db }: Office, slug = "charging-dock") => placedOrder(db, { [slug]: 1 }, { isArranged: true });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test(
  "ten orders are packed with labels by keyboard within two minutes",
  { tag: "@nightly" },
  async ({ page, office }) => {
    const slugs = [
      "charging-dock",
      "travel-sleeve",
      "polara-pro-earth-green",
      "lid-gasket-set",
      "ethylene-filter-2-pack",
    ];
    for (let i = 0; i < 10; i++) await place(office, slugs[i % slugs.length]);
    await office.signIn(page, "owner");
    await page.goto("/admin/orders?view=to-ship");
    const box = { name: /^Select [0-9a-f]{8}$/ };
    await expect(page.getByRole("checkbox", box)).toHaveCount(10);
    const started = Date.now();
    // The keys work once the page is hydrated.
    await expect
      .poll(async () => {
        await page.keyboard.press("j");
        return page.locator("tr[data-current]").count();
      })
      .toBe(1);
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press("x");
      await page.keyboard.press("j");
    }
    await expect(page.getByRole("checkbox", { ...box, checked: true })).toHaveCount(10);
    for (const name of ["Buy labels", /^Buy 10 labels for \$\d+\.\d\d and ship$/]) {
      await tabTo(page, page.getByRole("button", { name, exact: true }));
      await page.keyboard.press("Enter");
    }
    await expect(page.getByText("10 shipped.")).toBeVisible();
    await tabTo(page, page.getByRole("link", { name: "Print labels and slips" }));
    await page.keyboard.press("Enter");
    const pictures = page.getByRole("img", { name: /^Label of order/ });
    await expect(pictures).toHaveCount(10);
    await expect
      .poll(() => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)))
      .toBe(true);
    const seconds = (Date.now() - started) / 1_000;
    console.log(`Ten orders were packed with labels in ${seconds.toFixed(1)} seconds.`);
    expect(seconds).toBeLessThan(120);
    await expectAccessible(page);
  },
);

test("a label is bought at the chosen rate", async ({ page, office }) => {
  const { id } = await place(office);
  await office.signIn(page, "owner");
  await page.goto(`/admin/orders/${id}`);
  await button(page, "See rates").click();
  await expect(page.getByRole("radio", { name: /USPS Ground Advantage/ })).toBeChecked();
  await expectAccessible(page);
  await button(page, "Buy label and ship").click();
  await expect(page.getByText("Label bought and shipped. The customer was emailed the tracking number.")).toBeVisible();
  const shipments = page.getByRole("region", { name: "Shipments" });
  await expect(shipments.getByRole("link", { name: "Print label and slip" })).toBeVisible();
  await shipments.locator("summary", { hasText: "Change shipment" }).click();
  await expectAccessible(page);
});

test("an address is asked about, and the carriers' own taken", async ({ page, office, expectErrors }) => {
  expectErrors(/status of 409/);
  const email = someEmail();
  await putInCart(page, office);
  await page.goto("/checkout");
  await fillAddress(page, { Email: email, "Address line 1": "12 Mian Street" });
  await page.getByRole("button", { name: /^Place Order/ }).click();
  const question = page.getByRole("alert").filter({ hasText: "Did you mean this address?" });
  await expect(question).toContainText("12 Main Street");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Use this address" }).click();
  await expect(heading(page)).toHaveText("Thank you for your order");
  const streets = await office.pool.query("SELECT shipping_address_line1 AS street FROM orders WHERE email = $1", [
    email,
  ]);
  expect(streets.rows).toEqual([{ street: "12 Main Street" }]);
});
