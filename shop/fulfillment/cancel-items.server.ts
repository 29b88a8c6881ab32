/** Cancels units that have not shipped: by staff, by the buyer of a delayed order, or by the shop itself. */
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { cancelRest as cancel, cancelUnits } from "#shop/orders/actions/cancel.ts";
import { chooseUnits } from "#shop/orders/choose.ts";
import { NOTHING, refused } from "#shop/orders/change.ts";
import { isAllowed, statusOf, type ActorOf } from "#shop/orders/lifecycle.ts";
import { decideOn, withOrder, type Decided } from "#shop/orders/run.server.ts";
import { centsOf } from "#shop/orders/order-money.ts";
import { isOwn, isWaiting, type OrderState, type UnitState } from "#shop/orders/state.ts";
import type { PaymentProviders } from "#shop/payments/provider.ts";
import { audit, staff, type Done, type NotNow } from "./locked-order.server.ts";
import { ITEMS_CANCELED, type LineReason } from "#shop/orders/reasons.ts";
import { refundedBy, type RefundRefusal } from "./refund.server.ts";

type CanceledItems = {
  /** Remaining units by line, shipped ones included; 0 cancels the line. Lines left out stay as they are. */
  keep: Record<string, number>;
  returnsStock: boolean;
  reason: LineReason;
  /** The units were refunded before, by themselves or by an amount. */
  isRefunded?: boolean;
  /** The member has just shown a code, which a large refund needs. */
  isVerified?: boolean;
};

type CancelItemsResult =
  | (Done & { refund: Awaited<ReturnType<typeof refundedBy>> })
  | NotNow
  | RefundRefusal
  | { ok: false; reason: "unknown-line" | "last-line" | "under-way" | "too-little" }
  /** With a name, only `unitsLeft` of it are left to ship. */
  | { ok: false; reason: "units"; name?: string; unitsLeft?: number };

/** Units that are canceled if only those of `keep` are left, by line: the last ones, refunded before only if so said. */
function unitsOf(state: OrderState, { keep, isRefunded }: Pick<CanceledItems, "keep" | "isRefunded">) {
  const gone: Record<string, number> = {};
  for (const [lineId, count] of Object.entries(keep)) {
    const kept = state.units.filter((unit) => unit.lineId === lineId && unit.place !== "canceled").length;
    if (!Number.isInteger(count) || count < 0 || count > kept) return refused("units");
    if (count < kept) gone[lineId] = kept - count;
  }
  const isLater = ({ refunded: was }: UnitState) => (was !== null) !== (isRefunded ?? false);
  const order = (unit: UnitState) => (isOwn(unit) ? 200 : 0) + (isLater(unit) ? 100 : 0) - unit.number;
  return chooseUnits(state, gone, isWaiting, order);
}

/**
 * Cancels units of an order that have not shipped: they are neither sent nor charged, and are refunded
 * if the order is charged already. Refusals: 'unknown-line', 'units' if more than that are left or fewer have shipped,
 * 'last-line' if nothing would be left of an order that has not shipped (cancel or decline it instead), 'under-way' while a parcel waits for its
 * capture, 'too-little' if the amounts refunded before do not cover them, and those of a refund.
 */
export async function cancelItems(
  db: Database,
  providers: PaymentProviders | null,
  orderId: string,
  { keep, returnsStock, reason, isRefunded = false, isVerified = false }: CanceledItems,
  by: Acting | null,
): Promise<CancelItemsResult> {
  const canceled = await withOrder(
    db,
    orderId,
    (state, act) => {
      if (Object.keys(keep).some((id) => !state.facts.lines.some((line) => line.id === id)))
        return refused("unknown-line");
      if (!isAllowed("line-canceled", statusOf(state.stage))) return refused("status");
      const units = unitsOf(state, { keep, isRefunded });
      if (!("ok" in units) && units.length === 0) return NOTHING;
      if (state.packing) return refused("under-way");
      if ("ok" in units) return units;
      if (
        state.stage === "to-ship" &&
        state.units.every(({ number, place }) => place === "canceled" || units.includes(number))
      )
        return refused("last-line");
      return cancelUnits(state, { units, reason, restocks: returnsStock, refundsReplacements: true, isRefunded }, act);
    },
    staff(by && { ...by, isVerified }),
    async (tx, { change }) => {
      for (const { type, data } of change.events ?? [])
        if (type === "line-canceled") await audit(tx, by, "cancel-line", orderId, { after: data ?? {} });
      const cents = centsOf(change.refundItems ?? []);
      if (cents > 0) await audit(tx, by, "refund", orderId, { after: { cents, reason: ITEMS_CANCELED } });
    },
  );
  if (!canceled.ok) {
    const { left, status, ...refusal } = canceled;
    return {
      ...refusal,
      ...(refusal.reason === "status" && { status }),
      ...(left !== undefined && { unitsLeft: left }),
    } as CancelItemsResult;
  }
  return { ok: true, repeated: canceled.repeated, refund: await refundedBy(db, providers, canceled.change) };
}

/**
 * Cancels what waits of a partial order, returns its stock and asks for the refund; that of a replacement, for which nobody
 * has approved any money, is left to staff. The customer's own units still go back: 'nothing-left' if only they wait.
 */
export const cancelRest = (
  tx: DatabaseOrTransaction,
  orderId: string,
  actor: Exclude<ActorOf<"line-canceled">, "staff">,
  reason: LineReason,
): Promise<Decided> => decideOn(tx, orderId, (state, act) => cancel(state, { reason }, act), { by: actor });
