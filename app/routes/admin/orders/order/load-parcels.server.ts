/** Parcels on an order's page: the box to pack, rates to choose from, and those that have left. */
import { db } from "#platform/database.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { BOX_NAMES, boxWords } from "#shop/carriers/boxes.ts";
import { listBoughtLabels } from "#shop/carriers/labels.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { isInTime, latestQuote, packingFor } from "#shop/carriers/quotes.server.ts";
import { clock } from "#shop/clock.ts";
import { SHIPMENT_ACTIONS, shipmentRefusal } from "#shop/fulfillment/order-actions.ts";
import type { OrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { unitsReady } from "#shop/fulfillment/ready-units.ts";
import { type CarrierCode, CARRIERS, trackingUrl } from "#shop/fulfillment/shipment.ts";
import { formatMoney } from "#shop/money.ts";
import { unitsOfStock } from "#shop/orders/actions/parcels.ts";
import { byLine } from "#shop/orders/lines.ts";
import { settings, settingsAt } from "#shop/settings/settings.server.ts";

const boxesWithSizes = () => BOX_NAMES.map((name) => [name, boxWords(settings().parcels, name)] as const);

const packageWords = (box: string, ounces: number | null) =>
  `${new Map<string, string>(boxesWithSizes()).get(box) ?? box}${ounces === null ? "" : `, ${ounces} oz`}`;

/** Suggested packing, and rates that the member asked for. Null without a provider of carriers. */
export async function labelOf({ order, lines, state: of }: OrderDetails, by: Acting, { sums }: { sums: boolean }) {
  if (!carrierProvider()) return null;
  const units = unitsReady(lines, clock.now());
  const [suggested, quote] = await Promise.all([
    packingFor(db, lines, { units }),
    latestQuote(db, { id: order.id, lines }, by),
  ]);
  const { name: method } = settingsAt(order.createdAt).shipping[order.shippingMethod];
  const isReady = Object.values(units).some((each) => each > 0);
  return {
    boxes: boxesWithSizes(),
    suggested: isReady ? packageWords(suggested.box, suggested.ounces) : null,
    quote: quote && {
      id: quote.id,
      at: quote.createdAt,
      contents: lines.flatMap(({ id, name }) => (quote.units[id] ? `${quote.units[id]} × ${name}` : [])).join(", "),
      package: packageWords(quote.box, quote.ounces),
      paid: sums ? `The customer paid ${formatMoney(order.shippingCents)} for ${method}.` : null,
      rates: quote.rates.map(({ reference, carrier, service, cents, days }) => ({
        reference,
        name: `${CARRIERS[carrier].name} ${service}`,
        cents,
        days,
        isInTime: isInTime({ days }, of.facts.order),
        isAbovePaid: cents > order.shippingCents,
      })),
    },
  };
}

const VOIDED = { voiding: "Refund requested", voided: "Refunded" } as const;

/** Parcels with their units and postage, and labels that were bought for none. */
export async function parcelsOf({ order, state: of }: OrderDetails) {
  const labels = await listBoughtLabels(db, order.id);
  const costs = new Map(labels.map(({ id, rate }) => [id, rate?.cents ?? 0]));
  const parcels = of.parcels
    .filter(({ state }) => state !== "failed")
    .map((parcel) => {
      const { id, carrier, trackingNumber, state, shippedAt, labelId } = parcel;
      return {
        id,
        carrier: CARRIERS[carrier as CarrierCode].name,
        trackingNumber,
        url: trackingNumber ? trackingUrl(carrier as CarrierCode, trackingNumber) : null,
        state,
        progress: parcel.progress,
        shippedAt,
        progressAt: parcel.progressAt,
        deliveredAt: parcel.deliveredAt,
        returnedAt: parcel.returnedAt,
        isSentAgain: parcel.isSentAgain,
        /** Actions that it allows. */
        may: SHIPMENT_ACTIONS.filter((act) => shipmentRefusal(act, of, { id }) === null),
        /** Something in it goes to stock if it comes back; the customer's own product does not. */
        hasStock: unitsOfStock(of, parcel).length > 0,
        contents: byLine(of, parcel.units)
          .map(({ line, units }) => `${units} × ${line.name}`)
          .join(", "),
        postageCents: labelId === null ? null : (costs.get(labelId) ?? null),
        hasLabel: labelId !== null,
      };
    });
  const voidedLabels = labels.flatMap(({ id, state, rate, problem }) => {
    if ((state !== "voiding" && state !== "voided") || !rate) return [];
    const name = `${CARRIERS[rate.carrier].name} ${rate.service}`;
    const outcome = problem ? `Refund refused (${problem})` : VOIDED[state];
    return [{ id, words: `${name}, ${formatMoney(rate.cents)}`, outcome, isRefused: problem !== null }];
  });
  return { parcels, voidedLabels };
}
