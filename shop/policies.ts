/** What the shop promises in numbers (SPEC 9): the texts read them here, and nowhere else. */
import { FREE_SHIPPING_FROM_CENTS, SHIPPING_METHODS } from "./cart/totals.ts";
import { MAX_LINE_QUANTITY } from "./catalog/stock.ts";

const range = (from: number, to: number) => `${from}-${to}`;

export const policy = {
  effectiveDate: "January 1, 2025",
  supportHours: "Mon-Fri 9 AM-6 PM EST",

  freeShippingFrom: dollars(FREE_SHIPPING_FROM_CENTS),
  shippingMethods: Object.values(SHIPPING_METHODS).map(({ name, window, priceCents }) => ({
    name,
    window,
    price: dollars(priceCents),
  })),
  maxLineQuantity: MAX_LINE_QUANTITY,

  warrantyYears: 2,
  partsWarrantyYears: 1,
  replacementPartDays: 90,
  registrationDays: 30,
  repairBusinessDays: range(10, 15),
  temperatureToleranceF: 2,
  power: "120V AC 60Hz",
  filterMonths: 6,
  extendedPlanDays: 30,
  diagnosticFee: dollars(35_00),

  returnDays: 30,
  shipBackDays: 7,
  refundBusinessDays: range(5, 7),
  refundBankDays: range(3, 5),
  exchangeDays: 30,
  defectReportDays: 7,
  cancellationRefundBusinessDays: range(3, 5),

  liabilityFloor: dollars(100_00),
  arbitrationFeesUpTo: dollars(10_000_00),
  arbitrationOptOutDays: 30,
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
  gdprAnswerDays: 30,
  ccpaAnswerDays: 45,

  batteryHours: 48,
  chargeHours: 2,
} as const;

/** An amount as a sentence says it: $100, $10,000, $9.99. */
function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  });
}
