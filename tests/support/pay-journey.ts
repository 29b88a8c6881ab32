import type { Page } from "@playwright/test";
import type { Pool } from "pg";
import { checkOut, expect, fillAddress, someEmail } from "./journey.ts";
import { payOnPage, type PaysWith } from "./pay-page.ts";
import { postForm, productId } from "./screens.ts";

type Paying = { url: string; pool: Pool };

export async function putInCart(
  page: Page,
  { url, pool }: Paying,
  slug = "travel-sleeve",
  quantity = 1,
): Promise<void> {
  const response = await page.request.post("/cart/add", {
    form: { productId: await productId(pool, slug), quantity },
    headers: { Origin: url, Accept: "text/html" },
  });
  expect(response.ok()).toBe(true);
}

/** Orders the cart and pays by card the short way, as forms without a page. Returns the order's id. */
export async function orderAndPay(page: Page, { url }: Paying, email: string, by?: PaysWith): Promise<string> {
  const { location } = await payOnPage((await checkOut(page, url, email)).url(), by);
  const back = await page.request.get(location ?? "");
  // The word about it is for those who see the next page.
  await postForm(page.request, url, "/personal", { shown: "order-placed" });
  return /\/orders\/([0-9a-f-]{36})/.exec(back.url())?.[1] ?? "";
}

/** Orders the cart, up to the payment page. Returns the email. */
export async function order(page: Page): Promise<string> {
  await page.goto("/checkout");
  return sendCheckout(page);
}

/** Fills in the checkout as it stands, up to the payment page. Returns the email. */
export async function sendCheckout(page: Page): Promise<string> {
  const email = someEmail();
  await fillAddress(page, { Email: email });
  await page.getByRole("button", { name: /^Continue to Payment, \$/ }).click();
  await expect(page.getByText("Test mode")).toBeVisible();
  return email;
}

export async function payBy(page: Page, number: string, press: string | RegExp = /^Pay \$/): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 40");
  await page.getByLabel("Security code").fill(number.length === 15 ? "1234" : "123");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
  await page.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: press }).click();
}
