/** Open charges of a return, settled by staff. */
import { newWaiver } from "#shop/orders/actions/money.ts";
import { recordLinked, withdrawLinked } from "#shop/orders/actions/pay.ts";
import { sendForReturn } from "#shop/orders/actions/parcels.ts";
import { apply, merge, refused, type Change, type DecidedBy } from "#shop/orders/change.ts";
import type { Payment } from "#shop/orders/facts.ts";
import { orderState } from "#shop/orders/state.ts";
import { changed, openCharge, type ReturnCase, type ReturnDecision } from "../facts.ts";
import { atWorth, exchangeMoney, withLeft } from "./resolve.ts";

type Seen = { cents: number };
type Arranged = Seen & { arrangement: NonNullable<Payment["arrangement"]> };

/** The charge that waits for its customer. Refusals: 'nothing-due', 'under-way', 'meanwhile' if it is not for `cents`. */
function due(given: ReturnCase, { cents }: Seen) {
  const charge = openCharge(given);
  if (!charge) return refused("nothing-due");
  if (charge.isUnderWay) return refused("under-way");
  return charge.dueCents === cents ? { ok: true as const, charge } : refused("meanwhile");
}

/** Records that the customer has paid, as arranged with staff. Refused as `due`. */
export function recordPaid(given: ReturnCase, { arrangement, cents }: Arranged, act: DecidedBy): ReturnDecision {
  const found = due(given, { cents });
  if (!found.ok) return found;
  const said = changed(given.row, "payment-recorded", { data: { cents } });
  return { ok: true, change: merge(recordLinked(given.order, found.charge, arrangement, act), said), row: {} };
}

/** Asks the customer for nothing: what waited for the payment is sent. Refused as `due`. */
export function waive(given: ReturnCase, { cents }: Seen, act: DecidedBy): ReturnDecision {
  const found = due(given, { cents });
  if (!found.ok) return found;
  const { order, row } = given;
  const withdrawn = merge(
    withdrawLinked(order, found.charge, act),
    newWaiver(found.charge.dueCents, found.charge.id, act),
  );
  const numbers = found.charge.items.flatMap(({ unit }) => unit ?? []);
  const units = withLeft(
    order,
    order.facts.units.filter(({ number }) => numbers.includes(number)),
  );
  const made = merge(withdrawn, atWorth(order, units));
  const after = { order: orderState(apply(order.facts, made)), row };
  const sent: Change = units.length > 0 ? exchangeMoney(after, units, act) : sendForReturn(after.order, row.id, act);
  return { ok: true, change: merge(made, sent, changed(row, "charge-waived", { data: { cents } })), row: {} };
}
