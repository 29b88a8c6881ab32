import { returnPolicy, warrantyPolicy } from "#shop/policies.ts";
import { cartLink, expect, expectToast, holdBack, open, test } from "../support/journey.ts";

test("home, from its claims to the cart", async ({ page, database }) => {
  // The waitlist popup would open after half a minute.
  await page.addInitScript(() => localStorage.setItem("polara:waitlist", "closed"));
  await open(page, "/");
  const main = page.getByRole("main");
  const featured = page.getByRole("region", { name: "Pro", exact: true });

  await test.step("sections, claims and links", async () => {
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    await expect(page).toHaveTitle(/Polara/);
    await expect(main.getByRole("heading", { level: 1 })).toHaveCount(1);
    for (const [link, name, href, count] of [
      [main, "Pre-Order", "/shop", 1],
      [main, "How It Works", "/how-it-works", 1],
      [region("At Home Anywhere You Eat"), "Learn More about how it works", "/how-it-works", 4],
      [region("At Home Anywhere You Eat"), "Buy", "/shop", 4],
      [region("Get Yours Before It's Gone"), "Shop Polara", "/shop", 1],
    ] as const) {
      const links = link.getByRole("link", { name, exact: true });
      await expect(links).toHaveCount(count);
      for (const one of await links.all()) await expect(one).toHaveAttribute("href", href);
    }
    for (const [name, headings] of [
      ["Why Choose Polara", ["Smart Cooling Control", "Ethylene Gas Absorption", "Eco-Friendly Design"]],
      [
        "Get Yours Before It's Gone",
        [
          "Free Shipping",
          `${returnPolicy.returnDays}-Day Returns`,
          `${warrantyPolicy.partsWarrantyYears}-Year Warranty`,
        ],
      ],
    ] as const)
      await expect(region(name).getByRole("heading", { level: 3 })).toHaveText([...headings]);

    await expect(main.getByText("the air around your produce. From $89.")).toBeVisible();
    await expect(main.getByText(/^In stock\. Nothing to pay today\. \d+-day returns\.$/)).toBeVisible();

    const shelfLife = region("Why Not My Refrigerator?");
    await expect(shelfLife.getByRole("row", { name: /^Basil at 50°F 5 3 7 / })).toBeAttached();
    await shelfLife.getByText("Sources", { exact: true }).click();
    await expect(shelfLife.getByRole("link", { name: "foodsafety.gov" })).toHaveAttribute("href", /foodsafety\.gov/);

    for (const text of ["$99.00", "$129.00", "Today Only", "Save $30.00", "$149.00 after ", "Early Bird Ends In"])
      await expect(featured).toContainText(text);
    for (const unit of ["Days", "Hours", "Minutes", "Seconds"])
      await expect(featured.getByText(unit, { exact: true })).toBeVisible();
    await expect(main.getByRole("heading", { name: "20,000+ Have Joined the Waitlist" })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("the countdown runs to the end of the early bird", async () => {
    const timer = featured.getByRole("timer");
    const secondsLeft = async () => {
      const [days = 0, hours = 0, minutes = 0, seconds = 0] =
        (await timer.innerText()).match(/\d+/g)?.map(Number) ?? [];
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

  await test.step("Compare Models opens a dialog, and returns the focus", async () => {
    const compare = page.getByRole("button", { name: "Compare Models" });
    await compare.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Compare Models" });
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText("Active, 70–95%");
    await expect(dialog).toContainText("Passive vent");
    await expect(dialog).toContainText(/Weight4\.6 lb/i);
    await expect(dialog).not.toContainText("_");
    await expect(dialog.getByRole("link", { name: "Choose Classic" })).toHaveAttribute("href", /polara-classic/);
    // The Pro's price takes more lines.
    const buttons = await dialog.getByRole("link", { name: /^Choose / }).all();
    const [pro, classic] = await Promise.all(buttons.map((button) => button.boundingBox()));
    expect(pro!.y).toBe(classic!.y);

    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(compare).toBeFocused();

    await compare.click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("the testimonials turn by buttons", async () => {
    const carousel = page.getByRole("region", { name: "What people on the waitlist say" });
    const [previous, next] = [
      carousel.getByRole("button", { name: "Previous" }),
      carousel.getByRole("button", { name: "Next" }),
    ];
    await expect(carousel.getByRole("figure")).toHaveCount(6);
    await expect(carousel.getByRole("img", { name: "5 out of 5 stars" })).toHaveCount(6);
    await expect(carousel.getByRole("img", { name: /^Portrait of \w+/ })).toHaveCount(6);
    await expect(previous).toBeDisabled();
    await next.click();
    await expect(carousel.getByRole("figure").first()).not.toBeInViewport({ ratio: 0.75 });
    await expect(previous).toBeEnabled();
    await carousel.getByRole("list").focus();
    await expect(async () => {
      await page.keyboard.press("ArrowRight");
      await expect(next).toBeDisabled({ timeout: 1000 });
    }).toPass();
    await previous.click();
    await expect(next).toBeEnabled();
  });

  await test.step("a guest's heart is stored", async () => {
    await featured.getByRole("button", { name: /^Add to Wishlist/ }).click();
    await expectToast(page, "Added to wishlist");
    await expect(featured.getByRole("button", { name: /^In Wishlist/ })).toBeVisible();
    await open(page, "/");
    await expect(featured.getByRole("button", { name: /^In Wishlist/ })).toBeVisible();
  });

  await test.step("a color changes the picture, the product and what is added to the cart", async () => {
    await expect(featured.getByRole("radio", { name: "Midnight Black" })).toBeChecked();
    await expect(featured.getByRole("img", { name: /^Polara Pro Midnight Black/ })).toBeVisible();

    await featured.getByRole("radio", { name: "Midnight Black" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(featured.getByRole("radio", { name: "Earth Green" })).toBeChecked();
    await expect(featured.getByRole("img", { name: /^Polara Pro Earth Green/ })).toBeVisible();
    await expect(featured.getByText("In Stock", { exact: true })).toBeVisible();

    await featured.getByRole("radio", { name: "Frost White" }).locator("..").click();
    await expect(featured.getByRole("img", { name: /^Polara Pro Frost White/ })).toBeVisible();
    await expect(featured.getByRole("img", { name: /^Polara Pro Earth Green/ })).toHaveCount(0);
    await expect(featured.getByText("Only 7 left", { exact: true })).toBeVisible();
    await expect(featured.getByRole("link", { name: "See all details" })).toHaveAttribute(
      "href",
      "/product/polara-pro-frost-white",
    );

    const release = await holdBack(page, /\/cart\/add/);
    await featured.getByRole("button", { name: "Add to Cart" }).click();
    await expect(featured.getByRole("button", { name: "Adding..." })).toBeVisible();
    release();
    await expectToast(page, "Added to cart", "Product has been added to your cart");
    await expect(featured.getByRole("button", { name: "Add to Cart" })).toBeVisible();
    await cartLink(page, 1).click();
    await expect(main.getByRole("link", { name: "Polara Pro Frost White" })).toBeVisible();
  });
});
