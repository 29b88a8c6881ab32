import { expect, expectAccessible, open, test } from "../support/journey.ts";

test("a link inside the shop that leads nowhere ends at the server's page, and back", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/status of 404/, /^Page not found: \/nowhere\/at\/all /);
  await open(page, "/about");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
  const logged = page.waitForEvent("console", (message) => message.text().includes("/nowhere/at/all"));
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>(".prose a[href='/science']");
    if (link) link.href = "/nowhere/at/all";
    link?.click();
  });
  expect((await logged).type()).toBe("error");
  await expect(page).toHaveURL("/nowhere/at/all");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("404Oops! Page not found");
  await expect(page).toHaveTitle("Page not found | Polara");
  // Its own script may know a part of the site map only; what it does not know it asks for once.
  expect(asked.filter((path) => path.includes("nowhere"))).toEqual(["document /nowhere/at/all"]);
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Good food deserves more time");
});

for (const path of ["/blog/no-such-post.md", "/%E0%A4%A", "/a/b/c/d"]) {
  test(`${path} is shown without a failure in the console`, async ({ page, expectErrors }) => {
    expectErrors(/status of 404/, /^Page not found: /);
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByText("Oops! Page not found", { exact: true })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Shop", exact: true }).click();
    await expect(page).toHaveURL("/shop");
  });
}
