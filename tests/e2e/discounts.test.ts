import { expect, expectAccessible, expectToast, fillAddress, open, someEmail, test } from "../support/journey.ts";

test(
  "a code by link counts in cart and checkout, and can be changed there",
  { tag: "@phone" },
  async ({ page, database, expectErrors }) => {
    // A refused order.
    expectErrors(/status of 409/);
    const code = "TEN-OFF";
    await database.query("INSERT INTO discounts (code, name, kind, value) VALUES ($1, $1, 'percent', 10)", [code]);
    await open(page, `/discount/${code.toLowerCase()}?to=/product/travel-sleeve`);
    await expectToast(page, "Your code is saved", "It counts in your cart.");
    await page.getByRole("button", { name: "Add to Cart" }).first().click();
    await expectToast(page, "Added to cart", "");
    await open(page, "/cart");
    await expect(page.getByText(`Discount (${code})`)).toBeVisible();
    await expectAccessible(page);

    await open(page, "/checkout");
    await page.getByText("Show order summary").click();
    const field = page.getByRole("textbox", { name: "Discount code" });
    const email = someEmail();
    await fillAddress(page, { Email: email });
    await field.fill("");
    await field.press("Enter");
    await expect(page.getByText(`Discount (${code})`)).toHaveCount(0);
    await field.fill("no-such");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("We don’t know the code NO-SUCH. Check the spelling.")).toBeVisible();
    // Whoever types it and orders at once reads first what it does.
    await field.fill(code);
    await page.getByRole("button", { name: /^Place Order/ }).click();
    await expect(page.getByRole("alert")).toContainText(`We looked up ${code}.`);
    await expect(page.getByText(`Discount (${code})`)).toBeVisible();
    await page.getByRole("button", { name: /^Place Order/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Thank");
    const { rows } = await database.query("SELECT discount_name FROM orders WHERE email = $1", [email]);
    expect(rows).toEqual([{ discount_name: code }]);
  },
);
