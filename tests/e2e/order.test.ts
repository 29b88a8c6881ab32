import type { APIRequestContext } from "@playwright/test";
import { formatMoney } from "#shop/money.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { type ShippingMethod, shippingPrice, transitWords } from "#shop/shipping/methods.ts";
import {
  cartLink,
  expect,
  expectToast,
  fillCart,
  holdBack,
  open,
  openFilters,
  someEmail,
  test,
} from "../support/journey.ts";
import { unitsOf } from "../support/stock.ts";

const bowl = { name: "Polara Pro Midnight Black", slug: "polara-pro-midnight-black", color: "Midnight Black" };

const { shipping } = FIRST_SETTINGS;
function shownMethod(method: ShippingMethod, subtotal: number): string {
  const cents = shippingPrice(shipping, method, subtotal);
  // Without a provider nothing ships before the payment is arranged, so no day is named.
  return `${shipping[method].name} ${transitWords(shipping, method)} ${cents === 0 ? "FREE" : formatMoney(cents)}`;
}

const errors = {
  Email: "Invalid email address",
  Phone: "Phone number must be at least 10 digits",
  "First name": "First name is required",
  "Last name": "Last name is required",
  "Address line 1": "Address is required",
  City: "City is required",
  State: "State is required",
  "ZIP code": "Postal code must be at least 5 digits",
};

const answers = {
  Phone: "+1 (212) 555-0100",
  "First name": "Ada",
  "Last name": "Lovelace",
  "Address line 1": "12 Analytical Ave",
  "Address line 2": "Floor 3",
  City: "New York",
  "ZIP code": "10001",
};

type Mail = { to: string; subject: string; text: string; html: string; links: string[]; sentAt: string };

async function mailTo(request: APIRequestContext, address: string): Promise<Mail[]> {
  const messages = (await (await request.get("/mailbox.json")).json()) as Mail[];
  return messages.filter(({ to }) => to === address);
}

test("a guest finds a bowl, buys it, and sees the confirmation", async ({ page, database }) => {
  const email = someEmail();
  const stockBefore = await unitsOf(database, bowl.slug);
  const main = page.getByRole("main");

  await test.step("home leads to the shop", async () => {
    await open(page, "/");
    await expect(cartLink(page, 0)).toBeVisible();
    await page.getByRole("link", { name: "Pre-Order" }).click();
    await expect(page).toHaveURL("/shop");
    await expect(page.getByRole("heading", { level: 1, name: "Shop Polara" })).toBeVisible();
  });

  await test.step("the shop narrows down to the bowl", async () => {
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("Price: Low to High");
    await expect(page).toHaveURL(/sort=price-asc/);
    const filters = await openFilters(page, false);
    await filters.getByRole("checkbox", { name: "Pro" }).check();
    await filters.getByRole("checkbox", { name: bowl.color }).check();
    await expect(page).toHaveURL(/category=Pro/);
    await expect(page.getByText("Showing 1 product", { exact: true })).toBeVisible();
    await main.getByRole("link", { name: bowl.name, exact: true }).click();
    await expect(page).toHaveURL(`/product/${bowl.slug}`);
  });

  await test.step("two of it go into the cart", async () => {
    await expect(page.getByRole("heading", { level: 1, name: bowl.name })).toBeVisible();
    await main.getByRole("button", { name: "Increase quantity" }).first().click();
    await main.getByRole("button", { name: "Add to Cart", exact: true }).first().click();
    await expectToast(page, "Added to cart", "Product has been added to your cart");
    await cartLink(page, 2).click();
    await expect(page).toHaveURL("/cart");
  });

  await test.step("the cart adds up, and a third one joins", async () => {
    const summary = page.getByRole("region", { name: "Order Summary" });
    await expect(summary).toContainText("Subtotal$198.00ShippingFREETaxCalculated at checkoutTotal$198.00");
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await expect(summary).toContainText("Subtotal$297.00ShippingFREETaxCalculated at checkoutTotal$297.00");
    await expect(cartLink(page, 3)).toBeVisible();
    await page.getByRole("link", { name: "Proceed to Checkout" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
  });

  await test.step("an empty form is answered field by field", async () => {
    const summary = page.getByRole("region", { name: "Order Summary" });
    await expect(summary).toContainText("TaxCalculated at checkout $0.00Total$297.00");
    await expect(page.getByText("Not filled in yet").first()).toBeHidden();
    await expect(page.getByRole("list", { name: "Checkout progress" }).getByRole("listitem")).toHaveText([
      "Contact",
      "Shipping",
      "Payment",
      "Review",
    ]);
    await expect(page.getByText("Payment will be available later.")).toBeVisible();
    await page.getByRole("button", { name: "Place Order" }).click();
    for (const [label, message] of Object.entries(errors)) {
      const field = page.getByLabel(label, { exact: true });
      await expect(field).toHaveAccessibleDescription(message);
      await expect(main.getByText(message, { exact: true })).toBeVisible();
    }
    await expect(page.getByLabel("Email", { exact: true })).toBeFocused();
  });

  const orderNumber = await test.step("a full form becomes an order", async () => {
    await page.getByLabel("Email", { exact: true }).fill(email);
    for (const [label, answer] of Object.entries(answers))
      await page.getByRole("textbox", { name: label }).fill(answer);
    await page.getByLabel("State", { exact: true }).selectOption("New York");
    await page.getByRole("checkbox", { name: "Remember this until I close my browser" }).check();
    await page
      .getByRole("radio", {
        name: shownMethod("express", 297_00),
        exact: true,
      })
      .check();
    for (const message of Object.values(errors)) await expect(main.getByText(message, { exact: true })).toBeHidden();

    const release = await holdBack(page, /\/checkout\.data/);
    await page.getByRole("button", { name: "Place Order" }).click();
    await expect(page.getByRole("button", { name: "Processing..." })).toBeVisible();
    release();
    await expectToast(page, "Order placed!", "Your order has been successfully placed.");
    await expect(page.getByRole("heading", { level: 1, name: "Thank you for your order" })).toBeVisible();
    return page.getByText("Order number").getByRole("strong").innerText();
  });

  await test.step("home again after two seconds, with an empty cart and less stock", async () => {
    await expect(page).toHaveURL("/");
    await expect(cartLink(page, 0)).toBeVisible();
    expect(await unitsOf(database, bowl.slug)).toBe(stockBefore - 3);
  });

  await test.step("the confirmation arrives", async () => {
    await expect.poll(() => mailTo(page.request, email), { intervals: [200] }).toHaveLength(1);
    const [mail] = await mailTo(page.request, email);
    expect(mail?.subject).toBe(`Your Polara order ${orderNumber}`);
    expect(mail?.text).toContain(`3 x ${bowl.name}  $297.00`);
    expect(mail?.text).toContain(`Total: ${formatMoney(297_00 + shippingPrice(shipping, "express", 297_00))}`);
    expect(mail?.text).toContain(`Express Shipping (${transitWords(shipping, "express")}) to your address in New York`);
    await open(page, "/mailbox");
    await expect(page.getByText(`Your Polara order ${orderNumber}`, { exact: true })).toBeVisible();
  });

  await test.step("the next checkout remembers", async () => {
    await fillCart(page, database, "ethylene-filter-2-pack");
    await open(page, "/checkout");
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
    for (const [label, answer] of Object.entries(answers)) {
      await expect(page.getByRole("textbox", { name: label })).toHaveValue(answer);
    }
    await expect(page.getByLabel("State", { exact: true })).toHaveValue("NY");
    await expect(page.getByRole("radio", { name: shownMethod("standard", 24_00), exact: true })).toBeChecked();
    await page.getByRole("radio", { name: shownMethod("overnight", 24_00), exact: true }).check();
    await expect(
      page
        .getByText(formatMoney(24_00 + shippingPrice(shipping, "overnight", 24_00)))
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
  });
});
