/** When a parcel should arrive: business days, Monday to Friday, counted from the day on which it shipped in New York. */
import { SHIPPING_METHODS, type ShippingMethod } from "./methods.ts";

const SATURDAY = 6;
const SUNDAY = 0;

/** The day of a moment in New York, as midnight of that day in UTC: a day without a time. */
const newYorkDay = (at: Date) => new Date(at.toLocaleDateString("en-CA", { timeZone: "America/New_York" }));

function businessDaysAfter(start: Date, days: number): Date {
  const day = new Date(start);
  for (let left = days; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() !== SATURDAY && day.getUTCDay() !== SUNDAY) left--;
  }
  return day;
}

/** The first and the last day, midnight in UTC, on which it should arrive: the same where the method takes one day. */
export function expectedDelivery(method: ShippingMethod, shippedAt: Date): { from: Date; to: Date } {
  const { min, max } = SHIPPING_METHODS[method].businessDays;
  const shipped = newYorkDay(shippedAt);
  return { from: businessDaysAfter(shipped, min), to: businessDaysAfter(shipped, max) };
}
