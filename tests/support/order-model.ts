/**
 * A random life of an order, without a database: steps chosen by numbers, a payment provider in memory, and whatever the
 * state of the order allows. A step that is refused changes nothing.
 */
import { apply, type DecidedBy } from "#shop/orders/change.ts";
import type { Facts } from "#shop/orders/facts.ts";
import { follow } from "#shop/orders/follow.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { shipBy } from "#shop/shipping/methods.ts";
import type { ReturnDecision, ReturnRow } from "#shop/returns/facts.ts";
import { ORDER_STEPS } from "./order-steps.ts";
import { pick, type Tried, type World } from "./order-world.ts";
import { RETURN_STEPS } from "./return-steps.ts";

/** A step: which, and three numbers from which it chooses. */
export type Step = [kind: number, a: number, b: number, c: number];

const STEPS: Record<string, Tried> = { ...ORDER_STEPS, ...RETURN_STEPS };

/** Weights by which a step is tried first: what carries an order on more than what ends it. */
const WEIGHTS: Partial<Record<keyof typeof STEPS, number>> = {
  pay: 4,
  settle: 12,
  ship: 8,
  news: 8,
  "pay-link": 4,
  "request-return": 6,
  authorize: 4,
  receive: 6,
  inspect: 6,
  "resolve-return": 8,
  "carry-on-return": 16,
  announce: 2,
  "announce-early": 3,
  approve: 3,
  move: 2,
  "record-payment": 2,
  "record-paid": 3,
  "record-sent": 2,
  "refunded-elsewhere": 3,
  dispute: 2,
};
const WEIGHTED = Object.keys(STEPS).flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name));
const DAYS = WEIGHTED.length;
export const STEP_KINDS = DAYS + 6;
/** A step that is refused gives way to the next of the list, so that most steps change something. */
const TRIES = 6;

/** Takes one step, or lets a day pass. The world is the same one if nothing changed. */
export function take(world: World, [kind, a, b, c]: Step): World {
  if (kind >= DAYS + 4) return { ...world, hour: Math.max(world.hour, a % 24) };
  if (kind >= DAYS) return { ...world, day: daysAfter(world.day, 1 + (a % 4)), hour: b % 24 };
  const state = orderState(world.facts);
  for (let place = 0; place < TRIES; place++) {
    const name = WEIGHTED[(kind + place * 7) % DAYS]!;
    const after = tryStep(world, state, name, [a, b, c]);
    if (after !== world) return after;
  }
  return world;
}

const HOUR_MS = 3_600_000;
/** Midnight in New York in winter. */
const midnightOf = (day: string) => new Date(`${day}T05:00:00Z`);

function tryStep(world: World, state: OrderState, name: string, numbers: [number, number, number]): World {
  const [a] = numbers;
  let ids = world.ids;
  const by = a % 5 === 0 ? "customer" : "staff";
  // Each step comes after the one before, at any hour of its day: in the evening the day has changed in UTC.
  const moment = new Date(midnightOf(world.day).getTime() + world.hour * HOUR_MS + world.history.length);
  const act: DecidedBy = {
    at: moment,
    today: newYorkDay(moment),
    by,
    shipBy: ({ shippingMethod }) => shipBy(FIRST_SETTINGS.shipping, shippingMethod, moment),
    // Ids of rows say nothing of their order.
    newId: () => `id-${(ids++ * 7_919) % 10_007}`,
  };
  const decision = STEPS[name]!(state, world, act, numbers);
  if (!decision?.ok || Object.keys(decision.change).length === 0) return world;
  const returns = "row" in decision ? withRow(world, name, decision, a) : world.returns;
  const change = follow(state, decision.change, act);
  const stock = { ...world.stock };
  for (const { productId, delta } of change.stock ?? []) stock[productId] = (stock[productId] ?? 0) + delta;
  const facts = asRead(apply(world.facts, change));
  return { ...world, facts, change, returns, stock, ids, history: [...world.history, name] };
}

/** Products of which more went back into stock than is canceled or came back. What a return sends was taken first. */
export const overstocked = ({ facts, stock }: World): string[] => {
  const { units } = orderState(facts);
  return Object.keys(stock).filter((product) => {
    const ofProduct = units.filter(({ productId }) => productId === product);
    const here = ofProduct.filter(({ place }) => place === "canceled" || place === "back" || place === "returned");
    return stock[product]! > here.length - ofProduct.filter(({ returnId }) => returnId !== null).length;
  });
};

const compare = (one: unknown, other: unknown): number => {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return (one as string) < (other as string) ? -1 : 1;
};

const sorted = <Row>(rows: readonly Row[], ...by: (keyof Row)[]): Row[] =>
  rows.toSorted((one, other) => {
    for (const field of by) {
      const [left, right] = [one, other].map((row) => (row[field] instanceof Date ? row[field].getTime() : row[field]));
      if (left !== right) return compare(left, right);
    }
    return 0;
  });

/** Rows in the order in which the database reads them. */
const asRead = (facts: Facts): Facts => ({
  ...facts,
  units: sorted(facts.units, "number"),
  parcels: sorted(facts.parcels, "createdAt", "id"),
  packed: sorted(facts.packed, "parcelId", "unit"),
  charges: sorted(facts.charges, "createdAt", "id"),
  chargeItems: sorted(facts.chargeItems, "chargeId", "unit", "kind"),
  refunds: sorted(facts.refunds, "createdAt", "id"),
  refundItems: sorted(facts.refundItems, "refundId", "unit", "kind"),
  waivers: sorted(facts.waivers, "createdAt", "id"),
  payments: sorted(facts.payments, "createdAt", "id"),
  attempts: sorted(facts.attempts, "createdAt", "id"),
  delays: sorted(facts.delays, "sentAt", "id"),
  returned: sorted(facts.returned, "returnId", "unit"),
});

function withRow(world: World, name: string, { row }: Extract<ReturnDecision, { ok: true }>, a: number): ReturnRow[] {
  if (name === "request-return") return [...world.returns, row as ReturnRow];
  const open = world.returns.filter(({ state: is }) => !["declined", "withdrawn", "closed"].includes(is));
  const changed = pick(open, a);
  return world.returns.map((each) => (each === changed ? { ...each, ...row } : each));
}
