/** Returns from the order's page to their end, in the back office and on the customer's page. */
import { randomUUID } from "node:crypto";
import { truncateSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import sharp from "sharp";
import { markDelivered } from "#shop/fulfillment/fulfill.server.ts";
import { requestReturn } from "#shop/returns/request.server.ts";
import { makeActor } from "../support/actors.ts";
import { expect, test } from "../support/admin-journey.ts";
import { expectAccessible, someEmail } from "../support/journey.ts";
import { emailTo } from "../support/mailbox.ts";
import { AUTH_SECRET, type Office } from "../support/office.ts";
import { orderAndPay, payBy, putInCart } from "../support/pay-journey.ts";
import { aParcel } from "../support/staff.ts";
import { makeStaff } from "../support/staff-member.ts";

const BOWL = "polara-classic-frost-white";

type Sides = {
  /** The customer's page, which shows the return between steps. */
  page: Page;
  /** The back office at the return. */
  staff: Page;
};

type Claim = {
  kind: string;
  /** Label of the quantity, and its choice. */
  units: [product: string, choice: string];
  reason: string;
  words?: string;
  exchange?: RegExp;
  photos?: number;
  /** Words of the review. */
  review: string[];
};

type Journey = {
  name: string;
  slug: string;
  quantity: number;
  isCustomer: boolean;
  javaScriptEnabled: boolean;
  isOnPhone?: true;
  claim: Claim;
  steps: ((sides: Sides) => Promise<void>)[];
};

/** Here and not by a tag, so that the office serves all of them. */
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Words of the back office after a button. */
const ANSWERS: Record<string, string> = {
  Authorize: "Authorized.",
  "Mark as received": "Received.",
  "Save inspection": "Inspected.",
  Resolve: "Resolved.",
  "Request the fee": "The customer was emailed a link to pay the fee.",
  "Send price": "Sent. The customer answers on their return’s page.",
};

/** Staff fill in fields and press a button; the customer reloads and reads the headline. */
const step =
  (button: string, fields: Record<string, string>, headline: string | RegExp) =>
  async ({ page, staff }: Sides): Promise<void> => {
    const summary = staff.locator("summary", { hasText: button });
    if (await summary.isVisible()) await summary.click();
    for (const [label, value] of Object.entries(fields)) {
      const field = staff.getByRole("main").getByLabel(label).first();
      const tag = await field.evaluate((element) => element.tagName);
      if (tag === "SELECT") await field.selectOption({ label: value });
      else if (value === "on") await field.check();
      else if (value === "ticked by itself") await expect(field).toBeChecked();
      else await field.fill(value);
    }
    await staff.getByRole("button", { name: button, exact: true }).click();
    await expect(staff.getByText(ANSWERS[button]!)).toBeVisible();
    await page.reload();
    await expect(heading(page)).toHaveText(headline);
  };

const isAccessible = ({ staff }: Sides) => expectAccessible(staff);

/** The customer presses a button on the return's page. */
const press =
  (button: string | RegExp, headline: string | RegExp) =>
  async ({ page, staff }: Sides): Promise<void> => {
    await page.getByRole("button", { name: button }).click();
    await expect(heading(page)).toHaveText(headline);
    await staff.reload();
  };

/** Pays what the return costs on the provider's page, and comes back. */
const pays =
  (amount: string, headline: string | RegExp) =>
  async ({ page, staff }: Sides): Promise<void> => {
    const back = page.url();
    await page.getByRole("button", { name: `Pay ${amount}` }).click();
    await payBy(page, "4242 4242 4242 4242");
    await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}/);
    await page.goto(back);
    await expect(heading(page)).toHaveText(headline);
    await staff.reload();
  };

const SEND_BY = /^Send it by /;

const JOURNEYS: Journey[] = [
  {
    name: "one of two units comes back and is refunded",
    slug: "travel-sleeve",
    quantity: 2,
    isCustomer: false,
    javaScriptEnabled: true,
    isOnPhone: true,
    claim: {
      kind: "Return it for a refund",
      units: ["Travel Sleeve", "1"],
      reason: "It’s not for me",
      review: ["$19.00 back", "You pay for shipping it to us."],
    },
    steps: [
      step("Mark as received", {}, "It’s here"),
      isAccessible,
      step(
        "Save inspection",
        { "Travel Sleeve": "New or like new", "Return to stock": "ticked by itself" },
        "We’ve checked it",
      ),
      isAccessible,
      step(
        "Resolve",
        { "Refund Sends nothing, pays back $19.00": "on" },
        /^We’re refunding \$19\.00$|^\$19\.00 refunded$/,
      ),
      isAccessible,
    ],
  },
  {
    name: "an exchange costs more, and the difference is paid",
    slug: BOWL,
    quantity: 1,
    isCustomer: true,
    javaScriptEnabled: false,
    isOnPhone: true,
    claim: {
      kind: "Exchange it",
      units: ["Polara Classic Frost White", "1"],
      reason: "I’d like another color or model",
      exchange: /^Polara Pro Earth Green, \$10\.00 more$/,
      review: ["Then we’ll ship the new one."],
    },
    steps: [
      step("Mark as received", {}, "It’s here"),
      step("Save inspection", { "Polara Classic Frost White": "New or like new" }, "We’ve checked it"),
      step(
        "Resolve",
        { "Exchange Sends Polara Pro Earth Green once the customer has paid $10.00": "on" },
        "Please pay $10.00",
      ),
      pays("$10.00", "Your replacement ships soon"),
    ],
  },
  {
    name: "a defect with photos is replaced",
    slug: BOWL,
    quantity: 1,
    isCustomer: false,
    javaScriptEnabled: false,
    isOnPhone: true,
    claim: {
      kind: "Report something damaged, defective, or missing",
      units: ["Polara Classic Frost White", "1"],
      reason: "It arrived damaged",
      words: "The lid is cracked at the hinge.",
      photos: 2,
      review: ["A replacement, or $98.99 back", "We’ll pay, and send you a label."],
    },
    steps: [
      async ({ staff }) => {
        await expect(staff.getByText("The lid is cracked at the hinge.")).toBeVisible();
        await expect(staff.getByRole("list", { name: "Photos" }).getByRole("img")).toHaveCount(2);
      },
      step("Authorize", { "Link to the prepaid label": "https://labels.example/1" }, SEND_BY),
      step("Resolve", { "Replacement Sends the same again, pays back nothing": "on" }, "Your replacement ships soon"),
      async ({ staff }) => {
        await staff
          .getByRole("link", { name: /^Order [0-9a-f]{8}$/ })
          .first()
          .click();
        await expect(staff.getByRole("button", { name: "Ship", exact: true })).toBeVisible();
      },
    ],
  },
  {
    name: "the fee of a repair is paid, and its price refused",
    slug: BOWL,
    quantity: 1,
    isCustomer: true,
    javaScriptEnabled: false,
    claim: {
      kind: "Have it repaired",
      units: ["Polara Classic Frost White", "1"],
      reason: "An accident: a drop, a spill or a power surge",
      words: "It fell off the counter.",
      review: ["$35 first", "We’ll quote you before we start."],
    },
    steps: [
      step("Request the fee", {}, "Please pay the diagnostic fee"),
      isAccessible,
      pays("$35.00", "We’ve got your request"),
      step("Authorize", {}, SEND_BY),
      step("Mark as received", {}, "It’s here"),
      step("Save inspection", { "Polara Classic Frost White": "Damaged" }, "We’ve checked it"),
      step("Send price", { "Price of the repair": "60" }, "The repair costs $60.00"),
      isAccessible,
      press("No, send it back", "Your product ships soon"),
      async ({ staff }) => {
        await staff
          .getByRole("link", { name: /^Order [0-9a-f]{8}$/ })
          .first()
          .click();
        await staff.locator("summary", { hasText: "Refund" }).click();
        await staff.getByLabel(/^Diagnostic fee of .+, \$35\.00$/).check();
        await staff.getByLabel("Reason, shown to the customer").selectOption({ index: 1 });
        await staff.getByRole("button", { name: "Refund $35.00" }).click();
        await expect(staff.getByText("Refunded $35.00. The customer was notified.")).toBeVisible();
        await expect(staff.getByLabel(/^Diagnostic fee of/)).toHaveCount(0);
      },
    ],
  },
];

/** A manager works with scripts on a wide screen, whatever the customer has. */
async function managersPage(browser: Browser, office: Office): Promise<Page> {
  const wide = { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false, javaScriptEnabled: true };
  const page = await (await browser.newContext({ baseURL: office.url, ...wide })).newPage();
  await office.signIn(page, "manager");
  return page;
}

/** Signs a customer in, or nobody. */
async function enter(page: Page, { pool, url }: Office, isCustomer: boolean): Promise<string> {
  if (!isCustomer) return someEmail();
  const { visitor, email } = await makeActor(pool, url, AUTH_SECRET, "customer");
  await pool.query("DELETE FROM cart_items WHERE user_id = (SELECT id FROM users WHERE email = $1)", [email]);
  const cookies = visitor
    .cookieHeader()
    .split("; ")
    .map((line) => line.split(/=(.*)/s));
  await page.context().addCookies(cookies.map(([name = "", value = ""]) => ({ name, value, url })));
  return email;
}

/** Buys, pays, and gets it, all the short way. Returns the order's id. */
async function receiveOrder(page: Page, office: Office, { slug, quantity, isCustomer }: Journey): Promise<string> {
  const email = await enter(page, office, isCustomer);
  await putInCart(page, office, slug, quantity);
  const id = await orderAndPay(page, office, email);
  const { visitor } = await makeStaff(office, { url: office.url, secret: AUTH_SECRET }, "packer");
  const { trackingNumber } = aParcel(Number.parseInt(id.slice(0, 6), 16));
  await visitor.post(`/admin/orders/${id}?intent=ship`, { tracking: trackingNumber });
  const isShipped = async () =>
    (await office.pool.query("SELECT FROM orders WHERE id = $1 AND status = 'shipped'", [id])).rowCount;
  await expect.poll(isShipped).toBe(1);
  await markDelivered(office.db, id, null);
  return id;
}

/** From the order's page to the return's. Returns its number. */
async function ask(page: Page, { claim, javaScriptEnabled }: Journey): Promise<string> {
  const check = async () => javaScriptEnabled && expectAccessible(page);
  await page.getByRole("link", { name: "Return, exchange, or report a problem" }).click();
  await expect(heading(page)).toHaveText("What can we do for you?");
  await check();
  await page.getByRole("link", { name: claim.kind }).click();
  await expect(heading(page)).toHaveText("What are you sending back?");
  await page.getByLabel(claim.units[0]).selectOption(claim.units[1]);
  await page.getByLabel("Why?").selectOption(claim.reason);
  await check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("Check and send");
  for (const words of claim.review) await expect(page.getByRole("main")).toContainText(words);
  if (claim.exchange) {
    const select = page.getByLabel("What you’d like instead");
    const options = await select.locator("option").allInnerTexts();
    await select.selectOption(options.find((option) => claim.exchange!.test(option))!);
  }
  if (claim.words) await page.getByRole("textbox", { name: /What’s wrong\?/ }).fill(claim.words);
  if (claim.photos) {
    const buffer = await sharp({ create: { width: 900, height: 700, channels: 3, background: "#7b8467" } })
      .jpeg()
      .toBuffer();
    const files = Array.from({ length: claim.photos }, (_, i) => ({
      name: `${i}.jpg`,
      mimeType: "image/jpeg",
      buffer,
    }));
    await page.getByLabel("Photos").setInputFiles(files);
  }
  await check();
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page).toHaveURL(/\/returns\/R-[A-Z0-9]{6}$/);
  await check();
  return page.url().slice(-8);
}

// A press that nothing answers is a refusal, and the sandbox answers some with 402.
test.beforeEach(({ expectErrors }) => expectErrors(/status of (402|410)/));

for (const journey of JOURNEYS) {
  test.describe(`${journey.isCustomer ? "a customer" : "a guest"} ${journey.javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled: journey.javaScriptEnabled, ...(journey.isOnPhone && PHONE) });

    test(journey.name, async ({ page, office, browser }) => {
      const id = await receiveOrder(page, office, journey);
      await page.goto(`/orders/${id}`);
      const number = await ask(page, journey);
      const staff = await managersPage(browser, office);
      await staff.goto(`/admin/returns?q=${number}`);
      await expect(heading(staff)).toHaveText(`Return ${number}`);
      for (const one of journey.steps) await one({ page, staff });
      await staff.context().close();
    });
  });
}

test("the email of a delivery leads to the return, whose slip prints on one page", async ({
  page,
  office,
  browser,
}) => {
  const id = await receiveOrder(page, office, { ...JOURNEYS[0]!, isCustomer: true });
  const { rows } = await office.pool.query<{ email: string; line: string }>(
    "SELECT email, order_items.id AS line FROM orders JOIN order_items ON order_id = orders.id WHERE orders.id = $1",
    [id],
  );
  const { email, line } = rows[0]!;
  const mail = await emailTo(office.url, email, "was delivered");
  const guest = await (await browser.newContext({ baseURL: office.url })).newPage();
  await guest.goto(mail.links.find((link) => link.endsWith("&intent=return")) ?? "");
  await expect(guest).toHaveURL(`${office.url}/orders/${id}/return`);
  const request = { kind: "return", reason: "not-for-me", description: "", formKey: randomUUID() } as const;
  const asked = await requestReturn(office.db, null, id, { ...request, units: { [line]: 1 } }, "customer");
  const number = asked.ok ? asked.number : "";
  await guest.goto(`/orders/${id}/returns/${number}`);
  await guest.getByRole("link", { name: "Print the return slip" }).click();
  await expect(guest.getByRole("img", { name: `QR code of ${number}` })).toBeVisible();
  await expectAccessible(guest);
  const paper = (await guest.pdf({ format: "Letter" })).toString("latin1");
  expect(/\/Type \/Pages[^>]*\/Count (\d+)|\/Count (\d+)/.exec(paper)?.slice(1)).toContain("1");
  await guest.context().close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("photos that are too large are refused, and going back shows what was typed", async ({
    page,
    office,
    expectErrors,
  }) => {
    expectErrors(/status of 413/);
    const id = await receiveOrder(page, office, JOURNEYS[2]!);
    await page.goto(`/orders/${id}/return?kind=defect`);
    await page.getByLabel("Polara Classic Frost White").selectOption("1");
    await page.getByLabel("Why?").selectOption("It arrived damaged");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("textbox", { name: "What’s wrong?" }).fill("The lid is cracked.");
    const photo = test.info().outputPath("large.jpg");
    writeFileSync(photo, "");
    truncateSync(photo, 40 * 1024 * 1024);
    await page.getByLabel("Photos").setInputFiles(photo);
    await page.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByText("Go back: your text is still there.")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("textbox", { name: "What’s wrong?" })).toHaveValue("The lid is cracked.");
  });
});
