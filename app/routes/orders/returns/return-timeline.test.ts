import { expect, it } from "vitest";
import { setAvailableMethods } from "#shop/payment-mode.ts";
import type { Outcome, ReturnState } from "#shop/returns/lifecycle.ts";
import type { ReturnDetails } from "#shop/returns/returns.server.ts";
import { headline, stepsOf } from "./return-timeline.ts";

type Money = ReturnDetails["money"];

const told = (orderReturn: Partial<ReturnDetails>) =>
  ({
    number: "R-7KQ2MX",
    kind: "return",
    state: "resolved",
    shipBy: null,
    dueOn: "2026-03-25",
    labelBy: "customer",
    refuseReason: null,
    deductionCents: 0,
    deductionReason: null,
    quoteCents: null,
    quoteAcceptedAt: null,
    outcome: null,
    money: { refundCents: 0 },
    sent: null,
    toPay: null,
    fee: null,
    ...orderReturn,
  }) as ReturnDetails;

it.each<[Partial<ReturnDetails>, string]>([
  [
    { sent: "canceled", outcome: "replacement" },
    "It won’t be coming: We’ve canceled what we were going to send you. Questions?",
  ],
  [{ sent: "waiting", outcome: "repair" }, "Your repaired product ships soon"],
  [{ state: "closed", sent: "arrived", outcome: "repair" }, "Your repaired product was delivered: Questions?"],
  [{ state: "closed", sent: "astray", outcome: "replacement" }, "Your replacement didn’t arrive: We’ve emailed you"],
  [{ state: "closed", sent: null, outcome: "repair" }, "Your repaired product was delivered"],
  [{ state: "received", kind: "exchange", sent: "canceled" }, "We’re checking it, and will issue your refund by"],
  [{ state: "received", kind: "exchange", sent: "reserved" }, "We’re checking it, and will send what you chose by"],
  [{ state: "withdrawn", authorizedAt: null }, "Withdrawn: You don’t need to send anything."],
  [
    { state: "withdrawn", authorizedAt: new Date() },
    "Withdrawn: You don’t need to send anything. Sent it already? Contact us, and we’ll reopen this.",
  ],
  [{ state: "expired" }, "Sent it anyway? Contact us, and we’ll reopen this."],
  [{ state: "declined", refuseReason: "late" }, "We can’t take this back: The deadline for this has passed."],
  [
    { state: "declined", kind: "repair", refuseReason: "not-ours" },
    "We can’t accept this: It isn’t a product of this order.",
  ],
  [{ state: "declined", kind: "warranty", refuseReason: "helped" }, "Solved: Our checks have solved it. Questions?"],
  [{ state: "authorized", shipBy: null, labelBy: "us" }, "Your label is next: We’ll email you a prepaid label."],
  [{ state: "authorized", shipBy: "2026-03-16" }, "Send it by March 16"],
])("%j: %s", (orderReturn, words) => {
  const { title, lead } = headline(told(orderReturn));
  expect(`${title}: ${lead}`).toContain(words);
});

it.each<[ReturnState, Money["refundState"], Outcome, string]>([
  ["resolved", "promised", "refund", "We’re refunding $99.00: We’ll email you once it’s done."],
  ["closed", "done", "refund", "$99.00 refunded: Your bank may take"],
  ["closed", "failed", "refund", "We’re refunding $99.00: Your bank didn’t accept the refund."],
  ["resolved", "promised", "replacement", "ships soon: We’ll email you the tracking number. We’re refunding $99.00."],
  ["closed", "done", "replacement", "is on its way: We’ve emailed you the tracking number. We’ve refunded $99.00."],
])("%s, %s, %s: says that it is refunded only once it is", (state, refundState, outcome, words) => {
  const sent = outcome === "refund" ? null : state === "closed" ? "sent" : "waiting";
  const money = { refundCents: 99_00, refundState } as Money;
  const orderReturn = { ...told({ state, outcome, money, sent }), id: "return" };
  const { title, lead } = headline(orderReturn);
  expect(`${title}: ${lead}`).toContain(words);
  const data = { returnId: "return", event: "resolved", outcome, cents: 99_00 };
  const [step] = stepsOf(orderReturn, [{ type: "return-changed", actor: "staff", at: new Date(), data }]);
  expect(step?.title).not.toMatch(/refunded/i);
});

it.each([true, false])("what is due is asked for, with a provider: %s", (hasPayments) => {
  setAvailableMethods(hasPayments ? ["card"] : []);
  const toPay = { chargeId: "charge", cents: 35_00, payBy: null };
  const fee = headline(told({ kind: "repair", state: "requested", toPay: { ...toPay, why: "fee" } }));
  const repair = headline(told({ kind: "repair", outcome: "repair", toPay: { ...toPay, why: "repair" } }));
  setAvailableMethods([]);
  for (const { title, lead } of [fee, repair]) {
    expect(title).toMatch(/^Please pay /);
    expect(lead.includes("We’ll contact you about the payment. Then we’ll ")).toBe(!hasPayments);
  }
});
