import { returnPolicy, warrantyPolicy } from "../../shop/policies.ts";
import { cartLink, expect, expectAccessible, expectToast, holdBack, open, test } from "../support/journey.ts";

test("home says what the shop promises", async ({ page }) => {
  await open(page, "/");
  const main = page.getByRole("main");
  const heading = (name: string | RegExp) => main.getByRole("heading", { name });

  await expect(page).toHaveTitle(/Polara/);
  await expect(main.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(main.getByRole("link", { name: "Pre-Order" })).toHaveAttribute("href", "/shop");
  await expect(main.getByRole("link", { name: "How It Works", exact: true })).toHaveAttribute("href", "/how-it-works");

  const why = page.getByRole("region", { name: "Why Choose Polara" });
  await expect(why.getByRole("listitem")).toHaveCount(3);
  await expect(why.getByRole("heading", { level: 3 })).toHaveText([
    "Smart Cooling Control",
    "Ethylene Gas Absorption",
    "Eco-Friendly Design",
  ]);

  const shelfLife = page.getByRole("region", { name: "One week becomes three" });
  await expect(shelfLife.getByRole("row")).toHaveCount(6);
  await expect(shelfLife.getByRole("row", { name: "Ripe tomatoes 7 about 21" })).toBeAttached();
  await expect(shelfLife.getByRole("figure")).toContainText("our own claim of about 3x longer");
  await expect(shelfLife.getByRole("link", { name: "FoodKeeper" })).toHaveAttribute("href", /foodsafety\.gov/);

  const window = page.getByRole("region", { name: "Pro", exact: true });
  await expect(window.getByRole("radio")).toHaveCount(3);
  await expect(window.getByRole("button", { name: "Add to Cart" })).toBeVisible();
  await expect(window.getByRole("button", { name: "Compare Models" })).toBeVisible();
  await expect(window).toContainText("$99.00");
  await expect(window).toContainText("$129.00");
  await expect(window).toContainText("Today Only");
  await expect(window).toContainText("$30.00");
  await expect(window).toContainText("$149.00");
  await expect(window.getByText("Early Bird Ends In", { exact: true })).toBeVisible();
  for (const unit of ["Days", "Hours", "Minutes", "Seconds"]) {
    await expect(window.getByText(unit, { exact: true })).toBeVisible();
  }

  const gallery = page.getByRole("region", { name: "At home wherever you eat" });
  await expect(gallery.getByRole("img")).toHaveCount(4);
  const [learnMore, buy] = [
    gallery.getByRole("link", { name: "Learn More" }),
    gallery.getByRole("link", { name: "Buy" }),
  ];
  await expect(learnMore).toHaveCount(4);
  await expect(buy).toHaveCount(4);
  for (let i = 0; i < 4; i++) {
    await expect(learnMore.nth(i)).toHaveAttribute("href", "/how-it-works");
    await expect(buy.nth(i)).toHaveAttribute("href", "/shop");
  }

  await expect(heading(/^20,000\+ have joined the waitlist$/)).toBeVisible();

  const closing = page.getByRole("region", { name: "Get Yours Before It's Gone" });
  await expect(closing.getByRole("link")).toHaveAttribute("href", "/shop");
  await expect(closing.getByRole("heading", { level: 3 })).toHaveText([
    "Free Shipping",
    `${returnPolicy.returnDays}-Day Returns`,
    `${warrantyPolicy.partsWarrantyYears}-Year Warranty`,
  ]);

  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectAccessible(page);
});

test("a color changes the picture, the product and what goes into the cart", async ({ page }) => {
  await open(page, "/");
  const window = page.getByRole("region", { name: "Pro", exact: true });
  await expect(window.getByRole("radio", { name: "Midnight Black" })).toBeChecked();
  await expect(window.getByRole("img", { name: /^Polara Pro Midnight Black/ })).toBeVisible();

  await window.getByRole("radio", { name: "Midnight Black" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(window.getByRole("radio", { name: "Earth Green" })).toBeChecked();
  await expect(window.getByRole("img", { name: /^Polara Pro Earth Green/ })).toBeVisible();
  await expect(window.getByText("In Stock", { exact: true })).toBeVisible();

  await window.getByRole("radio", { name: "Frost White" }).locator("..").click();
  await expect(window.getByRole("img", { name: /^Polara Pro Frost White/ })).toBeVisible();
  await expect(window.getByRole("img", { name: /^Polara Pro Earth Green/ })).toHaveCount(0);
  await expect(window.getByText("Only 7 left", { exact: true })).toBeVisible();
  await expect(window.getByRole("link", { name: "See all details" })).toHaveAttribute(
    "href",
    "/product/polara-pro-frost-white",
  );

  const release = await holdBack(page, /\/cart\/add/);
  await window.getByRole("button", { name: "Add to Cart" }).click();
  await expect(window.getByRole("button", { name: "Adding..." })).toBeVisible();
  release();
  await expectToast(page, "Added to cart", "Product has been added to your cart");
  await expect(window.getByRole("button", { name: "Add to Cart" })).toBeVisible();
  await cartLink(page, 1).click();
  await expect(page.getByRole("main").getByRole("link", { name: "Polara Pro Frost White" })).toBeVisible();
});

test("the countdown ticks down to the end of the early bird", async ({ page, database }) => {
  await open(page, "/");
  const timer = page.getByRole("region", { name: "Pro", exact: true }).getByRole("timer");
  const secondsLeft = async () => {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = (await timer.innerText()).match(/\d+/g)?.map(Number) ?? [];
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  };
  const { rows } = await database.query<{ left: number }>(
    "SELECT extract(epoch FROM early_bird_end_date - now())::float AS left FROM products WHERE slug = 'polara-pro-midnight-black'",
  );
  await expect.poll(secondsLeft).toBeGreaterThan(0);
  const first = await secondsLeft();
  expect(Math.abs(first - (rows[0]?.left ?? 0))).toBeLessThan(5);
  await expect.poll(secondsLeft).toBeLessThan(first);
  await expect(timer).toHaveAttribute("aria-live", "off");
});

test("the models stand side by side in a dialog that keeps the focus", { tag: "@both" }, async ({ page }) => {
  await open(page, "/");
  const compare = page.getByRole("button", { name: "Compare Models" });
  await compare.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Compare Models" });
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText("Active, 70–95%");
  await expect(dialog).toContainText("Passive vent");
  await expect(dialog).not.toContainText("_");
  await expectAccessible(page);

  // Between its last and its first element the focus belongs to the browser's own frame.
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("Tab");
    const isInside = await dialog.evaluate(
      (element) => element.contains(document.activeElement) || document.activeElement === document.body,
    );
    expect(isInside).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(compare).toBeFocused();

  await compare.click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
});

test("a heart on home is remembered", async ({ page }) => {
  await open(page, "/");
  const window = page.getByRole("region", { name: "Pro", exact: true });
  await window.getByRole("button", { name: /^Add to Wishlist/ }).click();
  await expectToast(page, "Added to wishlist");
  await expect(window.getByRole("button", { name: /^In Wishlist/ })).toBeVisible();
  await open(page, "/");
  await expect(window.getByRole("button", { name: /^In Wishlist/ })).toBeVisible();
});

test("the testimonials turn", { tag: "@both" }, async ({ page }) => {
  await open(page, "/");
  const carousel = page.getByRole("region", { name: "What people on the waitlist say" });
  const [previous, next] = [
    carousel.getByRole("button", { name: "Previous" }),
    carousel.getByRole("button", { name: "Next" }),
  ];
  await expect(carousel.getByRole("figure")).toHaveCount(6);
  await expect(carousel.getByRole("img", { name: "5 out of 5 stars" })).toHaveCount(6);
  await expect(previous).toBeDisabled();
  await next.click();
  await expect(carousel.getByRole("figure").first()).not.toBeInViewport({ ratio: 0.75 });
  await expect(previous).toBeEnabled();
  await carousel.getByRole("list").focus();
  await page.keyboard.press("End");
  await previous.click();
  await expect(next).toBeEnabled();
});
