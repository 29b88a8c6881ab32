/** A refund that the bank returns stays in sight until somebody has dealt with it. */
import { expect, shipAndRefund, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo } from "../support/mailbox.ts";
import { orderAndPay, putInCart } from "../support/pay-journey.ts";

test("a failed refund stays under payment issues until it is resolved", async ({ browser, office, page }) => {
  const staff = await (await browser.newContext({ baseURL: office.url })).newPage();
  await office.signIn(staff, "manager", "Mary Manager");
  await putInCart(page, office);
  const email = someEmail();
  const id = await orderAndPay(page, office, email, { number: "4000 0000 0000 5126" });
  const number = id.slice(0, 8);

  await test.step("a refund is done, and returned by the bank later", async () => {
    await staff.goto(`/admin/orders/${id}`);
    await shipAndRefund(staff, 88_101);
    await office.pool.query("UPDATE payment_sandbox.settings SET clock_offset = clock_offset + interval '5 minutes'");
    const { text } = await emailTo(office.url, email, "The refund for your Polara order");
    expect(text).toContain("Your bank didn’t accept the refund of $4.50");
  });

  await test.step("Today lists the order, and its page says what to do", async () => {
    await staff.goto("/admin");
    await staff
      .getByRole("region", { name: /^Payment issues/ })
      .getByRole("link", { name: number })
      .click();
    const failed = staff.getByRole("region", { name: "Refunds to give back" });
    await expect(failed).toContainText("did not reach the customer");
    await expectAccessible(staff);
    await failed.getByRole("button", { name: "Mark as resolved" }).click();
    await expect(failed.getByText("Enter how it was resolved")).toBeVisible();
    await failed.getByLabel("How it was resolved").fill("Sent a check");
    await failed.getByRole("button", { name: "Mark as resolved" }).click();
    await expect(failed.getByText("Marked as resolved.")).toBeVisible();
    await expect(staff.getByRole("region", { name: "Timeline" })).toContainText("Failed refund resolvedSent a check");
    await expect(staff.getByRole("region", { name: "Payment" })).toContainText("Refunded another way$4.50");
  });

  await test.step("then no list shows it, and the shopper sees what happened", async () => {
    await staff.goto("/admin/orders?view=problems");
    await expect(staff.getByRole("link", { name: number })).toHaveCount(0);
    await page.goto(`/orders/${id}`);
    await expect(page.getByText("Refund of $4.50 failed")).toBeVisible();
    await expect(page.getByText("so we’ve sent it another way")).toBeVisible();
  });
});
