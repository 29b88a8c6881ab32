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
const NEXUS: Record<string, Threshold | null> = {
  AK: sales(100_000_00),
  AL: sales(250_000_00),
  AR: either(100_000_00, 200),
  AZ: sales(100_000_00),
  CA: sales(500_000_00),
  CO: sales(100_000_00),
  CT: both(100_000_00, 200),
  DE: null,
  FL: sales(100_000_00),
  GA: either(100_000_00, 200),
  HI: either(100_000_00, 200),
  IA: sales(100_000_00),
  ID: sales(100_000_00),
  IL: sales(100_000_00),
  IN: sales(100_000_00),
  KS: sales(100_000_00),
  KY: either(100_000_00, 200),
  LA: sales(100_000_00),
  MA: sales(100_000_00),
  MD: either(100_000_00, 200),
  ME: sales(100_000_00),
  MI: either(100_000_00, 200),
  MN: either(100_000_00, 200),
  MO: sales(100_000_00),
  MS: sales(250_000_00),
  MT: null,
  NC: sales(100_000_00),
  ND: sales(100_000_00),
  NE: either(100_000_00, 200),
  NH: null,
  NJ: either(100_000_00, 200),
  NM: sales(100_000_00),
  NV: either(100_000_00, 200),
  NY: both(500_000_00, 100),
  OH: either(100_000_00, 200),
  OK: sales(100_000_00),
  OR: null,
  PA: sales(100_000_00),
  RI: either(100_000_00, 200),
  SC: sales(100_000_00),
  SD: sales(100_000_00),
  TN: sales(100_000_00),
  TX: sales(500_000_00),
  UT: sales(100_000_00),
  VA: either(100_000_00, 200),
  VT: either(100_000_00, 200),
  WA: sales(100_000_00),
  WI: sales(100_000_00),
  WV: either(100_000_00, 200),
  WY: sales(100_000_00),
};

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
