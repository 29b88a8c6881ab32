/** A pre-order from home to its saved card, which its buyer has charged early. */
import { expect, test } from "../support/admin-journey.ts";
import { emailTo } from "../support/mailbox.ts";
import { fillAddress, someEmail } from "../support/journey.ts";
import { payBy } from "../support/pay-journey.ts";

test("a pre-order from home saves a card, and ships early once its buyer agrees", async ({ page, office }) => {
  const shipFrom = (day: string) => office.pool.query(`UPDATE products SET ships_from = ${day} WHERE category = 'Pro'`);
  await shipFrom("(now() AT TIME ZONE 'America/New_York')::date + 60");
  const heading = page.getByRole("heading", { level: 1 });
  await test.step("the card is saved, and nothing is charged", async () => {
    await page.goto("/");
    await expect(page.getByText(/^Ships [A-Z]/).first()).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Pre-Order" }).first().click();
    await page.getByRole("main").getByRole("link", { name: "Polara Pro Earth Green" }).first().click();
    await expect(page).toHaveURL("/product/polara-pro-earth-green");
    await expect(page.getByText(/^Ships [A-Z]/).first()).toBeVisible();
    await page.getByRole("button", { name: "Add to Cart" }).first().click();
    await expect(page.getByRole("link", { name: "Cart, 1 item" })).toBeVisible();
    await page.goto("/checkout");
    await expect(page.getByText(/^Next, you’ll save your card/)).toContainText(
      "You won’t be charged today. We’ll charge your card as each package ships",
    );
    await expect(page.getByText("You won’t be charged today.")).toHaveCount(1);
  });
  const email = someEmail();
  await fillAddress(page, { Email: email });
  await page.getByRole("button", { name: "Continue to Save Your Card" }).click();
  await expect(page.getByText("Your card is saved and nothing is charged now.")).toBeVisible();
  await payBy(page, "4242424242424242", "Save card");
  await expect(heading).toHaveText("We’re getting it ready");
  await expect(page.getByText(/^Visa •••• 4242 saved, charged when it ships/)).toBeVisible();
  const orderId = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? "";

  await test.step("staff announce that it can ship early, and the buyer does not wait for the day", async () => {
    await office.signIn(page, "manager");
    await page.goto(`/admin/orders/${orderId}`);
    await page.getByRole("region", { name: "Actions" }).getByText("Ship early").first().click();
    await expect(page.getByText(/^The customer is told the amount/)).toBeVisible();
    await page.getByRole("button", { name: "Ship early" }).click();
    await expect(page.getByText("Announced. It can ship in 3 days")).toBeVisible();
    const { text } = await emailTo(office.url, email, "ships on");
    await page.goto(/\S+intent=ship-now/.exec(text)?.[0] ?? "");
    const ask = page.getByRole("region", { name: "Ship it now?" });
    await expect(ask.getByText(/charge \$\d+\.\d\d to your Visa •••• 4242 when it ships/)).toBeVisible();
    await ask.getByRole("button", { name: "Ship it now" }).click();
    await expect(page.getByText("We’ll ship it now")).toBeVisible();
    await expect(page.getByRole("link", { name: "Ship it now" })).toHaveCount(0);
  });

  await shipFrom("NULL");
});
