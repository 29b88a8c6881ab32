import { expect, it } from "vitest";
import { paymentSnapshot } from "#tests/support/payment-snapshot.ts";
import type { PaymentSnapshot } from "./provider.ts";
import { mustReadFirst, outcomeOf } from "./run-action.server.ts";

const ours = { id: "ours", providerReference: null };

it.each<["capture" | "charge" | "void", PaymentSnapshot["state"], string | null]>([
  ["capture", "authorized", null],
  ["capture", "captured", "done"],
  ["capture", "voided", "failed"],
  ["capture", "closed", "failed"],
  ["charge", "open", null],
  ["charge", "captured", "done"],
  ["charge", "closed", "failed"],
  ["void", "saved", "failed"],
  ["void", "open", null],
  ["void", "authorized", null],
  ["void", "voided", "done"],
  ["void", "closed", "done"],
  ["void", "captured", "failed"],
])("a %s of a payment that is %s: %s", (kind, state, outcome) => {
  expect(outcomeOf({ ...ours, kind }, paymentSnapshot({ state }))).toBe(outcome);
});

it.each(["pending", "done", "failed"] as const)("a refund that is %s, by our id or the provider's", (state) => {
  const refund = { reference: "re_1", actionId: "ours", cents: 100, state };
  const other = { reference: "re_2", actionId: "another", cents: 100, state: "done" as const };
  const outcome = (refunds: PaymentSnapshot["refunds"], providerReference: string | null = null) =>
    outcomeOf({ ...ours, kind: "refund", providerReference }, paymentSnapshot({ state: "captured", refunds }));
  expect(outcome([other, refund])).toBe(state);
  expect(outcome([other, { ...refund, actionId: null }], "re_1")).toBe(state);
  expect(outcome([other])).toBe(null);
});

const now = new Date("2026-11-22T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3600_000);

it.each<[string, Partial<Parameters<typeof mustReadFirst>[0]>, boolean]>([
  ["not the first time", {}, false],
  ["not after a missing answer", { sentAt: hoursAgo(1) }, false],
  ["not while the provider knows the key", { sentAt: hoursAgo(19.9) }, false],
  ["once the provider may have forgotten the key", { sentAt: hoursAgo(20.1) }, true],
  ["after a failure, which the key would repeat", { sentAt: hoursAgo(1), problem: "provider-fault" }, true],
  ["while it is pending at a bank", { sentAt: hoursAgo(1), providerReference: "re_1" }, true],
])("a payment is read before its action is sent: %s", (_when, more, must) => {
  expect(mustReadFirst({ sentAt: null, problem: null, providerReference: null, ...more }, now)).toBe(must);
});
