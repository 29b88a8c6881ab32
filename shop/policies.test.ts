/** The numbers that the shop was asked for, said once more: whoever changes a policy changes them here, and in no other test. */
import { expect, it } from "vitest";
import { cartPolicy, policy, productPolicy, returnPolicy, shippingPolicy, warrantyPolicy } from "./policies.ts";

it("the shop promises what it was asked to promise", () => {
  expect({ cartPolicy, shippingPolicy, returnPolicy, warrantyPolicy, productPolicy, policy }).toEqual({
    cartPolicy: { maxLineQuantity: 10 },
    shippingPolicy: {
      freeFromCents: 100_00,
      standard: { priceCents: 9_99, businessDays: { min: 5, max: 7 } },
      express: { priceCents: 19_99, businessDays: { min: 2, max: 3 } },
      overnight: { priceCents: 34_99, businessDays: { min: 1, max: 1 } },
      shipWithinDays: 30,
    },
    returnPolicy: {
      returnDays: 30,
      shipBackDays: 7,
      refundBusinessDays: { min: 5, max: 7 },
      refundBankDays: { min: 3, max: 5 },
      exchangeDays: 30,
      defectReportDays: 7,
      cancellationRefundBusinessDays: { min: 3, max: 5 },
    },
    warrantyPolicy: {
      warrantyYears: 2,
      partsWarrantyYears: 1,
      replacementPartDays: 90,
      registrationDays: 30,
      repairBusinessDays: { min: 10, max: 15 },
      extendedPlanDays: 30,
      diagnosticFeeCents: 35_00,
    },
    productPolicy: {
      temperatureToleranceF: 2,
      filterMonths: 6,
      batteryHours: 48,
      chargeHours: 2,
      power: "120V AC 60Hz",
    },
    policy: {
      effectiveDate: "2025-01-01",
      supportHours: "Mon-Fri 9 AM-6 PM EST",
      liabilityFloorCents: 100_00,
      disputeTalkDays: 60,
      arbitrationFeesUpToCents: 10_000_00,
      arbitrationOptOutDays: 30,
      longDelayDays: 30,
      governingState: "Delaware",
      courts: "New Castle County",
      paymentMethods: "credit and debit cards, PayPal, Apple Pay, and Google Pay",
      minimumAge: 18,
      childAge: 13,
      guestCookieYears: 1,
      deviceCookieYears: 1,
      sessionDays: 30,
      breachNoticeHours: 72,
      securityLogDays: 90,
      accountInactiveYears: 5,
      transactionYears: 7,
      marketingInactiveYears: 2,
      supportYears: 3,
      gdprResponseDays: 30,
      ccpaResponseDays: 45,
    },
  });
});
