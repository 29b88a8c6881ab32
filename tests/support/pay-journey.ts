/** From the cart to the payment sandbox's page, and what is typed there. */
import type { Page } from "@playwright/test";
import type { Pool } from "pg";
import { expect, someEmail } from "./journey.ts";
import { productId } from "./screens.ts";

/** The short way, as a form without a page. */
export async function putInCart(page: Page, { url, pool }: { url: string; pool: Pool }): Promise<void> {
  const response = await page.request.post("/cart/add", {
    form: { productId: await productId(pool, "travel-sleeve"), quantity: 1 },
    headers: { Origin: url, Accept: "text/html" },
  });
  expect(response.ok()).toBe(true);
}

/** Orders what is in the cart, up to the page where it is paid. Answers with the email that was given. */
export async function order(page: Page): Promise<string> {
  const email = someEmail();
  await page.goto("/checkout");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Phone").fill("2125550100");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Address line 1").fill("12 Analytical Ave");
  await page.getByLabel("City").fill("New York");
  await page.getByLabel("State").selectOption("NY");
  await page.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: "Place Order" }).click();
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
