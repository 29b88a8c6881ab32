import { describe, expect, it } from "vitest";
import {
  FAULT,
  keyOf,
  mustLookFirst,
  outcomeOf,
  type ActionKind,
  type Asked,
  type KnownOutcome,
} from "./action-outcome.ts";
import type { PaymentSnapshot, ProviderRefund } from "../provider.ts";

const asked = (more: Partial<Asked> = {}): Asked => ({
  id: "ours",
  kind: "refund",
  attempt: 1,
  providerReference: null,
  problem: null,
  sentAt: null,
  ...more,
});
const said = (state: PaymentSnapshot["state"], refunds: ProviderRefund[] = []): PaymentSnapshot => ({
  state,
  reference: "cs_1",
  intentReference: "pi_1",
  currency: "usd",
  amountCents: 19_00,
  authorizedCents: 19_00,
  capturedCents: 0,
  refundedCents: 0,
  captureBefore: null,
  method: null,
  problem: null,
  disputedUntil: null,
  refunds,
});

describe("what became of an action", () => {
  it.each<[ActionKind, PaymentSnapshot["state"], KnownOutcome]>([
    ["capture", "authorized", null],
    ["capture", "captured", "done"],
    ["capture", "voided", "failed"],
    ["capture", "closed", "failed"],
    ["void", "open", null],
    ["void", "authorized", null],
    ["void", "voided", "done"],
    ["void", "closed", "done"],
    ["void", "captured", "failed"],
  ])("a %s of a payment that is %s: %s", (kind, state, outcome) => {
    expect(outcomeOf(asked({ kind }), said(state))).toBe(outcome);
  });

  it.each(["pending", "done", "failed"] as const)(
    "a refund that is %s, by our name for it or the provider's",
    (state) => {
      const refund = { reference: "re_1", actionId: "ours", cents: 100, state };
      const another = { reference: "re_2", actionId: "another", cents: 100, state: "done" as const };
      expect(outcomeOf(asked(), said("captured", [another, refund]))).toBe(state);
      const byName = { ...refund, actionId: null };
      expect(outcomeOf(asked({ providerReference: "re_1" }), said("captured", [another, byName]))).toBe(state);
      expect(outcomeOf(asked(), said("captured", [another]))).toBe(null);
    },
  );
});

describe("before it is sent again, the provider is asked", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3600_000);

  it.each<[string, Partial<Asked>, boolean]>([
    ["not for the first time", {}, false],
    ["not where no answer came", { sentAt: hoursAgo(1) }, false],
    ["not while the key is known there", { sentAt: hoursAgo(19.9) }, false],
    ["where the key may be forgotten", { sentAt: hoursAgo(20.1) }, true],
    ["where it failed, because it would answer so again", { sentAt: hoursAgo(1), problem: FAULT }, true],
    ["where its bank is at work on it", { sentAt: hoursAgo(1), providerReference: "re_1" }, true],
  ])("%s", (_when, more, must) => {
    expect(mustLookFirst(asked(more), now)).toBe(must);
  });

  it("and a new attempt has a key of its own", () => {
    expect(keyOf(asked({ attempt: 2 }))).not.toBe(keyOf(asked()));
  });
});
