/** Accessibility and layout of every screen, with a year of orders. */
import { writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { Acting } from "#shop/audit/audit.server.ts";
import { createLetter } from "#shop/letters/letters.server.ts";
import { registerRequest } from "#shop/privacy/requests.server.ts";
import { addPhotos } from "#shop/returns/photos.server.ts";
import { requestReturn } from "#shop/returns/request.server.ts";
import { expect, test } from "../support/admin-journey.ts";
import { addressOf, ADMIN_SCREENS } from "../support/admin-screens.ts";
import { expectAccessible } from "../support/journey.ts";
import type { Office } from "../support/office.ts";

/** One of each kind by default, all at night. */
const KINDS = [
  "today",
  "orders",
  "order",
  "order-new",
  "return",
  "product",
  "text",
  "message",
  "customer",
  "letter",
  "discounts",
  "analytics",
  "settings",
  "staff-member",
  "go-live",
];
const OPENED = ADMIN_SCREENS.filter(({ name }) => process.env.NIGHTLY || KINDS.includes(name));

/** Output folder of `art/sheets.ts`. */
const PICTURES = process.env.OFFICE_PICTURES;

test.use({ hasDemo: true });

/** A claim with a photo, for the newest bowl that has arrived. */
async function claimWarranty({ db, pool }: Office, by: Acting) {
  const { rows } = await pool.query<{ orderId: string; lineId: string }>(
    `SELECT orders.id AS "orderId", i.id AS "lineId" FROM orders JOIN order_items i ON order_id = orders.id
     JOIN order_units AS unit ON order_item_id = i.id
     JOIN shipment_units AS packed ON packed.order_id = unit.order_id AND packed.unit = number JOIN products ON products.id = product_id
     WHERE status = 'delivered' AND email <> '' AND category <> 'Accessories' ORDER BY orders.created_at DESC LIMIT 1`,
  );
  const { orderId, lineId } = rows[0]!;
  const description = "It stays dark, whatever I press. The cable is the one that came with it.";
  const claim = { kind: "warranty", reason: "power", description, formKey: randomUUID() } as const;
  const asked = await requestReturn(db, null, orderId, { ...claim, units: { [lineId]: 1 } }, by);
  const photo = sharp({ create: { width: 600, height: 600, channels: 3, background: "#7b8467" } });
  if (asked.ok) await addPhotos(db, asked.returnId, [await photo.jpeg().toBuffer()]);
}

/** Tables wider than their place, and cells that cut their text. Messages are listed by their beginning. */
const cutTables = (page: Page) =>
  page.locator(".admin-scroll").evaluateAll((all) =>
    all
      .flatMap((one) => [one, ...one.querySelectorAll(":not([aria-label=Messages]) > * > tr > *")])
      // Both are rounded.
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(
        (one) =>
          `${innerWidth} px, ${one.closest(".admin-scroll")?.querySelector("table")?.ariaLabel}: ${one.scrollWidth} of ${one.clientWidth} px of ${one.textContent.slice(0, 60)}`,
      ),
  );

/** Choices of filters that are narrower than their words, without need. */
const cutChoices = (page: Page) =>
  page.locator("form[role=search] select:visible").evaluateAll((all: HTMLSelectElement[]) =>
    all.flatMap((one) => {
      const shown = one.offsetWidth;
      one.style.cssText = "flex: none; width: max-content; max-width: 100%";
      const needed = one.offsetWidth;
      one.style.cssText = "";
      return needed > shown ? [`${one.ariaLabel}: ${shown} of ${needed} px`] : [];
    }),
  );

test("screens are accessible and fit, with a year of orders", async ({ page, office }) => {
  test.setTimeout(240_000);
  const owner = await office.signIn(page, "owner", "Ada Lovelace");
  const by = { staffId: owner.staffId, role: owner.role, address: "203.0.113.7", requestId: null };
  const details = { kind: "data", law: "gdpr", channel: "letter", email: "grace@example.com", note: null } as const;
  await registerRequest(office.db, by, { ...details, receivedOn: new Date() }, "a secret of this test");
  await createLetter(office.db, by, { subject: "The picnic basket fits a bowl" });
  await claimWarranty(office, by);
  // The longest flag.
  await office.pool.query(
    "UPDATE payments SET capture_before = now() + interval '2 days' WHERE capture_before IS NOT NULL",
  );
  const cut: unknown[] = [];
  for (const screen of OPENED) {
    await test.step(screen.name, async () => {
      const address = await addressOf(office.pool, screen);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await expectAccessible(page);
      cut.push(...(await cutTables(page)));
      if (PICTURES) writeFileSync(`${PICTURES}/${screen.name}.png`, await page.screenshot());
      for (const width of [1024, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        await expect.poll(isWide, `${address} at ${width} px scrolls sideways`).toBe(false);
        cut.push(...(await cutTables(page)));
        if (width === 390) cut.push(...(await cutChoices(page)));
        if (width === 390 && screen.isForPhones) {
          await expectAccessible(page);
          if (PICTURES) writeFileSync(`${PICTURES}/${screen.name}-phone.png`, await page.screenshot());
        }
      }
    });
  }
  expect(cut, "what is cut at 1440, 1024 or 390 px").toEqual([]);
});

test("tables and search work by keyboard, with forced colors and at 200%", async ({ page, office }) => {
  await office.signIn(page, "owner");
  await page.emulateMedia({ forcedColors: "active" });
  // 1440 px at 200% is a page of 720.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.goto("/admin/orders");
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  const first = page.locator("tr[data-current]");
  // K selects the first row, once hydrated.
  await expect(async () => {
    await page.keyboard.press("k");
    await expect(first).toHaveCount(1, { timeout: 500 });
  }).toPass();
  const name = await first.getByRole("link").first().innerText();
  await page.keyboard.press("x");
  await expect(first.getByRole("checkbox")).toBeChecked();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await page.keyboard.press("Control+k");
  const box = page.getByRole("dialog", { name: "Search" });
  await box.getByRole("searchbox").pressSequentially("polara pro");
  await expect(box.getByRole("link", { name: /Polara Pro Earth Green/ })).toBeVisible();
  await page.keyboard.press("Enter");
  const typed = page.getByRole("searchbox", { name: "Search the back office" });
  await expect(typed).toHaveValue("polara pro");
  // The next word replaces the first.
  await page.keyboard.press("Control+k");
  await box.getByRole("searchbox").pressSequentially("polara cl");
  await page.keyboard.press("Enter");
  await expect(typed).toHaveValue("polara cl");
  await page.keyboard.press("Control+k");
  await box.getByRole("searchbox").pressSequentially("polara pro");
  await expect(box.getByRole("link", { name: /Polara Pro Earth Green/ })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin\/products\//);
  // The only result opens by Enter.
  await page.keyboard.press("Control+k");
  await box.getByRole("searchbox").pressSequentially(name);
  await expect(box.getByRole("link")).toContainText(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
});

test("a phone reaches the search from its menu", async ({ page, office }) => {
  await office.signIn(page, "packer");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin");
  await page.locator("summary", { hasText: "Menu" }).click();
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await expect(page.getByRole("searchbox", { name: "Search the back office" })).toBeVisible();
});
