/** Decisions as changes of the facts. `apply` makes a change in memory, as writeChange does in the database. */
import { KEYS, type Facts, type OrderRow, type Rows } from "./facts.ts";
import type { EmailJobs } from "#shop/mail/email.ts";
import type { OrderActor, OrderEvent } from "./lifecycle.ts";

export type StockMove = {
  productId: string;
  delta: number;
  reason: "canceled" | "returned" | "resent" | "placed";
  /** Return with which it came back. */
  returnId?: string;
  note?: string;
};
export type EventData = Record<string, string | number | boolean | null>;
export type Happened = { type: OrderEvent; data?: EventData };
/** An email about the order, or about a return of it, with what it says as it was when it happened. */
export type Email = {
  [Name in keyof EmailJobs]: EmailJobs[Name] extends { orderId: string } | { returnId: string }
    ? { template: Name } & Omit<EmailJobs[Name], "orderId">
    : never;
}[keyof EmailJobs];

/** Result of a decision: rows to insert or to replace, by key, and what follows from them. */
export type Change = Partial<Rows> & {
  order?: Partial<OrderRow>;
  stock?: readonly StockMove[];
  events?: readonly Happened[];
  emails?: readonly Email[];
  /** Attempts to run at their providers after the commit. */
  run?: readonly string[];
};

/** A refusal is a value: its reason, and what the words of it need. */
export type Refusal = { ok: false; reason: string; name?: string; left?: number; cents?: number; day?: string };
export type Decision = { ok: true; change: Change } | Refusal;

/** Why a member of the staff may not give this away. */
export type LimitRefusal =
  | { ok: false; reason: "unverified" }
  | { ok: false; reason: "limit"; cents: number; refundedCents: number };

export const decided = (...parts: readonly Change[]): Decision => ({ ok: true, change: merge(...parts) });
export const refused = <Reason extends string>(reason: Reason, more: Omit<Refusal, "ok" | "reason"> = {}) =>
  ({ ok: false, reason, ...more }) as const;
export const NOTHING: Decision = { ok: true, change: {} };

/** One change of several; of rows with one key the later counts. */
export function merge(...parts: readonly Change[]): Change {
  const all: Record<string, unknown> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) {
      const before = all[name];
      all[name] =
        name === "order"
          ? { ...(before as object), ...(value as object) }
          : [...((before as unknown[]) ?? []), ...(value as unknown[])];
    }
  return all as Change;
}

/** The facts after a change. */
export function apply(facts: Facts, change: Change): Facts {
  const after: Record<string, unknown> = { ...facts, order: { ...facts.order, ...change.order, stored: null } };
  for (const table of Object.keys(KEYS) as (keyof Rows)[]) {
    const rows = change[table];
    if (!rows) continue;
    const key = KEYS[table] as (row: unknown) => string;
    const byKey = new Map<string, unknown>([...facts[table], ...rows].map((row) => [key(row), row]));
    after[table] = [...byKey.values()];
  }
  return after as Facts;
}

/** Actor and time of a decision, and the ids of what it makes. */
export type DecidedBy = {
  at: Date;
  /** Day by whose end leaves what is promised now, by the rules under which its order was placed. */
  shipBy(order: Pick<OrderRow, "placedAt" | "shippingMethod">): string;
  /** Day of `at` in New York. */
  today: string;
  by: OrderActor;
  staffId?: string | null;
  newId(): string;
};
