/** Money that the buyer pays beside a parcel: by a link for a charge, or as arranged with staff. */
import {
  decided,
  merge,
  NOTHING,
  refused,
  type DecidedBy,
  type Decision,
  type MoneyItem,
  type Payment,
} from "../facts.ts";
import { centsOf, type OrderState } from "../state.ts";
import { dueItems, newAttempt, newCharge, takeMoney, voidPayment } from "./money.ts";

/** Asks for money by a link: the difference of an exchange, a fee, the price of a repair. */
export const askToPay = (
  items: readonly MoneyItem[],
  { returnId, dueCents: cents = centsOf(items) }: { returnId: string | null; dueCents?: number },
  act: DecidedBy,
) => {
  const { id, change } = newCharge(items, { state: "asked", by: "link", returnId }, act);
  return merge(change, {
    events: [{ type: "charge-asked", data: { chargeId: id, cents, returnId } }],
    emails: [{ situation: "return-payment", chargeId: id, cents, returnId }],
  });
};

/** Takes the money of a link's charge once its page is authorized. Refusals: 'unknown-charge', 'not-paid'. */
export function takeLinked(state: OrderState, { payment }: { payment: Payment }, act: DecidedBy): Decision {
  const charge = state.charges.find(({ id }) => id === payment.chargeId);
  if (!charge) return refused("unknown-charge");
  const isTaken = state.facts.attempts.some((each) => each.chargeId === charge.id && each.state !== "failed");
  if (isTaken) return NOTHING;
  if (payment.state !== "authorized") return refused("not-paid");
  const attempt =
    charge.state === "asked"
      ? newAttempt({ paymentId: payment.id, kind: "capture", chargeId: charge.id, cents: charge.dueCents }, act)
      : voidPayment(state.facts, payment, act);
  return decided({ payments: [payment] }, attempt);
}

/**
 * Records a payment that staff arranged with the buyer, for all that waits and is not charged. It ships by `shipBy`, as
 * soon after its payment as other orders do, unless a later or an unknown day was named. Refusals: 'status',
 * 'under-way', 'paid', 'nothing-due', 'meanwhile' if that is not `cents`.
 */
export function recordPayment(
  state: OrderState,
  { cents, arrangement, shipBy }: { cents: number; arrangement: NonNullable<Payment["arrangement"]>; shipBy: string },
  act: DecidedBy,
): Decision {
  if (state.stage !== "to-ship") return refused("status");
  if (state.packing) return refused("under-way");
  const items = dueItems(state);
  if (items.length === 0) return state.money.paidCents > 0 ? refused("paid") : refused("nothing-due");
  if (state.money.authorized || state.money.isByCard) return refused("paid");
  if (centsOf(items) !== cents) return refused("meanwhile");
  const { id, change } = newCharge(items, { state: "paid", by: "arranged" }, act);
  const payment: Payment = {
    id: act.newId(),
    kind: "arranged",
    state: "captured",
    chargeId: id,
    savedPaymentId: null,
    provider: "manual",
    arrangement,
    amountCents: cents,
    authorizedCents: 0,
    capturedCents: cents,
    refundedCents: 0,
    hasCard: false,
    captureBefore: null,
    refusedAt: null,
    isDisputed: false,
    createdAt: act.at,
  };
  const done = newAttempt({ paymentId: payment.id, kind: "capture", chargeId: id, cents, state: "done" }, act);
  const was = state.promise.shipBy;
  return decided(change, { payments: [payment] }, done, {
    ...(was !== null && was < shipBy && { order: { shipBy, promisedAt: act.at } }),
    events: [{ type: "payment-recorded", data: { how: arrangement.how, cents } }],
    emails: [{ situation: "payment-received", cents }],
  });
}

/** Charges what is due at once, without a parcel, from an authorization that suffices. Refused with 'nothing-due', 'not-paid'. */
export function chargeNow(state: OrderState, _input: object, act: DecidedBy): Decision {
  const items = dueItems(state);
  if (items.length === 0) return refused("nothing-due");
  const { id, change } = newCharge(items, { state: "asked", by: "ship" }, act);
  const taken = takeMoney(state, id, centsOf(items), { mayUseCard: false }, act);
  return taken ? decided(change, taken) : refused("not-paid");
}
