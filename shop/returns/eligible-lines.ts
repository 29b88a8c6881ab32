/** Lines of an order as the rules of returns see them: what was sent, when it arrived, and since when it is covered. */
import { latestDay, newYorkDay } from "#shop/new-york-time.ts";
import { isAstray, type OrderState, type UnitState } from "#shop/orders/state.ts";
import type { Settings } from "#shop/settings/settings.ts";
import { expectedDelivery } from "#shop/shipping/methods.ts";
import type { EligibleLine } from "./eligibility.ts";
import { mayComeBack } from "./actions/request.ts";

/** Returns of the order whose outcome renews the warranty of their units, with the time of it. */
export type Renewal = { returnId: string; resolvedAt: Date };

const SENT: readonly UnitState["place"][] = ["shipped", "delivered", "refused", "back", "lost", "returned"];

/** `terms` are the settings of the time of the order. */
export function eligibleLines(
  { facts: { order, lines, returned }, units, stage, deliveredAt }: OrderState,
  renewals: readonly Renewal[],
  terms: Pick<Settings, "shipping" | "returns">,
): EligibleLine[] {
  const arrivedOn = stage === "delivered" && deliveredAt ? newYorkDay(deliveredAt) : null;
  const isGift = units.every(({ valueCents }) => valueCents === 0);
  const arrival = ({ parcel }: UnitState): string | null => {
    if (parcel?.deliveredAt) return newYorkDay(parcel.deliveredAt);
    const at = parcel?.shippedAt;
    return at ? expectedDelivery(terms.shipping, order.shippingMethod, at).to.toISOString().slice(0, 10) : null;
  };
  return lines.map(({ id: lineId, productId, name, warrantyYears, returnId }) => {
    const ofLine = units.filter((unit) => unit.lineId === lineId);
    const sent = ofLine.filter(({ place }) => SENT.includes(place));
    const astray = sent.filter((unit) => isAstray(unit) || unit.place === "back" || unit.place === "lost");
    const arriving = sent.filter((unit) => !astray.includes(unit));
    const deliveredOn = latestDay(arriving.map(arrival));
    const repaid = arriving.filter(
      ({ refunded, inReturn, place }) => refunded !== null && inReturn === null && place !== "returned",
    );
    const numbers = ofLine.map(({ number }) => number);
    const renewed = renewals.filter((each) =>
      returned.some((row) => row.returnId === each.returnId && numbers.includes(row.unit)),
    );
    const shippedOn = latestDay(
      arriving.map(({ parcel }) => (parcel?.shippedAt ? newYorkDay(parcel.shippedAt) : null)),
    );
    return {
      lineId,
      productId: productId ?? "",
      name,
      unitsSent: sent.length,
      unitsAstray: astray.length,
      unitsReturned: arriving.filter((unit) => !mayComeBack(unit) && !repaid.includes(unit)).length,
      unitsRepaid: repaid.length,
      // What was sent for a return has arrived by itself.
      deliveredOn: deliveredOn && (returnId ? deliveredOn : latestDay([deliveredOn, arrivedOn])),
      purchasedOn: newYorkDay(order.placedAt),
      renewedOn: latestDay([...renewed.map(({ resolvedAt }) => newYorkDay(resolvedAt)), returnId ? shippedOn : null]),
      isFree: returnId !== null || isGift,
      windows: terms.returns,
      warrantyYears,
    };
  });
}
