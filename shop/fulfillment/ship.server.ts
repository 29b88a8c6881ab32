/** Shipping: what a parcel holds is charged first, and leaves once that succeeds. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { NOTHING, refused, type Decision, type DecidedBy, type Refusal as Refused } from "#shop/orders/change.ts";
import type { Facts } from "#shop/orders/facts.ts";
import { shipsTo } from "#shop/orders/actions/change-address.ts";
import { isSameParcel, ship, toPack } from "#shop/orders/actions/ship.ts";
import { chooseUnits, type ByLine } from "#shop/orders/choose.ts";
import type { OrderStatus } from "#shop/orders/lifecycle.ts";
import { mayShip, type OrderState, type UnitState } from "#shop/orders/state.ts";
import { withOrder } from "#shop/orders/run.server.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { runAction } from "#shop/payments/run-action.server.ts";
import { audit, staff } from "./locked-order.server.ts";
import { type CarrierCode, readTrackingNumber } from "./shipment.ts";
import { shipments } from "./shipment.tables.ts";

export type Parcel = {
  carrier: CarrierCode;
  trackingNumber: string;
  /** Units by order line; all that is left if omitted. */
  units?: ByLine;
  /** The label that was bought for it, which ships once. */
  labelId?: string;
  /** Address that the submitted page showed, as one text. */
  addressSeen?: string | undefined;
};

export type ShipResult =
  | {
      ok: true;
      shipmentId: string;
      /** `waiting`: the capture has no outcome yet; jobs ask the provider again. */
      state: "shipped" | "waiting";
      /** This parcel was recorded before; nothing changed. */
      repeated: boolean;
    }
  | {
      ok: false;
      reason:
        | "not-found"
        | "tracking-number"
        | "on-hold"
        | "under-way"
        | "nothing-left"
        | "disputed"
        | "mismatch"
        | "to-cancel"
        | "nothing-chosen"
        | "not-paid"
        | "not-announced"
        | "capture-failed"
        | "meanwhile";
    }
  | { ok: false; reason: "announced"; day: string }
  | { ok: false; reason: "status"; status: OrderStatus }
  | { ok: false; reason: "units"; name: string; unitsLeft: number };

type Refusal = Extract<ShipResult, { ok: false }>;

/**
 * The chosen units of each line, or why they cannot ship; their payment is not looked at. What the order refuses at all
 * comes before the units that it lacks.
 */
export function packByLine(state: OrderState, asked?: ByLine): UnitState[] | Refused {
  const chosen = asked && chooseUnits(state, asked, mayShip);
  if (!chosen || "length" in chosen) return toPack(state, chosen);
  const none = toPack(state, []);
  return "reason" in none && none.reason !== "nothing-chosen" ? none : chosen;
}

/** Ships the chosen units of each line. */
export function shipByLine(state: OrderState, { units, addressSeen, ...parcel }: Parcel, act: DecidedBy): Decision {
  if (state.facts.parcels.some((each) => isSameParcel(each, parcel))) return NOTHING;
  const packed = packByLine(state, units);
  if ("reason" in packed) return packed;
  if (addressSeen !== undefined && !shipsTo(state, addressSeen)) return refused("meanwhile");
  return ship(state, { ...parcel, units: packed.map(({ number }) => number) }, act);
}

/**
 * Ships a parcel of an order. The first one captures the payment and ships once that succeeds; later ones ship at once,
 * as does an order whose payment staff recorded. With a saved card, each parcel is charged by itself, as it was announced,
 * and ships once that succeeds. A repeated parcel changes nothing. Refusals: 'tracking-number' if it does not match the
 * carrier, 'status', 'on-hold', 'under-way' while another parcel waits for its capture, 'nothing-left', 'disputed', 'mismatch', 'to-cancel', 'nothing-chosen',
 * 'units' if a line has fewer left, 'not-paid', 'not-announced', 'announced' for a later `day`, 'capture-failed',
 * 'meanwhile' if the address is another than was shown.
 */
export async function shipOrder(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  parcel: Parcel,
  by: Acting | null,
): Promise<ShipResult> {
  const trackingNumber = readTrackingNumber(parcel.carrier, parcel.trackingNumber);
  if (!trackingNumber) return { ok: false, reason: "tracking-number" };
  const typed = { ...parcel, trackingNumber };
  const shipped = await withOrder(
    db,
    orderId,
    (state, act) => shipByLine(state, typed, act),
    staff(by),
    (tx, { change }) =>
      audit(tx, by, "ship", orderId, { after: { carrier: parcel.carrier, shipmentId: change.parcels![0]!.id } }),
  );
  if (!shipped.ok) return refusalOf(shipped);
  const { id: shipmentId, chargeId } = shipped.after.parcels.find((each) => isSameParcel(each, typed))!;
  for (const attemptId of attemptsOf(shipped.after, chargeId)) if (providers) await runAction(db, providers, attemptId);
  const [now] = await db.select({ state: shipments.state }).from(shipments).where(eq(shipments.id, shipmentId));
  if (now?.state === "failed") return { ok: false, reason: "capture-failed" };
  return { ok: true, shipmentId, state: now?.state === "packing" ? "waiting" : "shipped", repeated: shipped.repeated };
}

const attemptsOf = ({ attempts }: Facts, chargeId: string | null): string[] =>
  attempts.filter((each) => each.chargeId !== null && each.chargeId === chargeId).map(({ id }) => id);

/** A refusal of the core, in the words of the forms. */
export const refusalOf = ({
  reason,
  name = "",
  left = 0,
  status,
  day,
}: {
  reason: string;
  name?: string;
  left?: number;
  status?: OrderStatus;
  day?: string;
}): Refusal =>
  ({
    ok: false,
    reason,
    ...(reason === "units" && { name, unitsLeft: left }),
    ...(reason === "status" && { status }),
    ...(day !== undefined && { day }),
  }) as Refusal;
