/** Money that the buyer pays beside a parcel: by a link for a charge, or as arranged with staff. */
import { decided, merge, NOTHING, refused, type Change, type DecidedBy, type Decision } from "../change.ts";
import type { MoneyItem, Payment } from "../facts.ts";
import { isUnsent } from "../order.ts";
import { centsOf, type ChargeStanding } from "../order-money.ts";
import type { OrderState } from "../state.ts";
import { promisedByPayment } from "./confirm.ts";
import { afterLink } from "./money-moved.ts";
import {
  closePayment,
  dueItems,
  endCharge,
  mayBePaid,
  newAttempt,
  newCharge,
  newPayment,
  releasePayments,
  voidPayment,
} from "./money.ts";

/** Asks for money by a link: the difference of an exchange, a fee, the price of a repair. */
export const askToPay = (
  items: readonly MoneyItem[],
  { returnId, dueCents: cents = centsOf(items) }: { returnId: string; dueCents?: number },
  act: DecidedBy,
) => {
  const { id, change } = newCharge(items, { state: "asked", by: "link", returnId }, act);
  return merge(change, {
    events: [{ type: "charge-asked", data: { chargeId: id, cents, returnId } }],
    emails: [{ template: "return-payment", chargeId: id, cents, returnId }],
  });
};

/** Takes the money of a link's charge once its page is authorized, unless it is for less than the charge is by now. Refusals: 'unknown-charge', 'not-paid'. */
export function takeLinked(state: OrderState, { payment }: { payment: Payment }, act: DecidedBy): Decision {
  const charge = state.charges.find(({ id }) => id === payment.chargeId);
  if (!charge) return refused("unknown-charge");
  const isTaken = state.facts.attempts.some(
    (each) => each.chargeId === charge.id && each.paymentId === payment.id && each.state !== "failed",
  );
  if (isTaken) return NOTHING;
  if (payment.state !== "authorized") return refused("not-paid");
  const attempt =
    charge.state === "asked" && !charge.isUnderWay && payment.authorizedCents >= charge.dueCents
      ? newAttempt({ paymentId: payment.id, kind: "capture", chargeId: charge.id, cents: charge.dueCents }, act)
      : voidPayment(state.facts, payment, act);
  return decided({ payments: [payment] }, attempt);
}

/** Closes the pages of a charge that is not paid there. */
const closePages = ({ facts }: OrderState, chargeId: string, act: DecidedBy): Change =>
  merge(
    ...facts.payments
      .filter((payment) => payment.chargeId === chargeId)
      .map((payment) => closePayment(facts, payment, act)),
  );

type Arranged = NonNullable<Payment["arrangement"]>;

/** A payment that staff arranged for a charge. */
function arrangedPayment(chargeId: string, cents: number, arrangement: Arranged, act: DecidedBy): Change {
  const sums = { amountCents: cents, capturedCents: cents };
  const payment = newPayment(
    { kind: "arranged", state: "captured", chargeId, provider: "manual", arrangement, ...sums },
    act,
  );
  const done = newAttempt({ paymentId: payment.id, kind: "capture", chargeId, cents, state: "done" }, act);
  return merge({ payments: [payment] }, done);
}

/** Records that the buyer has paid a charge of a return in another way than by its link. */
export function recordLinked(
  state: OrderState,
  { id, dueCents }: ChargeStanding,
  arrangement: Arranged,
  act: DecidedBy,
): Change {
  const charge = state.facts.charges.find((each) => each.id === id)!;
  return merge(
    closePages(state, id, act),
    { charges: [{ ...charge, state: "paid" }] },
    arrangedPayment(id, dueCents, arrangement, act),
    afterLink(state, charge, dueCents, act),
    { emails: [{ template: "payment-received", cents: dueCents }] },
  );
}

/** Takes back what the buyer was asked to pay by a link. */
export const withdrawLinked = (state: OrderState, charge: ChargeStanding, act: DecidedBy): Change =>
  merge(closePages(state, charge.id, act), endCharge(state, charge, "withdrawn", act));

/**
 * Records a payment that staff arranged with the buyer, for all that waits and is not charged. Refusals: 'status',
 * 'under-way', 'paid', 'nothing-due', 'meanwhile' if that is not `cents`.
 */
export function recordPayment(
  state: OrderState,
  { cents, arrangement }: { cents: number; arrangement: Arranged },
  act: DecidedBy,
): Decision {
  if (!isUnsent(state)) return refused("status");
  if (state.packing) return refused("under-way");
  const items = dueItems(state);
  if (items.length === 0 && state.money.paidCents === 0) return refused("nothing-due");
  if (!mayBePaid(state)) return refused("paid");
  if (centsOf(items) !== cents) return refused("meanwhile");
  const { id, change } = newCharge(items, { state: "paid", by: "arranged" }, act);
  return decided(releasePayments(state, act), change, arrangedPayment(id, cents, arrangement, act), {
    order: promisedByPayment(state, act),
    events: [{ type: "payment-recorded", data: { how: arrangement.how, cents } }],
    emails: [{ template: "payment-received", cents }],
  });
}
