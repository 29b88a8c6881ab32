/** Policy numbers and settings in words, with units. Texts use them as {policyWords().returnDays}, "30 days". */
import { formatMoneyShort } from "./money.ts";
import {
  cartPolicy,
  paymentPolicy,
  policy,
  productPolicy,
  returnPolicy,
  shippingPolicy,
  warrantyPolicy,
} from "./policies.ts";
import type { Settings } from "./settings/settings.ts";
import { transitWords, usualMethod } from "./shipping/methods.ts";
import { withUnit } from "./units.ts";

/** Formats YYYY-MM-DD as "January 1, 2025". */
export const dayText = (day: string): string =>
  new Date(day).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });

/** PolicyWords that only a developer changes. */
export const policyText = {
  maxLineQuantity: String(cartPolicy.maxLineQuantity),

  shipWithinDays: withUnit(shippingPolicy.shipWithinDays, "day"),

  shipBackDays: withUnit(returnPolicy.shipBackDays, "day"),
  refundBusinessDays: withUnit(returnPolicy.refundBusinessDays, "business day"),
  refundBankDays: withUnit(returnPolicy.refundBankDays, "day"),
  cancellationRefundBusinessDays: withUnit(returnPolicy.cancellationRefundBusinessDays, "business day"),

  warrantyYears: withUnit(warrantyPolicy.warrantyYears, "year"),
  warrantyYearsAdjective: `${warrantyPolicy.warrantyYears}-year`,
  partsWarrantyYears: withUnit(warrantyPolicy.partsWarrantyYears, "year"),
  partsWarrantyYearsTitle: `${warrantyPolicy.partsWarrantyYears}-Year`,
  replacementPartDays: withUnit(warrantyPolicy.replacementPartDays, "day"),
  registrationDays: withUnit(warrantyPolicy.registrationDays, "day"),
  repairBusinessDays: withUnit(warrantyPolicy.repairBusinessDays, "business day"),
  extendedPlanDays: withUnit(warrantyPolicy.extendedPlanDays, "day"),
  diagnosticFee: formatMoneyShort(warrantyPolicy.diagnosticFeeCents),

  temperatureTolerance: withUnit(productPolicy.temperatureToleranceF, "degree"),
  temperatureToleranceF: `${productPolicy.temperatureToleranceF}°F`,
  filterMonths: withUnit(productPolicy.filterMonths, "month"),
  filtersPerYear: String(12 / productPolicy.filterMonths),
  filterMonthsAdjective: `${productPolicy.filterMonths}-month`,
  batteryHours: withUnit(productPolicy.batteryHours, "hour"),
  chargeHours: withUnit(productPolicy.chargeHours, "hour"),
  power: productPolicy.power,

  liabilityFloor: formatMoneyShort(policy.liabilityFloorCents),
  disputeTalkDays: withUnit(policy.disputeTalkDays, "day"),
  arbitrationFeesUpTo: formatMoneyShort(policy.arbitrationFeesUpToCents),
  arbitrationOptOutDays: withUnit(policy.arbitrationOptOutDays, "day"),
  longDelayDays: withUnit(policy.longDelayDays, "day"),
  governingState: policy.governingState,
  courts: policy.courts,
  paymentMethods: policy.paymentMethods,
  chargedAtShippingAfterDays: withUnit(paymentPolicy.chargedAtShippingAfterDays, "day"),
  chargeNoticeDays: withUnit(paymentPolicy.chargeNoticeDays, "day"),
  refusedChargeDays: withUnit(paymentPolicy.refusedCharge.keptDays, "day"),
  reservationMinutes: withUnit(paymentPolicy.reservationMinutes, "minute"),
  minimumAge: String(policy.minimumAge),
  childAge: String(policy.childAge),

  orderInFull: withUnit(policy.orderInFullMinutes, "minute"),
  guestCookieYears: withUnit(policy.guestCookieYears, "year"),
  deviceCookieYears: withUnit(policy.deviceCookieYears, "year"),
  sessionDays: withUnit(policy.sessionDays, "day"),
  flashMinutes: withUnit(policy.flashMinutes, "minute"),
  invitationDays: withUnit(policy.invitationDays, "day"),
  discountCodeDays: withUnit(policy.discountCodeDays, "day"),
  breachNoticeHours: withUnit(policy.breachNoticeHours, "hour"),
  securityLogDays: withUnit(policy.securityLogDays, "day"),
  accountInactiveYears: withUnit(policy.accountInactiveYears, "year"),
  transactionYears: withUnit(policy.transactionYears, "year"),
  marketingInactiveYears: withUnit(policy.marketingInactiveYears, "year"),
  supportYears: withUnit(policy.supportYears, "year"),
  gdprResponseDays: withUnit(policy.gdprResponseDays, "day"),
  ccpaResponseDays: withUnit(policy.ccpaResponseDays, "day"),
} as const;

/** The numbers of texts: those above, and those of the settings. */
export const policyWordsOf = ({ shipping, returns, contact }: Settings) => ({
  ...policyText,

  supportHours: contact.supportHours,

  freeShippingFrom: formatMoneyShort(shipping.freeFromCents),
  standardShippingPrice: formatMoneyShort(shipping[usualMethod(shipping)].priceCents),
  standardArrival: `Arrives in ${transitWords(shipping, usualMethod(shipping))}`,

  returnDays: withUnit(returns.returnDays, "day"),
  returnDaysAdjective: `${returns.returnDays}-day`,
  returnDaysTitle: `${returns.returnDays}-Day`,
  exchangeDays: withUnit(returns.exchangeDays, "day"),
  defectReportDays: withUnit(returns.defectReportDays, "day"),
});
export type PolicyWords = ReturnType<typeof policyWordsOf>;
