/** A return until it arrives: requested, authorized, declined, withdrawn, or not sent in time. */
import { shareOut } from "#shop/money.ts";
import { daysAfter } from "#shop/new-york-time.ts";
import { withdrawLinked } from "#shop/orders/actions/pay.ts";
import { stockOf } from "#shop/orders/actions/parcels.ts";
import { newRefund } from "#shop/orders/actions/refund-money.ts";
import { boundItems } from "#shop/orders/refund-items.ts";
import { merge, refused, type Change, type DecidedBy } from "#shop/orders/change.ts";
import type { Facts, Line, ReturnedUnit, Unit } from "#shop/orders/facts.ts";
import { discountOf } from "#shop/orders/unit-history.ts";
import { mayComeBack } from "#shop/orders/lines.ts";
import { type OrderState, type UnitState } from "#shop/orders/state.ts";
import { returnPolicy } from "#shop/policies.ts";
import { isAllowed } from "../lifecycle.ts";
import type { RefuseReason } from "../return.ts";
import {
  changed,
  isAstray,
  keptFee,
  rowsOf,
  shippingBack,
  UNCHANGED,
  wrongState,
  type ReturnCase,
  type ReturnDecision,
  type ReturnRow,
} from "../facts.ts";

/** A product that is set aside or sent for a return, with the tax of all of its units. */
export type Wanted = Pick<Line, "productId" | "name" | "priceCents" | "taxCents" | "warrantyYears">;

/** A line that the shop sends for a return, with a unit for each that it replaces; its stock is taken. */
export function newUnits(
  facts: Facts,
  wanted: Wanted,
  { replaces, returnId, isReserved }: { replaces: readonly (number | null)[]; returnId: string; isReserved: boolean },
  act: DecidedBy,
): Change {
  const { lines, units: known } = facts;
  const last = Math.max(0, ...known.map(({ number }) => number));
  const { productId, priceCents, taxCents } = wanted;
  const line: Line = {
    ...wanted,
    id: act.newId(),
    quantity: replaces.length,
    position: Math.max(0, ...lines.map(({ position }) => position)) + 1,
    shipsFrom: null,
    returnId,
  };
  const taxes = shareOut(taxCents, Array<number>(replaces.length).fill(1));
  const units = replaces.map((unit, place): Unit => ({
    number: last + place + 1,
    lineId: line.id,
    priceCents: Math.max(0, priceCents - discountOf(facts, unit)),
    taxCents: taxes[place]!,
    replaces: unit,
    waivedCents: 0,
    carriedCents: 0,
    returnId,
    isReserved,
    isOwn: false,
    canceledAt: null,
    canceledBy: null,
    cancelReason: null,
  }));
  const stock = productId ? units.map(() => ({ productId, delta: -1, reason: "placed" as const })) : [];
  return { lines: [line], units, stock };
}

export type ReturnRequest = {
  row: ReturnRow;
  units: readonly number[];
  /** The product wanted in an exchange, whose units are set aside. */
  wanted: Wanted | null;
};

/**
 * Requests a return of units that have shipped. One whose shipping the customer pays is authorized at once. Refusals:
 * 'nothing-chosen', 'line' for a unit that cannot come back.
 */
export function requestReturn(
  order: OrderState,
  { row, units, wanted }: ReturnRequest,
  act: DecidedBy,
): ReturnDecision {
  const chosen = order.units.filter(({ number }) => units.includes(number));
  if (chosen.length === 0) return refused("nothing-chosen");
  const no = chosen.find((unit) => !mayComeBack(unit));
  if (no) return refused("line", { name: no.name });
  const returned: ReturnedUnit[] = chosen.map(({ number }, place) => ({
    returnId: row.id,
    unit: number,
    condition: null,
    isRestocked: false,
    promisesShipping: place === 0 && row.kind !== "exchange" && shippingBack(order, row) !== null,
    receivedAt: null,
    goesBackAt: null,
    endedAt: null,
  }));
  const isPlain = (row.kind === "return" || row.kind === "exchange") && row.labelBy === "customer";
  const data = { kind: row.kind };
  if (!isPlain) {
    const said = changed(row, "requested", { data, queued: "return-requested" });
    return { ok: true, change: merge({ returned }, said), row };
  }
  const authorized = authorizeUnits({ order, row }, { wanted, units: chosen, labelUrl: null }, act);
  return {
    ok: true,
    change: merge({ returned }, changed(row, "requested", { data }), authorized.change),
    row: { ...row, ...authorized.row },
  };
}

type Authorization = { wanted: Wanted | null; labelUrl: string | null };

/**
 * Authorizes a requested return, or again one that was not sent in time or withdrawn: the customer gets its number and address, and an
 * exchange sets its units aside. Days to send it count from today, or from the day on which the label is there that the
 * shop owes. Refusals: 'state', also if units are in another return meanwhile.
 */
export function authorize(
  given: ReturnCase,
  { wanted, labelUrl, as }: Authorization & { as: "authorized" | "reopened" },
  act: DecidedBy,
): ReturnDecision {
  const { order, row } = given;
  if (as === "reopened" && row.state === "authorized") return UNCHANGED;
  if (!isAllowed(as, row.state)) return wrongState(given);
  const ended = order.facts.returned.filter(({ returnId }) => as === "reopened" && returnId === row.id);
  const units = order.units.filter(
    (unit) => unit.inReturn === row.id || ended.some((each) => each.unit === unit.number),
  );
  if (!units.every((unit) => unit.inReturn === row.id || mayComeBack(unit))) return wrongState(given);
  const { change, row: set } = authorizeUnits(given, { wanted, labelUrl, units, as }, act);
  const isPromised = shippingBack(order, row) !== null;
  const returned = ended.map((unit) => ({
    ...unit,
    endedAt: null,
    promisesShipping: unit.promisesShipping && isPromised,
  }));
  return { ok: true, change: merge({ returned }, change), row: set };
}

function authorizeUnits(
  { order, row }: ReturnCase,
  {
    wanted,
    units,
    labelUrl,
    as = "authorized",
  }: Authorization & { units: readonly UnitState[]; as?: "authorized" | "reopened" },
  act: DecidedBy,
) {
  const url = labelUrl ?? row.labelUrl;
  const owesLabel = row.labelBy === "us" && url === null;
  const replaces = units.map(({ number }) => number);
  const reserved =
    row.kind === "exchange" && wanted
      ? newUnits(order.facts, wanted, { replaces, returnId: row.id, isReserved: true }, act)
      : {};
  return {
    change: merge(reserved, changed(row, as, { queued: "return-authorized" })),
    row: {
      state: "authorized" as const,
      labelUrl: url,
      authorizedAt: act.at,
      shipBy: owesLabel ? null : daysAfter(act.today, returnPolicy.shipBackDays),
      remindedAt: null,
    },
  };
}

/** Adds the label that the shop owes, from which the days to send it count. Refusals: 'state', 'no-label-owed'. */
export function addLabel(given: ReturnCase, { labelUrl }: { labelUrl: string }, act: DecidedBy): ReturnDecision {
  const { row } = given;
  if (row.labelUrl === labelUrl) return UNCHANGED;
  if (row.state !== "authorized") return wrongState(given);
  if (row.labelBy !== "us") return refused("no-label-owed");
  return {
    ok: true,
    change: changed(row, "label-added", { queued: "return-label" }),
    row: { labelUrl, shipBy: daysAfter(act.today, returnPolicy.shipBackDays), remindedAt: null },
  };
}

/** Reminds the customer once, some days before the last day to send it; nothing happens while the shop owes the label. */
export function remind({ row }: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const { shipBackDays, reminderAfterDays } = returnPolicy;
  const isDue =
    row.state === "authorized" &&
    row.remindedAt === null &&
    row.shipBy !== null &&
    daysAfter(row.shipBy, reminderAfterDays - shipBackDays) <= act.today;
  if (!isDue) return UNCHANGED;
  return { ok: true, change: changed(row, "reminded", { queued: "return-reminder" }), row: { remindedAt: act.at } };
}

/** Ends a return that was not sent in time. */
export function expire(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const { state, shipBy } = given.row;
  const isDue =
    state === "authorized" && shipBy !== null && daysAfter(shipBy, returnPolicy.expiresAfterDays) < act.today;
  return isDue ? endReturn(given, { as: "expired" }, act) : UNCHANGED;
}

/** Ends a return whose package was refused or lost before it reached its buyer: what is in it comes back, or goes out again, by itself. */
export function endAstray(given: ReturnCase, _input: object, act: DecidedBy): ReturnDecision {
  const { id: returnId, state } = given.row;
  if (!((state === "requested" || state === "authorized") && isAstray(given))) return UNCHANGED;
  const ended = endReturn(given, { as: "withdrawn", isTold: false }, act);
  const emails = [{ template: "return-not-needed" as const, returnId }];
  return ended.ok ? { ...ended, change: merge(ended.change, { emails }) } : ended;
}

/** Answers a request with simple checks, which may solve it. Refused with 'state'. */
export function sendChecks(given: ReturnCase, { text }: { text: string }): ReturnDecision {
  const { row } = given;
  if (row.state !== "requested") return wrongState(given);
  const email = { template: "return-checks" as const, returnId: row.id, text };
  return { ok: true, change: merge(changed(row, "checks-sent"), { emails: [email] }), row: {} };
}

/** End of a return before it arrives: of its reserved units and unpaid charges, with a refund of the fee that was paid. */
export function endUnreturned(given: ReturnCase, act: DecidedBy): Change {
  const { order, row } = given;
  const reserved = order.units.filter((unit) => unit.returnId === row.id && unit.place === "reserved");
  const asked = order.charges.filter((each) => each.returnId === row.id && each.state === "asked");
  const fee = { kind: "fee" as const, unit: null, cents: keptFee(given), taxCents: 0 };
  const refundedFee = boundItems([{ item: fee, wantedCents: fee.cents }], order.money).filter(({ cents }) => cents > 0);
  return merge(
    {
      units: order.facts.units
        .filter(({ number }) => reserved.some((unit) => unit.number === number))
        .map((unit) => ({
          ...unit,
          isReserved: false,
          canceledAt: act.at,
          canceledBy: act.by,
          cancelReason: "return-ended",
        })),
      stock: stockOf(reserved, 1, "canceled"),
      returned: rowsOf(given).map((unit) => ({ ...unit, endedAt: act.at })),
    },
    ...asked.map((charge) => withdrawLinked(order, charge, act)),
    refundedFee.length > 0 ? newRefund(order, refundedFee, { reason: "fee", returnId: row.id }, act) : {},
  );
}

const ENDS = {
  declined: { from: ["requested"], queued: "return-declined" },
  withdrawn: { from: ["requested", "authorized"], queued: "return-withdrawn" },
  expired: { from: ["authorized"], queued: "return-expired" },
} as const;

type End = { as: keyof typeof ENDS; refuseReason?: RefuseReason | null; isTold?: boolean };

/** Ends a return that has not arrived. Refusals: 'state', 'under-way' while its fee is being charged. */
export function endReturn(
  given: ReturnCase,
  { as, refuseReason = null, isTold = true }: End,
  act: DecidedBy,
): ReturnDecision {
  const { row, order } = given;
  if (row.state === as) return UNCHANGED;
  const { from, queued } = ENDS[as];
  if (!(from as readonly string[]).includes(row.state)) return wrongState(given);
  const isTaking = order.charges.some(({ returnId, isUnderWay }) => returnId === row.id && isUnderWay);
  if (isTaking) return refused("under-way");
  const said = changed(row, as, {
    ...(refuseReason && { data: { reason: refuseReason } }),
    ...(isTold && { queued }),
  });
  return { ok: true, change: merge(endUnreturned(given, act), said), row: { state: as, refuseReason } };
}
