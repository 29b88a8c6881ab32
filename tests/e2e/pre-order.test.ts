/** Pre-orders from home to the charge two months later, on a shop whose clock is moved. */
import type { Page } from "@playwright/test";
import type { Pool } from "pg";
import { openDatabase } from "#db/connection.server.ts";
import { createDatabase } from "../support/database.setup.ts";
import { expect, expectAccessible, fillAddress, MODES, someEmail, test as journey } from "../support/journey.ts";
import { emailTo } from "../support/mailbox.ts";
import { productId } from "../support/screens.ts";
import { freePort, startShop } from "../support/shop.ts";
import { makeStaff } from "../support/staff-member.ts";
import { AUTH_SECRET } from "../support/use-shop.ts";

const DAYS = 60;
const [LATER, NOW] = ["polara-pro-earth-green", "charging-dock"];

type Trial = {
  pool: Pool;
  url: string;
  /** The shop starts again on the same data, days ahead. The page is left, because it would load from a stopped shop. */
  goTo(days: number, page: Page): Promise<void>;
  /** Ships what is left, or only `units` ("LINE:UNITS"), and waits for the charge. */
  ship(orderId: string, units?: string[]): Promise<void>;
};

const test = journey.extend<{ trial: Trial }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here.
  trial: async ({}, use) => {
    const database = await createDatabase(process.env.E2E_SERVER ?? "", process.env.E2E_TEMPLATE ?? "");
    const PORT = String(await freePort());
    const env = { PORT, DATABASE_URL: database.url, AUTH_SECRET, PAYMENTS: "sandbox" };
    const { db, pool } = openDatabase(database.url, 2, null);
    await pool.query(
      "UPDATE products SET ships_from = (now() AT TIME ZONE 'America/New_York')::date + $1::int WHERE category = 'Pro'",
      [DAYS],
    );
    let shop = await startShop(env);
    let parcels = 0;
    await use({
      pool,
      url: shop.url,
      async goTo(days, page) {
        await page.goto("about:blank");
        await shop.stop();
        shop = await startShop({ ...env, CLOCK_OFFSET: `${days}d` });
      },
      async ship(orderId, units = []) {
        const at = { url: shop.url, secret: AUTH_SECRET };
        const { visitor: packer } = await makeStaff({ db, pool }, at, "packer");
        const body = new URLSearchParams(units.map((each) => ["units", each]));
        body.set("tracking", `1Z999AA1${String(++parcels).padStart(10, "0")}`);
        const headers = { Origin: shop.url, Accept: "text/html" };
        const answer = await packer.fetch(`/admin/orders/${orderId}?intent=ship`, { method: "POST", body, headers });
        expect(answer.status).toBeLessThan(500);
        // A charge that the jobs send at the same moment is still on its way.
        const underway = () => pool.query("SELECT id FROM payment_actions WHERE state IN ('asked', 'sent')");
        await expect.poll(async () => (await underway()).rows).toEqual([]);
      },
    });
    await pool.end();
    await shop.stop();
    await database.drop();
  },
  baseURL: async ({ trial }, use) => use(trial.url),
});

// A declined card and a closed page are answered with 402 and 410.
test.beforeEach(({ expectErrors }) => expectErrors(/status of (402|410)/));

const MOVED = {
  "First name": "Ada",
  "Last name": "Lovelace",
  "Address line 1": "1 Other Street",
  City: "Brooklyn",
  "ZIP code": "11201",
};

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function putInCart(page: Page, { pool, url }: Trial, slugs: string[]): Promise<void> {
  for (const slug of slugs) {
    const form = { productId: await productId(pool, slug), quantity: 1 };
    await page.request.post("/cart/add", { form, headers: { Origin: url, Accept: "text/html" } });
  }
}

async function fillCard(page: Page, number: string, press: RegExp | string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expires").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
  await page.getByLabel("Name on card").fill("Ada Lovelace");
  await page.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: press }).click();
}

/** Orders the cart with a card that is saved. Returns the order's id. */
async function preOrder(page: Page, { card = "4242424242424242", email = someEmail() } = {}): Promise<string> {
  await page.goto("/checkout");
  await expect(page.getByText(/^Next, you’ll save your card/)).toContainText(
    "You won’t be charged today. We charge your card when each package ships",
  );
  await expect(page.getByText("You won’t be charged today.")).toHaveCount(1);
  await fillAddress(page, { Email: email });
  await page.getByRole("button", { name: "Continue to Save Your Card" }).click();
  await expect(page.getByText("Your card is saved and nothing is charged now.")).toBeVisible();
  await fillCard(page, card, "Save card");
  await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}/);
  await expect(heading(page)).toHaveText("We’re getting it ready");
  return /[0-9a-f-]{36}/.exec(page.url())![0];
}

const linesOf = async ({ pool }: Trial, orderId: string) =>
  (await pool.query<{ id: string; name: string }>("SELECT id, name FROM order_items WHERE order_id = $1", [orderId]))
    .rows;
const capturedOf = async ({ pool }: Trial, orderId: string) => {
  const { rows } = await pool.query<{ captured: number; total: number }>(
    "SELECT total, (SELECT coalesce(sum(captured), 0)::int FROM payments WHERE order_id = orders.id) AS captured FROM orders WHERE id = $1",
    [orderId],
  );
  return rows[0]!;
};

for (const { mode, javaScriptEnabled, tag } of MODES) {
  test.describe(mode, { tag }, () => {
    test.use({ javaScriptEnabled });
    const settled = async (page: Page) => javaScriptEnabled && expectAccessible(page);

    test("a pre-order from home is charged as it ships, to an address that has changed", async ({ page, trial }) => {
      await page.goto("/");
      await expect(page.getByText(/^Ships from /).first()).toBeVisible();
      await page.getByRole("main").getByRole("link", { name: "Pre-Order" }).first().click();
      await page.getByRole("main").getByRole("link", { name: "Polara Pro Earth Green" }).first().click();
      await expect(page).toHaveURL("/product/polara-pro-earth-green");
      await expect(page.getByText(/^Ships from /).first()).toBeVisible();
      await page.getByRole("button", { name: "Add to Cart" }).first().click();
      if (javaScriptEnabled) await expect(page.getByRole("link", { name: "Cart, 1 item" })).toBeVisible();
      else await expect(page).toHaveURL("/cart");
      const email = someEmail();
      const orderId = await preOrder(page, { email });
      await expect(page.getByText(/^Visa •••• 4242 saved, charged when it ships/)).toBeVisible();
      await settled(page);

      await trial.goTo(DAYS - 3, page);
      const { links } = await emailTo(trial.url, email, "ships on");
      await page.goto(links.find((link) => link.endsWith("&intent=address")) ?? "");
      const form = page.getByRole("region", { name: "Change the delivery address" });
      for (const [label, value] of Object.entries(MOVED)) await form.getByLabel(label, { exact: true }).fill(value);
      await settled(page);
      await form.getByRole("button", { name: "Change address" }).click();
      await expect(page.getByText("Address changed").first()).toBeVisible();
      await expect(page.getByText("NY 112••")).toBeVisible();
      expect((await emailTo(trial.url, email, "has changed")).text).toContain("to A••• L•••, NY 112••");

      expect((await capturedOf(trial, orderId)).captured).toBe(0);
      await trial.ship(orderId);
      await page.goto(`/orders/${orderId}`);
      await expect(heading(page)).toHaveText("On its way");
      await expect(page.getByRole("link", { name: "Change address" })).toHaveCount(0);
      const { captured, total } = await capturedOf(trial, orderId);
      expect(captured).toBe(total);
      await settled(page);
    });

    test("a card that is refused weeks later is replaced by a payment", async ({ page, trial }) => {
      await putInCart(page, trial, [LATER]);
      const orderId = await preOrder(page, { card: "4000000000000341" });
      await trial.goTo(DAYS - 1, page);
      await trial.ship(orderId);
      await page.goto(`/orders/${orderId}`);
      await expect(heading(page)).toHaveText("We need your payment");
      await settled(page);
      await page.getByRole("button", { name: "Pay now" }).click();
      await fillCard(page, "4242424242424242", /^Pay \$/);
      await expect(heading(page)).toHaveText("We’re getting it ready");
      await trial.ship(orderId);
      await page.goto(`/orders/${orderId}`);
      await expect(heading(page)).toHaveText("On its way");
      const { captured, total } = await capturedOf(trial, orderId);
      expect(captured).toBe(total);
    });
  });
}

test(
  "a mixed cart is one order whose two packages are charged as each ships",
  { tag: "@phone" },
  async ({ page, trial }) => {
    await putInCart(page, trial, [LATER, NOW]);
    const orderId = await preOrder(page);
    const lines = await linesOf(trial, orderId);
    await trial.ship(
      orderId,
      lines.map(({ id, name }) => `${id}:${name === "Charging Dock" ? 1 : 0}`),
    );
    await page.goto(`/orders/${orderId}`);
    await expect(heading(page)).toHaveText("Partly on its way");
    await expect(page.getByText(/The rest ships by /)).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "The rest ships" })).toContainText(/By \w+ \d+/);
    const first = await capturedOf(trial, orderId);
    expect(first.captured).toBeGreaterThan(0);
    expect(first.captured).toBeLessThan(first.total);
    await expectAccessible(page);
    await trial.goTo(DAYS - 1, page);
    await trial.ship(orderId);
    await page.goto(`/orders/${orderId}`);
    await expect(heading(page)).toHaveText("On its way");
    const { captured, total } = await capturedOf(trial, orderId);
    expect(captured).toBe(total);
  },
);
