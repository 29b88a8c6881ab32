/** Bulk actions. Orders are independent: a refusal of one does not stop the others. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { type LabelResult, packOrder } from "#shop/carriers/labels.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { findOrderIds } from "#shop/fulfillment/order-list.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, CARRIERS, guessCarrier } from "#shop/fulfillment/shipment.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actions, fieldError, handle, type Action } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import { refusalWords } from "./order/on-order.server.ts";
import { readTrackingLines, type TrackingLine } from "./tracking-lines.ts";

/** Concurrent calls to the payment provider. */
const AT_ONCE = 5;

/** `key` is the line to enter again. */
export type BulkRow = { key: string; label: string; href?: string; ok: boolean; message: string };
/** `left`: the failed lines; `parcels`: shipments whose labels are to be printed. */
export type BulkAnswer = { rows: BulkRow[]; left: string; parcels?: string[] };

const bulkSchema = z.object({
  tracking: z.string().default(""),
  carrier: z.string().optional(),
  page: z.string().default(""),
});
type Bulk = Action<z.output<typeof bulkSchema>>;

const selected = ({ form }: Bulk) => form.getAll("id").filter(isId);

export const action = actions({
  slips: handle(bulkSchema, slips, { lists: ["id"] }),
  ship: handle(bulkSchema, ship, { lists: ["id"] }),
  labels: handle(bulkSchema, labels, { lists: ["id"] }),
});

async function slips(action: Bulk) {
  const ids = selected(action);
  const page = action.value.page.split(",").filter(isId);
  const printed = ids.length > 0 ? ids : page;
  if (printed.length === 0) return refused(action, "There are no orders to print.");
  return redirect(`/admin/orders/slips?ids=${printed.join(",")}`, 303);
}

async function ship(action: Bulk) {
  const { by, value } = action;
  const read = readTrackingLines(value.tracking, selected(action));
  if (!read.ok) return fieldError(action, "tracking", read.problem);
  const carrier = CARRIER_CODES.find((code) => code === value.carrier);
  const rows: BulkRow[] = [];
  for (let i = 0; i < read.lines.length; i += AT_ONCE) {
    const batch = read.lines.slice(i, i + AT_ONCE);
    rows.push(...(await Promise.all(batch.map((line) => shipLine(by, line, carrier)))));
  }
  const failed = rows.filter(({ ok }) => !ok);
  const shipped = `${rows.length - failed.length} shipped`;
  const left = failed.map(({ key }) => key).join("\n");
  const answer = { data: { rows, left } satisfies BulkAnswer, clears: true };
  if (failed.length === 0) return done(action, `${shipped}.`, answer);
  return refused(action, `${shipped}, ${failed.length} failed. The failed lines are still in the field.`, answer);
}

/** Packs the selected orders in their suggested boxes, and buys for each the cheapest label that keeps the promise. */
async function labels(action: Bulk) {
  const carrier = carrierProvider();
  const ids = selected(action);
  if (!carrier) return refused(action, "No carrier is set up.");
  if (ids.length === 0) return refused(action, "Select the orders to pack.");
  const providers = { carrier, payments: paymentProviders() };
  const results: LabelResult[] = [];
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const batch = ids.slice(i, i + AT_ONCE);
    results.push(...(await Promise.all(batch.map((id) => packOrder(db, providers, id, action.by)))));
  }
  const rows = results.map((result, i): BulkRow => {
    const id = ids[i]!;
    const message = result.ok ? PACKED[result.state] : refusalWords(result);
    return { key: id, label: orderNumber(id), href: `/admin/orders/${id}`, ok: result.ok, message };
  });
  const parcels = results.flatMap((result) => (result.ok ? [result.shipmentId] : []));
  const answer = { data: { rows, left: "", parcels } satisfies BulkAnswer, clears: true };
  const packed = `${parcels.length} shipped`;
  if (parcels.length === ids.length) return done(action, `${packed}. Print the labels and slips.`, answer);
  return refused(action, `${packed}, ${ids.length - parcels.length} failed.`, answer);
}

const PACKED = {
  shipped: "Label bought and shipped.",
  waiting: "Label bought. It ships once the payment provider confirms.",
};

async function shipLine(by: Acting, line: TrackingLine, chosen: ReturnType<typeof guessCarrier> | undefined) {
  const row = (ok: boolean, message: string, id?: string): BulkRow => ({
    key: `${line.number} ${line.tracking}`,
    label: id ? orderNumber(id) : line.number,
    ...(id && { href: `/admin/orders/${id}` }),
    ok,
    message,
  });
  const [id, another] = line.orderId ? [line.orderId] : await findOrderIds(db, line.number);
  if (!id) return row(false, "No order has this number.");
  if (another) return row(false, "More than one order has this number. Ship it from the order page.");
  const carrier = chosen ?? guessCarrier(line.tracking);
  if (!carrier) return row(false, `Unknown tracking number ${line.tracking}. Choose the carrier.`, id);
  const parcel = { carrier, trackingNumber: line.tracking };
  const result = await shipOrder(db, paymentProviders(), id, parcel, by);
  if (!result.ok) return row(false, refusalWords(result, parcel), id);
  if (result.repeated) return row(true, "Already shipped with this tracking number.", id);
  if (result.state === "waiting")
    return row(true, "Waiting for payment. It ships once the payment provider confirms.", id);
  return row(true, `Shipped with ${CARRIERS[carrier].name}.`, id);
}
