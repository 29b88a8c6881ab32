import type { Page } from "@playwright/test";
import type { Pool } from "pg";
import { expect, fillAddress, someEmail } from "./journey.ts";
import { productId } from "./screens.ts";

export async function putInCart(page: Page, { url, pool }: { url: string; pool: Pool }): Promise<void> {
  const response = await page.request.post("/cart/add", {
    form: { productId: await productId(pool, "travel-sleeve"), quantity: 1 },
    headers: { Origin: url, Accept: "text/html" },
  });
  expect(response.ok()).toBe(true);
}

/** Orders the cart, up to the payment page. Returns the email. */
export async function order(page: Page): Promise<string> {
  const email = someEmail();
  await page.goto("/checkout");
  await fillAddress(page, { Email: email });
  await page.getByRole("button", { name: /^Continue to Payment, \$/ }).click();
  await expect(page.getByText("Test mode")).toBeVisible();
  return email;
}

export async function payBy(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 40");
  await page.getByLabel("Security code").fill(number.length === 15 ? "1234" : "123");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
  await page.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}
