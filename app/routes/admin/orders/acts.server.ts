/** What is done to many orders at once. Each order is for itself: one that is refused stops no other. */
import { redirect, type RouterContextProvider } from "react-router";
import { db } from "../../../database.server.ts";
import { findOrderIds } from "../../../../shop/fulfillment/desk.server.ts";
import { shipOrder } from "../../../../shop/fulfillment/ship.server.ts";
import { CARRIER_CODES, CARRIERS, guessCarrier } from "../../../../shop/fulfillment/shipment.ts";
import { orderNumber } from "../../../../shop/orders/order.ts";
import { paymentProvider } from "../../../../shop/payments/open-provider.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { actingOf } from "../../../session/staff.server.ts";
import type { ActRow } from "../../../ui/admin/act-result.ts";
import { done, readAct, refused, type Act } from "../act.server.ts";
import { refusalWords } from "./order/refusals.ts";
import { readTrackingLines, UUID, type TrackingLine } from "./tracking-lines.ts";

type Context = Readonly<RouterContextProvider>;
/** At the provider at once. */
const AT_ONCE = 5;

export async function ordersAct(request: Request, context: Context) {
  const act = await readAct(request, ["tracking", "carrier", "page"], ["id"]);
  const chosen = act.form.getAll("id").filter((id) => UUID.test(id));
  return act.name === "slips" ? slips(act, chosen) : ship(act, context, chosen);
}

function slips(act: Act, chosen: string[]) {
  const page = (act.form.get("page") ?? "").split(",").filter((id) => UUID.test(id));
  const ids = chosen.length > 0 ? chosen : page;
  if (ids.length === 0) return refused(act, "There is no order here to print.");
  return redirect(`/admin/orders/slips?ids=${ids.join(",")}`, { status: 303, headers: NO_STORE });
}

async function ship(act: Act, context: Context, chosen: string[]) {
  const typed = act.form.get("tracking") ?? "";
  const lines = readTrackingLines(typed, chosen);
  if (!lines.ok) return refused(act, "", { status: 400, errors: { tracking: lines.problem } });
  const carrier = CARRIER_CODES.find((code) => code === act.form.get("carrier"));
  const rows: (ActRow & { typed: string })[] = [];
  for (let i = 0; i < lines.lines.length; i += AT_ONCE) {
    const some = lines.lines.slice(i, i + AT_ONCE);
    rows.push(...(await Promise.all(some.map((line) => shipLine(context, line, carrier)))));
  }
  const told = rows.map(({ typed: _typed, ...row }) => row);
  const failed = rows.filter(({ ok }) => !ok);
  const shipped = rows.length - failed.length;
  if (failed.length === 0) return done(act, `${shipped} shipped.`, told);
  act.form.set("tracking", failed.map((row) => row.typed).join("\n"));
  return refused(act, `${shipped} shipped, ${failed.length} not. What was not is still in the field.`, { rows: told });
}

async function shipLine(context: Context, line: TrackingLine, chosen: ReturnType<typeof guessCarrier> | undefined) {
  const row = (ok: boolean, message: string, id?: string) => ({
    key: line.text,
    label: id ? orderNumber(id) : line.number,
    ...(id && { href: `/admin/orders/${id}` }),
    ok,
    message,
    typed: line.text,
  });
  const [id, another] = line.orderId ? [line.orderId] : await findOrderIds(db, line.number);
  if (!id) return row(false, "There is no order of this number.");
  if (another) return row(false, "More than one order has this number. Ship it from its own page.");
  const carrier = chosen ?? guessCarrier(line.tracking);
  if (!carrier) return row(false, `${line.tracking} is no tracking number that we know. Choose its carrier.`, id);
  const parcel = { carrier, trackingNumber: line.tracking };
  const result = await shipOrder(db, paymentProvider(), id, parcel, actingOf(context));
  if (!result.ok) return row(false, refusalWords(result, parcel), id);
  if (result.repeated) return row(true, "This parcel was recorded before.", id);
  if (result.state === "waiting") return row(true, "Waits for its money, and ships once the provider answers.", id);
  return row(true, `Shipped with ${CARRIERS[carrier].name}.`, id);
}
