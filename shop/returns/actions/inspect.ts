/** Returns that have arrived: received, inspected, and the price of a repair. */

import { askToPay, withdrawLinked } from "#shop/orders/actions/pay.ts";
import { sendForReturn, stockOf } from "#shop/orders/actions/parcels.ts";
import { apply, merge, refused, type Change, type DecidedBy, type StockMove } from "#shop/orders/change.ts";
import { orderState } from "#shop/orders/state.ts";
import { businessDaysAfter, latestDay } from "#shop/new-york-time.ts";
import { returnPolicy, warrantyPolicy } from "#shop/policies.ts";
import type { ReturnKind } from "../lifecycle.ts";
import type { Condition, DeductionReason } from "../return.ts";
import {
  changed,
  isAstray,
  keptFee,
  openCharge,
  rowsOf,
  UNCHANGED,
  unitsOf,
  wrongState,
  type ReturnCase,
  type ReturnDecision,
} from "../facts.ts";

/** Last day of the promise that begins on a day: the refund, or the repair or replacement. */
export function dueDay(kind: ReturnKind, from: string): string {
  const isRepairing = kind === "warranty" || kind === "repair";
  const days = isRepairing ? warrantyPolicy.repairBusinessDays : returnPolicy.refundBusinessDays;
  return businessDaysAfter(from, days.max);
}

/** Asks for the diagnostic fee of a repair. Refusals: 'state', 'not-a-repair', 'astray', 'asked'. */
export function askFee(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const { row } = given;
  if (row.state !== "requested" && row.state !== "authorized") return wrongState(given);
  if (row.kind !== "repair") return refused("not-a-repair");
  if (isAstray(given)) return refused("astray");
  if (openCharge(given) || keptFee(given) > 0) return refused("asked");
  const fee = { kind: "fee" as const, unit: null, cents: warrantyPolicy.diagnosticFeeCents, taxCents: 0 };
  return { ok: true, change: merge(askToPay([fee], { returnId: row.id }, act), changed(row, "fee-asked")), row: {} };
}

/**
 * Records that the units of a return have arrived, from which its promised days count. Refusals: 'state', 'astray' if their
 * own parcel was refused or lost meanwhile: its way back is recorded with it.
 */
export function receive(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const { row } = given;
  if (row.state === "received") return UNCHANGED;
  if (row.state !== "authorized") return wrongState(given);
  if (isAstray(given)) return refused("astray");
  return {
    ok: true,
    change: merge(changed(row, "received", { queued: "return-received" }), {
      returned: rowsOf(given).map((unit) => ({ ...unit, receivedAt: act.at })),
    }),
    row: { state: "received", receivedAt: act.at, dueOn: dueDay(row.kind, act.today) },
  };
}

export type Inspection = {
  /** By unit: its condition, and whether it goes back on the shelf. */
  units: Record<number, { condition: Condition; isRestocked: boolean }>;
  deduction: { cents: number; reason: DeductionReason } | null;
};

/**
 * Records an inspection, once. Refusals: 'state', 'lines' if a unit is left out or the product stays the customer's,
 * 'deduction' if it is not between a cent and what was paid.
 */
export function inspect(given: ReturnCase, { units, deduction }: Inspection, act: DecidedBy): ReturnDecision {
  const { row } = given;
  if (row.state !== "received") return wrongState(given);
  const chosen = unitsOf(given);
  const isTheirs = row.kind === "warranty" || row.kind === "repair";
  const restocked = chosen.filter(({ number }) => units[number]?.isRestocked);
  if (chosen.some(({ number }) => !units[number]) || (isTheirs && restocked.length > 0)) return refused("lines");
  const paid = chosen.reduce((sum, { charged }) => sum + (charged?.cents ?? 0), 0);
  if (deduction && (isTheirs || !Number.isInteger(deduction.cents) || deduction.cents < 1 || deduction.cents > paid))
    return refused("deduction");
  const { cents = 0, reason = null } = deduction ?? {};
  return {
    ok: true,
    change: merge(changed(row, "inspected", { data: { deductionCents: cents }, queued: "return-inspected" }), {
      returned: rowsOf(given).map((unit) => ({ ...unit, ...units[unit.unit]! })),
      stock: stockOf(restocked, 1, "returned").map(ofReturn(row)),
    }),
    row: { state: "inspected", inspectedAt: act.at, deductionCents: cents, deductionReason: reason },
  };
}

const ofReturn =
  ({ id, number }: ReturnCase["row"]) =>
  (move: StockMove): StockMove => ({ ...move, returnId: id, note: number });

/** Tells the customer the price of a repair. Refusals: 'state', 'not-a-repair', 'price' below the fee that is paid. */
export function quote(given: ReturnCase, { cents }: { cents: number }, _act: DecidedBy): ReturnDecision {
  const { row } = given;
  if (row.state !== "inspected") return wrongState(given);
  if (row.kind !== "repair" || row.quoteAcceptedAt) return refused("not-a-repair");
  if (!Number.isInteger(cents) || cents < Math.max(1, keptFee(given))) return refused("price");
  const change = changed(row, "quoted", { data: { cents }, queued: "return-quoted" });
  return { ok: true, change, row: { state: "quoted", quoteCents: cents } };
}

/**
 * The customer's answer to the price. With a yes, a fee that is not paid is part of the price, which is asked for once the
 * repair is done; with a no, the product goes back and the fee stays due. Refusals: 'state', 'under-way' while the fee is
 * being charged, so that its state is known.
 */
export function answerQuote(given: ReturnCase, { isYes }: { isYes: boolean }, act: DecidedBy): ReturnDecision {
  const { order, row } = given;
  if (row.state !== "quoted") return wrongState(given);
  const charge = openCharge(given);
  if (charge?.isUnderWay) return refused("under-way");
  if (isYes) {
    const unpaid = charge ? withdrawLinked(order, charge, act) : {};
    return {
      ok: true,
      change: merge(unpaid, changed(row, "quote-accepted")),
      // A repair takes its days from the answer on.
      row: { state: "inspected", quoteAcceptedAt: act.at, dueOn: latestDay([row.dueOn, dueDay(row.kind, act.today)]) },
    };
  }
  return {
    ok: true,
    change: merge(goBack(given, act), changed(row, "quote-refused", { queued: "return-resolved" })),
    row: { state: "resolved", outcome: "sent-back", resolvedAt: act.at },
  };
}

/** The customer's own units go back, once nothing is due for them; restocked ones leave the shelf again. */
export function goBack(given: ReturnCase, act: DecidedBy, before: Change = {}): Change {
  const { order, row } = given;
  const rows = rowsOf(given);
  const shelved = order.units.filter(({ number }) =>
    rows.some(({ unit, isRestocked }) => unit === number && isRestocked),
  );
  const gone = merge(before, {
    returned: rows.map((unit) => ({ ...unit, goesBackAt: act.at, isRestocked: false })),
    units: order.facts.units
      .filter(({ number }) => rows.some(({ unit }) => unit === number))
      .map((unit) => ({ ...unit, isOwn: true })),
    stock: stockOf(shelved, -1, "resent").map(ofReturn(row)),
  });
  const after = orderState(apply(order.facts, gone));
  return merge(gone, openCharge({ order: after, row }) ? {} : sendForReturn(after, row.id, act));
}
