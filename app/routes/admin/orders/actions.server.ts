/** Bulk actions. Orders are independent: a refusal of one does not stop the others. */
import { redirect } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { buyLabel } from "#shop/carriers/labels.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import { quoteOrder } from "#shop/carriers/quotes.server.ts";
import { clock } from "#shop/clock.ts";
import { delayOrder } from "#shop/fulfillment/delay.server.ts";
import { cancelByStaff } from "#shop/fulfillment/fulfill.server.ts";
import { findOrderIds, getOrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { holdOrder } from "#shop/fulfillment/order-notes.server.ts";
import { firstDay, unitsReady } from "#shop/fulfillment/ready-units.ts";
import { shipOrder } from "#shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, CARRIERS, guessCarrier, type Rate } from "#shop/fulfillment/shipment.ts";
import { formatMoney } from "#shop/money.ts";
import { addressLine, orderNumber } from "#shop/orders/order.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import type { Acting } from "#shop/audit/audit.server.ts";
import { counted, withUnit } from "#shop/units.ts";
import { requiredLine } from "#shop/text.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actions, handle, type Action } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import { delayDay, delayShape } from "./delay-form.ts";
import { refusalWords } from "./order/on-order.server.ts";
import { readTrackingLines, type TrackingLine } from "./tracking-lines.ts";

/** Concurrent calls to the payment provider. */
const AT_ONCE = 5;

/** `key` is the line to enter again. */
export type BulkRow = { key: string; label: string; href?: string; ok: boolean; message: string };
/** `left`: the failed lines; `labels`: what may be bought; `parcels`: shipments whose labels are to be printed. */
export type BulkAnswer = { rows: BulkRow[]; left: string; labels?: LabelsToBuy; parcels?: string[] };
type LabelsToBuy = { quotes: string[]; submit: string };

const bulkSchema = z.object({
  tracking: z.string().default(""),
  carrier: z.string().optional(),
  text: z.string().default(""),
  ...delayShape,
});
type Bulk = Action<z.output<typeof bulkSchema>>;

const selected = ({ form }: Bulk) => form.getAll("id").filter(isId);

const onOrders = (run: (action: Bulk) => Promise<unknown>) => handle(bulkSchema, run, { lists: ["id", "quote"] });

export const action = actions({
  slips: onOrders(async (action) => {
    const ids = selected(action);
    if (ids.length === 0) return refused(action, NONE_SELECTED);
    return redirect(`/admin/orders/slips?ids=${ids.join(",")}`, 303);
  }),
  ship: onOrders(ship),
  "label-rates": onOrders(labelRates),
  labels: onOrders(labels),
  hold: onOrders(async (action) => {
    const reason = requiredLine("Reason", 500, "Enter a reason").safeParse(action.value.text);
    if (!reason.success) return problem(action, "text", reason.error.issues[0]!.message);
    const hold = { isOnHold: true, text: reason.data };
    const results = await onSelected(action, (id) => holdOrder(db, id, hold, action.by));
    return answer(action, results.map(rowOf("Put on hold.")), "put on hold");
  }),
  delay: onOrders(async (action) => {
    const day = delayDay(action.value);
    if ("problem" in day) return problem(action, "until", day.problem);
    const { reason } = action.value;
    const results = await onSelected(action, (id) => delayOrder(db, id, day.until, action.by, { reason }));
    return answer(action, results.map(rowOf("Delayed. The customer was told, and may cancel.")), "delayed");
  }),
  cancel: onOrders(async (action) => {
    const results = await onSelected(action, (id) => cancelByStaff(db, id, action.by));
    return answer(action, results.map(rowOf("Canceled. The customer was notified.")), "canceled");
  }),
});

const NONE_SELECTED = "Select at least one order.";

/** Beside its field in an open dialog, and above the list for a page without JavaScript. */
const problem = (action: Bulk, field: string, message: string) =>
  refused(action, message, { status: 400, errors: { [field]: message } });

/** Carries out an action on a few at once. */
async function inTurn<Item, Result>(items: Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(run))));
  return results;
}

const onSelected = <Result>(action: Bulk, run: (id: string) => Promise<Result>) =>
  inTurn(selected(action), async (id) => ({ id, result: await run(id) }));

type Outcome = { ok: true; repeated?: boolean } | ({ ok: false } & Parameters<typeof refusalWords>[0]);

const rowOf =
  (words: string) =>
  ({ id, result }: { id: string; result: Outcome }): BulkRow => ({
    key: id,
    label: orderNumber(id),
    href: `/admin/orders/${id}`,
    ok: result.ok,
    message: result.ok ? (result.repeated ? "It was done before." : words) : refusalWords(result),
  });

function answer(action: Bulk, rows: BulkRow[], verb: string, more: Partial<BulkAnswer> & { failure?: string } = {}) {
  if (rows.length === 0) return refused(action, NONE_SELECTED);
  const { failure = "", ...data } = more;
  const failed = rows.filter(({ ok }) => !ok).length;
  const count = `${rows.length - failed} ${verb}`;
  const options = { data: { rows, left: "", ...data } satisfies BulkAnswer, clears: true };
  if (failed === 0) return done(action, `${count}.`, options);
  return refused(action, `${count}, ${failed} failed.${failure}`, options);
}

async function ship(action: Bulk) {
  const { by, value } = action;
  const read = readTrackingLines(value.tracking, selected(action));
  if (!read.ok) return problem(action, "tracking", read.problem);
  const carrier = CARRIER_CODES.find((code) => code === value.carrier);
  const rows = await inTurn(read.lines, (line) => shipLine(by, line, carrier));
  const failed = rows.filter(({ ok }) => !ok);
  const left = failed.map(({ key }) => key).join("\n");
  return answer(action, rows, "shipped", { left, failure: " The failed lines are still in the field." });
}

const NO_CARRIER = "No carrier is set up.";

/** The cheapest label that keeps the promise for each selected order, in its suggested box, and their sum; none is bought. */
async function labelRates(action: Bulk) {
  const carrier = carrierProvider();
  if (!carrier) return refused(action, NO_CARRIER);
  const results = await onSelected(action, (id) => quoteOrder(db, { carrier }, id, action.by));
  const found = results.flatMap(({ id, result }) => (result.ok ? [{ id, ...result }] : []));
  const sum = formatMoney(found.reduce((cents, { rate }) => cents + rate.cents, 0));
  const quotes = found.map(({ id, labelId, rate }) => `${id} ${labelId} ${rate.reference}`);
  const rows = results.map(({ id, result }) =>
    rowOf(result.ok ? `${rateWords(result.rate)}, ${formatMoney(result.rate.cents)}` : "")({ id, result }),
  );
  const submit = `Buy ${counted(found.length, "label")} for ${sum} and ship`;
  return answer(action, rows, `found for ${sum} in all`, {
    ...(found.length > 0 && { labels: { quotes, submit } }),
  });
}

const rateWords = ({ carrier, service, days }: Rate) =>
  `${CARRIERS[carrier].name} ${service}${days === null ? "" : `, ${withUnit(days, "business day")}`}`;

/** Buys the labels whose sum was shown, and ships their parcels. */
async function labels(action: Bulk) {
  const carrier = carrierProvider();
  if (!carrier) return refused(action, NO_CARRIER);
  const providers = { carrier, payments: paymentProviders() };
  const quotes = action.form.getAll("quote").map((text) => text.split(" "));
  const asked = quotes.flatMap(([id = "", labelId = "", rate = ""]) =>
    isId(id) && isId(labelId) ? [{ id, labelId, rate }] : [],
  );
  const results = await inTurn(asked, async ({ id, ...quote }) => ({
    id,
    result: await buyLabel(db, providers, id, quote, action.by),
  }));
  const rows = results.map(({ id, result }) => rowOf(result.ok ? PACKED[result.state] : "")({ id, result }));
  const parcels = results.flatMap(({ result }) => (result.ok ? [result.shipmentId] : []));
  return answer(action, rows, "shipped", { parcels });
}

const PACKED = {
  shipped: "Label bought and shipped.",
  waiting: "Label bought. It ships once the payment provider confirms.",
};

const ADDRESS_EVENTS: string[] = ["address-changed", "shipped", "parcel-shipped"];
const MOVED = "Its address was changed. Open the order to check the label, and ship it there.";

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
  const order = await getOrderDetails(db, id);
  const lines = order?.lines ?? [];
  const day = firstDay(lines, clock.now());
  if (day) return row(false, refusalWords({ reason: "not-yet", day }), id);
  // A packing slip may show the address from before its change, until a parcel has left on the order's page.
  const last = order?.events.findLast(({ type }) => ADDRESS_EVENTS.includes(type));
  const addressSeen = order && last?.type !== "address-changed" ? addressLine(order.order) : "";
  const parcel = { carrier, trackingNumber: line.tracking, units: unitsReady(lines, clock.now()), addressSeen };
  const result = await shipOrder(db, paymentProviders(), id, parcel, by);
  if (!result.ok && result.reason === "meanwhile") return row(false, MOVED, id);
  if (!result.ok) return row(false, refusalWords(result, parcel), id);
  if (result.repeated) return row(true, "Already shipped with this tracking number.", id);
  if (result.state === "waiting")
    return row(true, "Waiting for payment. It ships once the payment provider confirms.", id);
  return row(true, `Shipped with ${CARRIERS[carrier].name}.`, id);
}
