/** An order leads to the version of the terms that it was placed under. */
import { expect, it } from "vitest";
import { clock } from "#shop/clock.ts";
import { texts } from "#shop/content/text.tables.ts";
import { formatMoneyShort } from "#shop/money.ts";
import { daysAfter, newYorkDay, newYorkMoment } from "#shop/new-york-time.ts";
import { policy } from "#shop/policies.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { settingsVersions } from "#shop/settings/settings.tables.ts";
import { emailTo, linkIn } from "../../support/mailbox.ts";
import { useTrialShop } from "../../support/paying-shop.ts";
import { makeStaff, type StaffMember } from "../../support/staff-member.ts";
import { AUTH_SECRET } from "../../support/use-shop.ts";
import { Visitor } from "../../support/visitor.ts";

const { shop, database, startAgain, reserve, pay, comeBack } = useTrialShop();

async function placeOrder() {
  const placed = await reserve();
  await comeBack(placed, await pay(placed));
  return placed;
}

const linked = (html: string) => /href="[^"]*(\/terms\/[^"]+)"/.exec(html)?.[1];

/** The pages and the email of an order link to `terms`, which anybody can open. */
async function expectTerms({ orderId, email }: Awaited<ReturnType<typeof placeOrder>>, terms: string, by: StaffMember) {
  const confirmation = await emailTo(shop.url, email, /^Your Polara order \w+$/);
  const link = linkIn(confirmation, terms);
  const holder = new Visitor(shop.url);
  await holder.fetch(linkIn(confirmation, `/orders/${orderId}`));
  expect(linked(await (await holder.fetch(`/orders/${orderId}`)).text())).toBe(link);
  expect(linked(await (await by.visitor.fetch(`/admin/orders/${orderId}`)).text())).toBe(link);
  const page = await fetch(shop.url + link);
  expect(page.status).toBe(200);
  return page.text();
}

it("an order placed under a second version links to it, and one before it to the first with the numbers of its time", async () => {
  const packer = await makeStaff(database, { url: shop.url, secret: AUTH_SECRET }, "packer");
  const second = daysAfter(newYorkDay(clock.now()), 3);
  await database.db.insert(texts).values({
    key: "legal-terms",
    version: 1,
    fields: {},
    markdown: "## Acceptance {#acceptance}\n\nYou agree twice.",
    publishAt: newYorkMoment(`${second}T00:00`),
    effectiveOn: second,
    staffId: packer.staffId,
  });
  const free = { section: "shipping", value: { freeFromCents: 91_00 }, staffId: packer.staffId } as const;
  await database.db.insert(settingsVersions).values({ ...free, effectiveOn: second });
  const before = await placeOrder();
  const sameDay = { ...free, value: { freeFromCents: 92_00 }, effectiveOn: newYorkDay(clock.now()) };
  await database.db.insert(settingsVersions).values(sameDay);
  await startAgain({ clockOffset: "4d" });
  const after = await placeOrder();
  const first = await expectTerms(before, `/terms/${policy.effectiveDate}`, packer);
  expect(first).toContain(formatMoneyShort(FIRST_SETTINGS.shipping.freeFromCents));
  expect(first).not.toMatch(/You agree twice|\$9[12]/);
  expect(await expectTerms(after, `/terms/${second}`, packer)).toContain("You agree twice");
});
