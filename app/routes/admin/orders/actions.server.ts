/** Bulk actions. Orders are independent: a refusal of one does not stop the others. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { findOrderIds } from "#shop/fulfillment/order-list.server.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, CARRIERS, guessCarrier } from "#shop/fulfillment/shipment.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { paymentProvider } from "#shop/payments/open-provider.server.ts";
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
/** `left`: the failed lines. */
export type BulkAnswer = { rows: BulkRow[]; left: string };

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
  const result = await shipOrder(db, paymentProvider(), id, parcel, by);
  if (!result.ok) return row(false, refusalWords(result, parcel), id);
  if (result.repeated) return row(true, "Already shipped with this tracking number.", id);
  if (result.state === "waiting")
    return row(true, "Waiting for payment. It ships once the payment provider confirms.", id);
  return row(true, `Shipped with ${CARRIERS[carrier].name}.`, id);
}
