import { expect, it } from "vitest";
import { setAvailableMethods } from "#shop/payment-mode.ts";
import type { Outcome, ReturnKind, ReturnState } from "#shop/returns/lifecycle.ts";
import type { LinkedOrder, ReturnDetails } from "#shop/returns/returns.server.ts";
import { headline, stepsOf } from "./return-timeline.ts";

const orderOf = (order: Partial<LinkedOrder> = {}): LinkedOrder => ({
  id: "order",
  status: "processing",
  restToShip: false,
  totalCents: 0,
  paymentStatus: "none",
  linkVersion: 1,
  ...order,
});

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
    refundCents: 0,
    money: { linesCents: 0, shippingCents: 0, deductionCents: 0, refundedCents: 0, refundCents: 0, leftCents: 0 },
    replacement: null,
    fee: null,
    ...rma,
  }) as ReturnDetails;

it.each<[ReturnKind, ReturnState, Outcome | null, string]>([
  ["repair", "resolved", "repair", "Its order was canceled: Nothing ships for now."],
  ["repair", "resolved", "sent-back", "Its order was canceled: Nothing ships for now."],
  ["repair", "inspected", null, "Its order was canceled: Nothing ships for now."],
  ["return", "inspected", null, "Its order was canceled: Nothing ships for now."],
  ["warranty", "closed", "part", "Its order was canceled: Nothing ships. Still need the part?"],
  ["warranty", "resolved", "replacement", "Replacement canceled: Next, we refund"],
  ["exchange", "inspected", null, "We’ve checked it: Next, we issue your refund"],
])("%s, %s, %s: does not say that a canceled order ships", (kind, state, outcome, words) => {
  const { title, lead } = headline(told({ kind, state, outcome, replacement: orderOf({ status: "canceled" }) }));
  expect(`${title}: ${lead}`).toContain(words);
});

it.each<[ReturnState, Outcome, string]>([
  ["resolved", "refund", "We’re refunding $99.00: We’ll email you once it’s done."],
  ["closed", "refund", "$99.00 refunded: Your bank may take"],
  ["resolved", "replacement", "ships soon: We’ll email you the tracking number. We’re refunding $99.00."],
  ["closed", "replacement", "is on its way: We’ve emailed you the tracking number. We’ve refunded $99.00."],
])("%s, %s: says that it is refunded only once it is", (state, outcome, words) => {
  const replacement = outcome === "refund" ? null : orderOf({ status: state === "closed" ? "shipped" : "processing" });
  const rma = { ...told({ state, outcome, refundCents: 99_00, replacement }), id: "rma" };
  const { title, lead } = headline(rma);
  expect(`${title}: ${lead}`).toContain(words);
  const data = { returnId: "rma", event: "resolved", outcome, cents: 99_00 };
  const [step] = stepsOf(rma, [{ type: "return-changed", actor: "staff", at: new Date(), data }]);
  expect(step?.title).not.toMatch(/refunded/i);
});

it.each([true, false])("what is due is asked for, with a provider: %s", (hasPayments) => {
  setAvailableMethods(hasPayments ? ["card"] : []);
  const due = orderOf({ totalCents: 35_00 });
  const fee = headline(told({ kind: "repair", state: "requested", fee: due }));
  const repair = headline(told({ kind: "repair", state: "resolved", outcome: "repair", replacement: due }));
  setAvailableMethods([]);
  for (const { title, lead } of [fee, repair]) {
    expect(title).toMatch(/^Please pay /);
    expect(lead.includes("We’ll contact you about the payment. Then we’ll ")).toBe(!hasPayments);
  }
});
