/** Lines of an order as the rules of returns see them: what was sent, when it arrived, and since when it is covered. */
import { latestDay, newYorkDay } from "#shop/new-york-time.ts";
import { mayComeBack } from "#shop/orders/lines.ts";
import { type OrderState, type UnitState } from "#shop/orders/state.ts";
import type { Settings } from "#shop/settings/settings.ts";
import { expectedDelivery } from "#shop/shipping/methods.ts";
import type { EligibleLine } from "./eligibility.ts";

/** Returns of the order whose outcome renews the warranty of their units, with the time of it. */
export type Renewal = { returnId: string; resolvedAt: Date };

const ASTRAY: readonly UnitState["place"][] = ["refused", "back", "lost"];

/** `terms` are the settings of the time of the order. */
export function eligibleLines(
  { facts: { order, lines, returned }, units, deliveredAt }: OrderState,
  renewals: readonly Renewal[],
  terms: Pick<Settings, "shipping" | "returns">,
): EligibleLine[] {
  const arrivedOn = deliveredAt && newYorkDay(deliveredAt);
  const isGift = units.every(({ valueCents }) => valueCents === 0);
  const arrival = ({ firstParcel }: UnitState): string | null => {
    if (firstParcel?.deliveredAt) return newYorkDay(firstParcel.deliveredAt);
    const at = firstParcel?.shippedAt;
    return at ? expectedDelivery(terms.shipping, order.shippingMethod, at).to.toISOString().slice(0, 10) : null;
  };
  return lines.map(({ id: lineId, productId, name, warrantyYears, returnId }) => {
    const ofLine = units.filter((unit) => unit.lineId === lineId);
    const sent = ofLine.filter(({ place, firstParcel }) => firstParcel !== null || ASTRAY.includes(place));
    const astray = sent.filter(({ place }) => ASTRAY.includes(place));
    const arriving = sent.filter((unit) => !astray.includes(unit));
    const deliveredOn = latestDay(arriving.map(arrival));
    const repaid = arriving.filter(
      ({ refunded, inReturn, place }) => refunded !== null && inReturn === null && place !== "returned",
    );
    const renewedOn = ({ number, firstParcel }: UnitState) => {
      const renewed = renewals.filter((each) =>
        returned.some((row) => row.returnId === each.returnId && row.unit === number),
      );
      const shippedAt = returnId === null ? null : firstParcel?.shippedAt;
      return latestDay([
        ...renewed.map(({ resolvedAt }) => newYorkDay(resolvedAt)),
        shippedAt ? newYorkDay(shippedAt) : null,
      ]);
    };
    return {
      lineId,
      productId: productId ?? "",
      name,
      unitsSent: sent.length,
      unitsAstray: astray.length,
      unitsReturned: arriving.filter((unit) => !mayComeBack(unit) && !repaid.includes(unit)).length,
      unitsLeft: arriving.filter(mayComeBack).map((unit) => ({ number: unit.number, renewedOn: renewedOn(unit) })),
      unitsRepaid: repaid.length,
      // Units sent for a return arrive by themselves.
      deliveredOn: deliveredOn && (returnId ? deliveredOn : latestDay([deliveredOn, arrivedOn])),
      purchasedOn: newYorkDay(order.placedAt),
      isFree: returnId !== null || isGift,
      windows: terms.returns,
      warrantyYears,
    };
  });
}
