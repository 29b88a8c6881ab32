import { expect, open, test } from "../support/journey.ts";

test("a link that leads nowhere ends at the server's 404 page", async ({ page, expectErrors }) => {
  expectErrors(/status of 404/, /^Page not found: \/nowhere\/at\/all /);
  await open(page, "/about");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>(".prose a[href='/science']");
    if (link) link.href = "/nowhere/at/all";
    link?.click();
  });
  await expect(page).toHaveURL("/nowhere/at/all");
  await expect(page).toHaveTitle("Page not found | Polara");
  expect(requests.filter((path) => path.includes("nowhere"))).toEqual(["document /nowhere/at/all"]);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Good Food Deserves More Time");
});

test("an unknown address is a 404 page that logs its path and has links", async ({ page, expectErrors }) => {
  expectErrors(/status of 404/, /^Page not found: /);
  const logged = page.waitForEvent("console", (message) => message.text().startsWith("Page not found: "));
  const response = await page.goto("/no/such-page");
  expect(response?.status()).toBe(404);
  expect((await logged).type()).toBe("error");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("404Oops! Page not found");
  await expect(page.getByText("404", { exact: true })).toBeVisible();
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Shop", exact: true })).toHaveAttribute("href", "/shop");
  await main.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("link", { name: "Pre-Order" })).toBeVisible();
});
