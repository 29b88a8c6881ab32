import { expect, it } from "vitest";
import { payPalMoney, moneySchema } from "./paypal-money.ts";
import { orderSchema, orderSnapshot } from "./paypal-snapshot.ts";

it.each([
  [0, "0.00"],
  [5, "0.05"],
  [19_99, "19.99"],
  [29_00, "29.00"],
  [1_234_567_89, "1234567.89"],
])("%i cents are %s at PayPal, and back", (cents, value) => {
  expect(payPalMoney(cents)).toEqual({ currency_code: "USD", value });
  expect(moneySchema.parse({ currency_code: "USD", value })).toEqual({ currency: "usd", cents });
});

it.each(["19.999", "-1.00", "1e3", "", "1,00", "12.3.4"])("%j is no amount", (value) => {
  expect(moneySchema.safeParse({ currency_code: "USD", value }).success).toBe(false);
});

const amount = payPalMoney(99_00);
const since = "2026-11-26T10:00:00Z";
const authorization = (status: string, id = "A1", create_time = since) => ({
  id,
  status,
  amount,
  create_time,
  expiration_time: "2026-12-25T10:00:00Z",
});
const capture = (status: string, cents = 99_00, id = "C1") => ({ id, status, amount: payPalMoney(cents) });
type Payments = { authorizations?: object[]; captures?: object[]; refunds?: object[] };

const snapshotOf = (status: string, payments?: Payments, isOpen = true) =>
  orderSnapshot(orderSchema.parse({ id: "O1", status, purchase_units: [{ amount, ...(payments && { payments }) }] }), {
    isOpen,
    problem: null,
  });

it.each<[string, string, Payments | undefined, boolean, object]>([
  ["asks its payer", "PAYER_ACTION_REQUIRED", undefined, true, { state: "open", method: null }],
  ["is closed by the shop", "APPROVED", undefined, false, { state: "closed", authorizedCents: 0 }],
  [
    "is authorized",
    "COMPLETED",
    { authorizations: [authorization("CREATED")] },
    false,
    { state: "authorized", intentReference: "A1", captureBefore: new Date("2026-12-25T10:00:00Z") },
  ],
  ["waits for a review", "COMPLETED", { authorizations: [authorization("PENDING")] }, true, { state: "authorized" }],
  [
    "is denied",
    "COMPLETED",
    { authorizations: [authorization("DENIED")] },
    true,
    { state: "voided", authorizedCents: 0 },
  ],
  ["is voided", "COMPLETED", { authorizations: [authorization("VOIDED")] }, false, { state: "voided" }],
  [
    "is captured in part by a reauthorized payment",
    "COMPLETED",
    {
      authorizations: [authorization("CAPTURED", "A2", "2026-11-30T10:00:00Z"), authorization("CREATED")],
      captures: [capture("COMPLETED", 40_00)],
    },
    false,
    { state: "captured", intentReference: "C1", authorizedCents: 99_00, capturedCents: 40_00, captureBefore: null },
  ],
  [
    "waits for its capture",
    "COMPLETED",
    { authorizations: [authorization("CAPTURED")], captures: [capture("PENDING")] },
    false,
    { state: "authorized", intentReference: "C1", capturedCents: 0 },
  ],
  [
    "has its capture declined",
    "COMPLETED",
    { authorizations: [authorization("CREATED")], captures: [capture("DECLINED")] },
    false,
    { state: "voided", capturedCents: 0 },
  ],
  [
    "is refunded, with one refund pending and one canceled",
    "COMPLETED",
    {
      authorizations: [authorization("CAPTURED")],
      captures: [capture("PARTIALLY_REFUNDED")],
      refunds: [
        { ...capture("COMPLETED", 10_00, "R1"), custom_id: "the-action" },
        capture("PENDING", 20_00, "R2"),
        capture("CANCELLED", 30_00, "R3"),
      ],
    },
    false,
    {
      state: "captured",
      capturedCents: 99_00,
      refundedCents: 10_00,
      refunds: [
        { reference: "R1", actionId: "the-action", cents: 10_00, state: "done" },
        { reference: "R2", actionId: null, cents: 20_00, state: "pending" },
        { reference: "R3", actionId: null, cents: 30_00, state: "failed" },
      ],
    },
  ],
])("an order %s", (_what, status, payments, isOpen, expected) => {
  expect(snapshotOf(status, payments, isOpen)).toMatchObject({ amountCents: 99_00, currency: "usd", ...expected });
});
