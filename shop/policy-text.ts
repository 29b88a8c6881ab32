/** Policy numbers in words, with units: {policyText.returnDays} is "30 days" on pages, in Markdown and in search. */
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
import { withUnit } from "./units.ts";

/** Formats YYYY-MM-DD as "January 1, 2025". */
export const dayText = (day: string): string =>
  new Date(day).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });

export const policyText = {
  supportHours: policy.supportHours,
  maxLineQuantity: String(cartPolicy.maxLineQuantity),

  freeShippingFrom: formatMoneyShort(shippingPolicy.freeFromCents),
  standardShippingPrice: formatMoneyShort(shippingPolicy.standard.priceCents),
  standardArrival: `Arrives in ${withUnit(shippingPolicy.standard.businessDays, "business day").replace("-", "–")}`,
  shipWithinDays: withUnit(shippingPolicy.shipWithinDays, "day"),

  returnDays: withUnit(returnPolicy.returnDays, "day"),
  returnDaysAdjective: `${returnPolicy.returnDays}-day`,
  returnDaysTitle: `${returnPolicy.returnDays}-Day`,
  shipBackDays: withUnit(returnPolicy.shipBackDays, "day"),
  refundBusinessDays: withUnit(returnPolicy.refundBusinessDays, "business day"),
  refundBankDays: withUnit(returnPolicy.refundBankDays, "day"),
  exchangeDays: withUnit(returnPolicy.exchangeDays, "day"),
  defectReportDays: withUnit(returnPolicy.defectReportDays, "day"),
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
  breachNoticeHours: withUnit(policy.breachNoticeHours, "hour"),
  securityLogDays: withUnit(policy.securityLogDays, "day"),
  accountInactiveYears: withUnit(policy.accountInactiveYears, "year"),
  transactionYears: withUnit(policy.transactionYears, "year"),
  marketingInactiveYears: withUnit(policy.marketingInactiveYears, "year"),
  supportYears: withUnit(policy.supportYears, "year"),
  gdprResponseDays: withUnit(policy.gdprResponseDays, "day"),
  ccpaResponseDays: withUnit(policy.ccpaResponseDays, "day"),
} as const;
