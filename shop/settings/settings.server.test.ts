import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Acting } from "#shop/audit/audit.server.ts";
import { clock } from "#shop/clock.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { staffRow } from "#tests/support/staff-member.ts";
import {
  listSettings,
  loadSettings,
  policyWords,
  readSettings,
  saveSettings,
  settings,
  settingsAt,
  settingsUntil,
  withSettingsOf,
  withdrawSettings,
} from "./settings.server.ts";
import { FIRST_SETTINGS, type MethodTerms, type ReturnSettings } from "./settings.ts";
import { settingsVersions } from "./settings.tables.ts";

const shop = useFreshDatabase();
const today = newYorkDay(clock.now());
const later = daysAfter(today, 5);
let ada: Acting;
let bo: Acting;

beforeAll(async () => {
  [ada, bo] = [await staffRow(shop.pool, "owner"), await staffRow(shop.pool, "manager")];
});
afterEach(async () => {
  await shop.db.delete(settingsVersions);
  await loadSettings(shop.db);
  vi.restoreAllMocks();
});

const stateOf = async () => (await listSettings(shop.db)).states.returns;
const saveReturns = async (
  by: Acting,
  value: Partial<ReturnSettings>,
  effectiveOn = today,
  state?: string,
  endsOn?: string,
) => {
  const { returns } = await readSettings(shop.db);
  const change = { section: "returns" as const, value: { ...returns, ...value }, effectiveOn, endsOn };
  return saveSettings(shop.db, by, { ...change, state: state ?? (await stateOf()) });
};
const audited = async () =>
  (
    await shop.pool.query(
      "SELECT subject, before, after FROM audit_log WHERE action = 'settings.change' ORDER BY id DESC",
    )
  ).rows;

it("a save writes what changed, audits it, and counts at once", async () => {
  expect(settings()).toEqual(FIRST_SETTINGS);
  expect(await saveReturns(ada, { returnDays: 45 })).toEqual({ ok: true, hasChanged: true });
  expect((await readSettings(shop.db)).returns).toEqual({ ...FIRST_SETTINGS.returns, returnDays: 45 });
  await loadSettings(shop.db);
  expect([settings().returns.returnDays, policyWords().returnDays]).toEqual([45, "45 days"]);
  expect((await audited())[0]).toEqual({
    subject: "settings:returns",
    before: { returnDays: "30 days" },
    after: { returnDays: "45 days", effectiveOn: today },
  });
  expect(await saveReturns(ada, {})).toEqual({ ok: true, hasChanged: false });
  expect((await listSettings(shop.db)).versions).toMatchObject([{ by: "Ada", value: { returnDays: 45 } }]);
});

it("of a group only the parts that change are saved, and nothing if none does", async () => {
  const save = async (priceCents: number) => {
    const { shipping } = await readSettings(shop.db);
    const value = { ...shipping, standard: { ...shipping.standard, priceCents, businessDays: { min: 4, max: 6 } } };
    const state = (await listSettings(shop.db)).states.shipping;
    return saveSettings(shop.db, ada, { section: "shipping", value, effectiveOn: today, state });
  };
  expect(await save(9_99)).toEqual({ ok: true, hasChanged: true });
  expect(await save(6_00)).toEqual({ ok: true, hasChanged: true });
  expect(await save(6_00)).toEqual({ ok: true, hasChanged: false });
  expect((await listSettings(shop.db)).versions).toMatchObject([
    { value: { standard: { priceCents: 6_00 } }, changes: [{ name: "standard.priceCents", from: "$9.99", to: "$6" }] },
    { changes: [{ name: "standard.businessDays", from: "5-7 business days", to: "4-6 business days" }] },
  ]);
  expect((await audited())[0]).toMatchObject({ before: { "standard.priceCents": "$9.99" } });
});

it("of two editors the second is told by whom, and overwrites only when asked", async () => {
  const state = await stateOf();
  await saveReturns(ada, { returnDays: 45 }, today, state);
  expect(await saveReturns(bo, { returnDays: 20 }, today, state)).toEqual({ ok: false, reason: "changed", by: "Ada" });
  expect((await readSettings(shop.db)).returns.returnDays).toBe(45);
  const racing = await stateOf();
  const both = await Promise.all([ada, bo].map((by, i) => saveReturns(by, { exchangeDays: 10 + i }, today, racing)));
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
});

it("a version begins on its day, and what was planned before composes with it", async () => {
  expect(await saveReturns(ada, { returnDays: 60 }, daysAfter(today, -1))).toEqual({ ok: false, reason: "past" });
  await saveReturns(ada, { returnDays: 14 }, later);
  await saveReturns(bo, { exchangeDays: 20 });
  await loadSettings(shop.db);
  expect(settings().returns).toMatchObject({ returnDays: 30, exchangeDays: 20 });
  expect(newYorkDay(settingsUntil()!)).toBe(later);
  vi.spyOn(clock, "now").mockReturnValue(settingsUntil()!);
  expect(settings().returns).toMatchObject({ returnDays: 14, exchangeDays: 20 });
  expect(settingsUntil()).toBeNull();
});

it("a change that ends gives way to the values that would count without it", async () => {
  const [next, end] = [daysAfter(today, 1), daysAfter(today, 9)];
  expect(await saveReturns(ada, { returnDays: 60 }, later, undefined, later)).toEqual({ ok: false, reason: "end" });
  await saveReturns(ada, { exchangeDays: 20 }, next);
  expect(await saveReturns(ada, { returnDays: 60 }, later, undefined, end)).toEqual({ ok: true, hasChanged: true });
  expect((await audited())[0]).toMatchObject({ after: { returnDays: "60 days", effectiveOn: later, endsOn: end } });
  await loadSettings(shop.db);
  const on = (day: string) => withSettingsOf(day, () => settings().returns);
  expect([today, next, later, end].map((day) => [on(day).returnDays, on(day).exchangeDays])).toEqual([
    [30, 30],
    [30, 20],
    [60, 20],
    [30, 20],
  ]);
  expect((await listSettings(shop.db)).versions.map(({ changes }) => changes)).toEqual([
    [{ name: "returnDays", from: "60 days", to: "30 days" }],
    [{ name: "returnDays", from: "30 days", to: "60 days" }],
    [{ name: "exchangeDays", from: "30 days", to: "20 days" }],
  ]);
});

it("a planned version can be withdrawn, one in force cannot", async () => {
  await saveReturns(ada, { returnDays: 45 });
  await saveReturns(ada, { returnDays: 14 }, later);
  const state = await stateOf();
  const planned = async () => (await listSettings(shop.db)).versions.filter(({ isPlanned }) => isPlanned);
  const { id } = (await planned())[0]!;
  expect(await withdrawSettings(shop.db, bo, id, ["contact"])).toEqual({ ok: false });
  expect(await withdrawSettings(shop.db, bo, id, ["returns"])).toEqual({ ok: true });
  expect(await withdrawSettings(shop.db, bo, id, ["returns"])).toEqual({ ok: false });
  expect(await saveReturns(ada, { returnDays: 20 }, today, state)).toMatchObject({ reason: "changed" });
  expect(await planned()).toEqual([]);
  const { versions } = await listSettings(shop.db);
  expect(versions.filter(({ withdrawnAt }) => withdrawnAt !== null)).toMatchObject([{ id }]);
  // A later change of today goes on past the day of the withdrawn one.
  await saveReturns(bo, { returnDays: 60 });
  expect(await planned()).toEqual([]);
  await loadSettings(shop.db);
  expect(settingsUntil()).toBeNull();
  expect(settingsAt(new Date(`${later}T17:00:00Z`)).returns.returnDays).toBe(60);
  expect(await withdrawSettings(shop.db, bo, versions.at(-1)!.id, ["returns"])).toEqual({ ok: false });
});

it("plans never leave a day without an offered method of shipping, or without a free one", async () => {
  const save = async (
    method: "standard" | "express" | "overnight",
    change: Partial<MethodTerms>,
    effectiveOn = today,
  ) => {
    const { shipping } = await readSettings(shop.db);
    const value = { ...shipping, [method]: { ...shipping[method], ...change } };
    const state = (await listSettings(shop.db)).states.shipping;
    return saveSettings(shop.db, ada, { section: "shipping", value, effectiveOn, state });
  };
  const gap = { day: later, lacks: "offered" };
  await save("overnight", { isOffered: false });
  expect(await save("express", { isOffered: false }, later)).toMatchObject({ ok: true });
  for (const day of [today, daysAfter(today, 1), later])
    expect(await save("standard", { isOffered: false }, day)).toEqual({ ok: false, reason: "gap", gap });
  expect(await save("standard", { isFree: false })).toMatchObject({ ok: false, gap: { day: later, lacks: "free" } });
  expect(await save("overnight", { isOffered: true }, daysAfter(today, 1))).toMatchObject({ ok: true });
  expect(await save("standard", { isOffered: false })).toMatchObject({ ok: true });
  const [, overnight] = (await listSettings(shop.db)).versions;
  expect(await withdrawSettings(shop.db, ada, overnight!.id, ["shipping"])).toEqual({ ok: false, gap });
  expect((await listSettings(shop.db)).versions.every(({ withdrawnAt }) => withdrawnAt === null)).toBe(true);
});

it("an order keeps the settings under which it was placed", async () => {
  const before = new Date(clock.now().getTime() - 60_000);
  await saveReturns(ada, { returnDays: 14 });
  await loadSettings(shop.db);
  const after = new Date(clock.now().getTime() + 60_000);
  expect([settingsAt(before), settingsAt(after)].map(({ returns }) => returns.returnDays)).toEqual([30, 14]);
});

it("each save is announced to every process, by the name of its table", async () => {
  const client = await shop.pool.connect();
  const heard: (string | undefined)[] = [];
  client.on("notification", ({ payload }) => heard.push(payload));
  await client.query("LISTEN catalog");
  await saveReturns(ada, { returnDays: 44 });
  await client.query("SELECT 1");
  client.release(true);
  expect(heard).toEqual(["settings_versions"]);
});
