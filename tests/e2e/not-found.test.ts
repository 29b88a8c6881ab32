import { expect, open, test } from "../support/journey.ts";

test("a link that leads nowhere ends at the server's 404 page, which logs its path and leads on", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/status of 404/, /^Page not found: \/nowhere\/at\/all /);
  await open(page, "/about");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
  const logged = page.waitForEvent("console", (message) => message.text().startsWith("Page not found: "));
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>(".prose a[href='/science']");
    if (link) link.href = "/nowhere/at/all";
    link?.click();
  });
  await expect(page).toHaveURL("/nowhere/at/all");
  await expect(page).toHaveTitle("Page not found | Polara");
  expect((await logged).type()).toBe("error");
  expect(requests.filter((path) => path.includes("nowhere"))).toEqual(["document /nowhere/at/all"]);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("404Oops! Page not found");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Shop", exact: true })).toHaveAttribute("href", "/shop");
  await page.goBack();
  await expect(heading).toHaveText("Good Food Deserves More Time");
  await page.goForward();
  await main.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("link", { name: "Pre-Order" })).toBeVisible();
});
