import { expect, it } from "vitest";
import { type PaymentMode, setPaymentMode } from "#shop/payment-mode.ts";
import { storeEvents } from "#shop/payments/inbox.server.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import type { Setup } from "./checks.ts";
import { readFacts } from "./facts.server.ts";

const database = useFreshDatabase(5);
const facts = (payments: PaymentMode = "live") => readFacts(database.db, { payments } as Setup);
const make = (options?: Parameters<typeof makeStaff>[3]) =>
  makeStaff(
    database,
    { url: "http://localhost", secret: "a secret that only tests know, and long enough" },
    "owner",
    options,
  );

it("a webhook is an event that was not asked for, of Stripe, in the mode of the key", async () => {
  const store = (name: string, eventId: string, isMissed = false) =>
    storeEvents(
      database.db,
      { name } as PaymentProvider,
      [{ eventId, type: "charge.captured", reference: "ch_1" }],
      isMissed,
    );
  setPaymentMode("sandbox");
  await store("stripe", "evt_sandbox");
  expect((await facts("sandbox")).webhookAt).toBeNull();
  expect((await facts("test")).webhookAt).toBeNull();
  setPaymentMode("test");
  await store("stripe", "evt_test");
  expect((await facts("test")).webhookAt).not.toBeNull();
  setPaymentMode("live");
  await store("stripe", "evt_missed", true);
  await store("paypal", "WH-1");
  expect((await facts()).webhookAt).toBeNull();
  await store("stripe", "evt_live");
  expect(Math.abs((await facts()).webhookAt!.getTime() - Date.now())).toBeLessThan(60_000);
});

it("an owner counts while they can sign in", async () => {
  expect((await facts()).owners).toBe(0);
  await make();
  await make({ isDisabled: true });
  const lost = await make();
  expect((await facts()).owners).toBe(2);
  await database.pool.query("DELETE FROM two_factors WHERE user_id = $1", [lost.staffId]);
  expect((await facts()).owners).toBe(1);
});

it("the last backup counts", async () => {
  expect((await facts()).backupAt).toBeNull();
  await database.pool.query("INSERT INTO backups VALUES ('2026-12-01T12:00:00Z'), ('2026-11-30T12:00:00Z')");
  expect((await facts()).backupAt).toEqual(new Date("2026-12-01T12:00:00Z"));
});
