/**
 * A random life of an order, without a database: steps chosen by numbers, a payment provider in memory, and whatever the
 * state of the order allows. A step that is refused changes nothing.
 */
import { apply, type DecidedBy } from "#shop/orders/facts.ts";
import { follow } from "#shop/orders/follow.ts";
import { orderState, type OrderState } from "#shop/orders/state.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import type { ReturnDecision, ReturnRow } from "#shop/returns/facts.ts";
import { ORDER_STEPS } from "./order-steps.ts";
import { at, pick, type Tried, type World } from "./order-world.ts";
import { RETURN_STEPS } from "./return-steps.ts";

/** A step: which, and three numbers from which it chooses. */
export type Step = [kind: number, a: number, b: number, c: number];

const STEPS: Record<string, Tried> = { ...ORDER_STEPS, ...RETURN_STEPS };

/** How often each step is tried first: what carries an order on more than what ends it. */
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
  announce: 2,
  "announce-early": 3,
  approve: 3,
  move: 2,
  "record-payment": 2,
};
const WEIGHTED = Object.keys(STEPS).flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name));
const DAYS = WEIGHTED.length;
export const STEP_KINDS = DAYS + 4;
/** A step that is refused gives way to the next of the list, so that most steps change something. */
const TRIES = 6;

/** Takes one step, or lets a day pass. The world is the same one if nothing changed. */
export function take(world: World, [kind, a, b, c]: Step): World {
  if (kind >= DAYS) return { ...world, day: daysAfter(world.day, 1 + (a % 4)) };
  const state = orderState(world.facts);
  for (let place = 0; place < TRIES; place++) {
    const name = WEIGHTED[(kind + place * 7) % DAYS]!;
    const after = tryStep(world, state, name, [a, b, c]);
    if (after !== world) return after;
  }
  return world;
}

function tryStep(world: World, state: OrderState, name: string, numbers: [number, number, number]): World {
  const [a] = numbers;
  let ids = world.ids;
  const by = a % 5 === 0 ? "customer" : "staff";
  // Each step comes after the one before.
  const moment = new Date(at(world.day).getTime() + world.history.length);
  const act: DecidedBy = {
    at: moment,
    today: world.day,
    by,
    shipBy: () => daysAfter(world.day, 3),
    newId: () => `id-${ids++}`,
  };
  const decision = STEPS[name]!(state, world, act, numbers);
  if (!decision?.ok || Object.keys(decision.change).length === 0) return world;
  const returns = "row" in decision ? withRow(world, name, decision, a) : world.returns;
  const change = follow(state, decision.change);
  return { ...world, facts: apply(world.facts, change), change, returns, ids, history: [...world.history, name] };
}

function withRow(world: World, name: string, { row }: Extract<ReturnDecision, { ok: true }>, a: number): ReturnRow[] {
  if (name === "request-return") return [...world.returns, row as ReturnRow];
  const open = world.returns.filter(({ state: is }) => !["declined", "withdrawn", "closed"].includes(is));
  const changed = pick(open, a);
  return world.returns.map((each) => (each === changed ? { ...each, ...row } : each));
}
