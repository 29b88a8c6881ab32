import { beforeAll, describe, expect, it } from "vitest";
import type { Acting } from "#shop/audit/audit.server.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import { policy } from "#shop/policies.ts";
import { dayText } from "#shop/policy-text.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { anyPermit } from "#tests/support/mail-permit.ts";
import { emailShop } from "#tests/support/outbox.ts";
import { makeAccount, makeOrder, someEmail } from "#tests/support/people.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import { optOutSchema } from "./arbitration.ts";
import { arbitrationEmails, listOptOuts, recordOptOut } from "./arbitration.server.ts";

const shop = useFreshDatabase(5);
let by: Acting;
beforeAll(async () => {
  const { staffId } = await makeStaff(shop, { url: "http://localhost", secret: emailShop.secret }, "support");
  by = { staffId, role: "support", address: "203.0.113.7", requestId: null };
});

const FIRST = "2026-03-01";
const LAST = daysAfter(FIRST, policy.arbitrationOptOutDays);
/** The next day by UTC. */
const createdAt = new Date(`${FIRST}T23:30:00-05:00`);
const record = (email: string, receivedOn: string) =>
  recordOptOut(shop.db, by, { email, name: "Ada Lovelace", address: "12 Analytical Ave", receivedOn }, anyPermit);

describe("opting out of arbitration", () => {
  it.each([
    ["a guest", false],
    ["an account", true],
  ])("of %s counts until the last day after the first purchase, in New York", async (_who, hasAccount) => {
    const email = someEmail();
    const userId = hasAccount ? (await makeAccount(shop.db, { email })).id : null;
    const order = { email: email.toUpperCase(), userId };
    await makeOrder(shop.db, { ...order, createdAt: new Date("2026-01-01"), stage: "expired" });
    await makeOrder(shop.db, { ...order, createdAt: new Date("2026-06-01") });
    await makeOrder(shop.db, { ...order, createdAt });
    expect(await record(email, daysAfter(LAST, 1))).toEqual({ ok: false, reason: "late", until: LAST });
    expect(await listOptOuts(shop.db, email)).toEqual([]);
    expect(await record(email, LAST)).toEqual({ ok: true });
    expect(await listOptOuts(shop.db, email.toUpperCase())).toMatchObject([{ email, receivedOn: LAST }]);
  });

  it("may come before a purchase, is recorded once, audited without the email, and confirmed with its day", async () => {
    const email = someEmail();
    const results = await Promise.all([1, 2].map(() => record(email, FIRST)));
    expect(results).toEqual(expect.arrayContaining([{ ok: true }, { ok: false, reason: "known" }]));
    const [{ id } = { id: "" }] = await listOptOuts(shop.db, email);
    const { rows } = await shop.pool.query("SELECT action, after::text FROM audit_log WHERE subject = $1", [
      `arbitration:${id}`,
    ]);
    expect(rows).toEqual([{ action: "arbitration.opt-out", after: expect.not.stringContaining(email) }]);
    const mail = await arbitrationEmails["arbitration-opt-out"].write(shop.db, { optOutId: id }, emailShop);
    expect(mail).toMatchObject({ to: email, text: expect.stringContaining(dayText(FIRST)) });
  });

  it("has a name, an address and a day that has come", () => {
    const read = optOutSchema.safeParse({ email: "ada@example.com", name: " ", address: "", receivedOn: "2999-01-01" });
    expect(read.error?.issues.map(({ message }) => message)).toEqual([
      "Enter the name in the notice",
      "Enter the address in the notice",
      "This date is in the future",
    ]);
    for (const receivedOn of ["", "0026-11-27", "2026-02-30"]) {
      const notice = { email: "ada@example.com", name: "Ada", address: "12 Analytical Ave", receivedOn };
      expect(optOutSchema.safeParse(notice).error?.issues).toMatchObject([
        { message: "Enter the date it was received" },
      ]);
    }
  });
});
