import { expect, it } from "vitest";
import { storeEvents } from "#shop/payments/inbox.server.ts";
import type { PaymentProvider } from "#shop/payments/provider.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { makeStaff } from "#tests/support/staff-member.ts";
import type { Setup } from "./checks.ts";
import { readFacts } from "./facts.server.ts";

const database = useFreshDatabase(5);
const facts = () => readFacts(database.db, {} as Setup);
const make = (options?: Parameters<typeof makeStaff>[3]) =>
  makeStaff(
    database,
    { url: "http://localhost", secret: "a secret that only tests know, and long enough" },
    "owner",
    options,
  );

it("a webhook is an event that was not asked for", async () => {
  const provider = { name: "stripe" } as PaymentProvider;
  const event = (eventId: string) => [{ eventId, type: "charge.captured", reference: "ch_1" }];
  expect((await facts()).webhookAt).toBeNull();
  await storeEvents(database.db, provider, event("evt_1"), true);
  expect((await facts()).webhookAt).toBeNull();
  await storeEvents(database.db, provider, event("evt_2"));
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
