/**
 * Economic nexus: the sales in a state, in a year, from which a seller without a place of business there must register and
 * collect its sales tax. Source: the state-by-state chart of the Sales Tax Institute, with the changes in force at the end of
 * 2025 (Utah from July 2025, Illinois from January 2026). States change it; their revenue departments say what counts.
 */
import { formatMoneyShort, formatNumber } from "#shop/money.ts";

type Threshold = { salesCents: number; orders: number | null; needsBoth: boolean };

const sales = (salesCents: number): Threshold => ({ salesCents, orders: null, needsBoth: false });
const either = (salesCents: number, orders: number): Threshold => ({ salesCents, orders, needsBoth: false });
const both = (salesCents: number, orders: number): Threshold => ({ salesCents, orders, needsBoth: true });

export const NEXUS_AS_OF = "January 2026";

/** Null for states without a sales tax of their own. */
const STATES: [Threshold | null, states: string][] = [
  [sales(100_000_00), "AK AZ CO FL IA ID IL IN KS LA MA ME MO NC ND NM OK PA SC SD TN UT WA WI WY"],
  [either(100_000_00, 200), "AR GA HI KY MD MI MN NE NJ NV OH RI VA VT WV"],
  [sales(250_000_00), "AL MS"],
  [sales(500_000_00), "CA TX"],
  [both(100_000_00, 200), "CT"],
  [both(500_000_00, 100), "NY"],
  [null, "DE MT NH OR"],
];
const NEXUS: Record<string, Threshold | null> = Object.fromEntries(
  STATES.flatMap(([threshold, states]) => states.split(" ").map((state) => [state, threshold])),
);

/** "$100,000 or 200 orders"; null for a state without a sales tax. */
export function nexusWords(state: string): string | null {
  const threshold = NEXUS[state];
  if (!threshold) return null;
  const { salesCents, orders, needsBoth } = threshold;
  const money = formatMoneyShort(salesCents);
  return orders === null ? money : `${money} ${needsBoth ? "and" : "or"} ${formatNumber(orders)} orders`;
}

/** Share of the threshold that is reached: 1 is all of it. Null for a state without a sales tax. */
export function nexusReached(state: string, sold: { salesCents: number; orders: number }): number | null {
  const threshold = NEXUS[state];
  if (!threshold) return null;
  const bySales = sold.salesCents / threshold.salesCents;
  if (threshold.orders === null) return bySales;
  const byOrders = sold.orders / threshold.orders;
  return threshold.needsBoth ? Math.min(bySales, byOrders) : Math.max(bySales, byOrders);
}
