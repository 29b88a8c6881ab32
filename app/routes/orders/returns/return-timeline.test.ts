import { expect, it } from "vitest";
import { setAvailableMethods } from "#shop/payment-mode.ts";
import type { Outcome, ReturnState } from "#shop/returns/lifecycle.ts";
import type { ReturnDetails } from "#shop/returns/returns.server.ts";
import { headline, stepsOf } from "./return-timeline.ts";

const told = (rma: Partial<ReturnDetails>) =>
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
    money: { linesCents: 0, shippingCents: 0, deductionCents: 0, refundCents: 0, moreCents: 0 },
    sent: null,
    toPay: null,
    fee: null,
    ...rma,
  }) as ReturnDetails;

it.each<[Partial<ReturnDetails>, string]>([
  [{ sent: "canceled", outcome: "replacement" }, "It doesn’t come: We’ve canceled what we’d send you. Questions?"],
  [{ sent: "waiting", outcome: "repair" }, "Your repaired product ships soon"],
  [{ state: "authorized", shipBy: null, labelBy: "us" }, "Your label is next: We’ll email you a prepaid label."],
  [{ state: "authorized", shipBy: "2026-03-16" }, "Send it by March 16"],
])("%j: %s", (rma, words) => {
  const { title, lead } = headline(told(rma));
  expect(`${title}: ${lead}`).toContain(words);
});

it.each<[ReturnState, Outcome, string]>([
  ["resolved", "refund", "We’re refunding $99.00: We’ll email you once it’s done."],
  ["closed", "refund", "$99.00 refunded: Your bank may take"],
  ["resolved", "replacement", "ships soon: We’ll email you the tracking number. We’re refunding $99.00."],
  ["closed", "replacement", "is on its way: We’ve emailed you the tracking number. We’ve refunded $99.00."],
])("%s, %s: says that it is refunded only once it is", (state, outcome, words) => {
  const sent = outcome === "refund" ? null : state === "closed" ? "sent" : "waiting";
  const money = { linesCents: 0, shippingCents: 0, deductionCents: 0, refundCents: 99_00, moreCents: 0 };
  const rma = { ...told({ state, outcome, money, sent }), id: "rma" };
  const { title, lead } = headline(rma);
  expect(`${title}: ${lead}`).toContain(words);
  const data = { returnId: "rma", event: "resolved", outcome, cents: 99_00 };
  const [step] = stepsOf(rma, [{ type: "return-changed", actor: "staff", at: new Date(), data }]);
  expect(step?.title).not.toMatch(/refunded/i);
});

it.each([true, false])("what is due is asked for, with a provider: %s", (hasPayments) => {
  setAvailableMethods(hasPayments ? ["card"] : []);
  const toPay = { chargeId: "charge", cents: 35_00 };
  const fee = headline(told({ kind: "repair", state: "requested", toPay: { ...toPay, why: "fee" } }));
  const repair = headline(told({ kind: "repair", outcome: "repair", toPay: { ...toPay, why: "repair" } }));
  setAvailableMethods([]);
  for (const { title, lead } of [fee, repair]) {
    expect(title).toMatch(/^Please pay /);
    expect(lead.includes("We’ll contact you about the payment. Then we’ll ")).toBe(!hasPayments);
  }
});
