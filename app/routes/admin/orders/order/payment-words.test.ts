import { expect, it } from "vitest";
import type { Config } from "#platform/config.server.ts";
import { dashboardOf, paymentWords, problemWords } from "./payment-words.ts";

it.each([
  ["opening", "Not paid yet: $137.00"],
  ["open", "Not paid yet: $137.00"],
  ["authorized", "Authorized $130.00"],
  ["captured", "Charged $78.00"],
  ["mismatch", "Authorized $130.00 instead of $137.00"],
  ["failed", "Not charged: $137.00"],
  ["closed", "Not charged: $137.00"],
] as const)("names the sum of a payment that is %s", (state, words) => {
  const payment = { kind: "page", state, amountCents: 137_00, authorizedCents: 130_00, capturedCents: 78_00 } as const;
  expect(paymentWords({ provider: "stripe", ...payment })).toBe(words);
  if (state === "captured") expect(paymentWords({ provider: "manual", ...payment })).toBe("Paid $78.00");
});

it.each([
  ["open", "No card saved"],
  ["saved", "Card saved, charged when it ships"],
  ["forgotten", "Card deleted"],
] as const)("a page for a card that is %s names no sum", (state, words) => {
  const payment = {
    provider: "stripe",
    kind: "setup",
    amountCents: 137_00,
    authorizedCents: 0,
    capturedCents: 0,
  } as const;
  expect(paymentWords({ ...payment, state })).toBe(words);
});

it("says why a payment failed, also for an unknown code", () => {
  for (const code of ["insufficient_funds", "authorization-ended", "generic_decline", "not_known_yet"])
    expect(problemWords(code)).toMatch(/^[A-Z][^_]+\.$/);
});

it("links to the payment in its provider's dashboard, but not from a sandbox", () => {
  const stripe = (secretKey: string, apiUrl: string | null = null): Config["payments"] => ({
    by: "stripe",
    secretKey,
    webhookSecrets: [],
    apiUrl,
  });
  const payPal = (apiUrl: string): Config["payPal"] => ({ clientId: "id", secret: "secret", webhookId: null, apiUrl });
  const urlOf = (payments: Config["payments"], account: Config["payPal"], intentReference: string | null = "pi_1") =>
    dashboardOf({ payments, payPal: account }, { provider: account ? "paypal" : "stripe", intentReference })?.url;
  expect(urlOf(stripe("sk_live_1"), null)).toBe("https://dashboard.stripe.com/payments/pi_1");
  expect(urlOf(stripe("rk_test_1"), null)).toBe("https://dashboard.stripe.com/test/payments/pi_1");
  const [live, test] = ["https://api-m.paypal.com", "https://api-m.sandbox.paypal.com"];
  expect(urlOf(stripe("sk_live_1"), payPal(live))).toBe("https://www.paypal.com/activity/payment/pi_1");
  expect(urlOf(stripe("sk_live_1"), payPal(test))).toBe("https://www.sandbox.paypal.com/activity/payment/pi_1");
  expect(urlOf(stripe("sk_live_1"), payPal("http://127.0.0.1:1/paypal"))).toBeUndefined();
  for (const payments of [null, { by: "sandbox" } as const, stripe("sk_test_1", "http://127.0.0.1:1")])
    expect(urlOf(payments, null)).toBeUndefined();
  expect(urlOf(stripe("sk_live_1"), null, null)).toBeUndefined();
});
