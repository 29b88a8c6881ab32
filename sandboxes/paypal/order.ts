/** An order at PayPal and its lifecycle: approved, authorized, reauthorized, captured, voided, refunded, disputed. */
import { RefusedCall } from "../stripe/payment.ts";
import { randomText } from "../stripe/secrets.ts";

/** Test accounts, by what comes of a payment with them. */
export const ACCOUNTS = {
  pays: "Pays",
  card: "Pays by card, which cannot be reauthorized",
  declined: "Approves, but is declined when it is authorized",
  "refuses-capture": "Is authorized, then refuses every capture",
  slow: "Captures and refunds take a minute",
  disputes: "Opens a dispute once it is charged",
} as const;
export type Account = keyof typeof ACCOUNTS;

export type Money = { currency_code: "USD"; value: string };
type Made = { id: string; status: string; amount: Money; create_time: string };
type Authorization = Made & { expiration_time: string };
type Refund = Made & { custom_id: string | undefined };

/** One document: the order as the API shows it, and what PayPal keeps to itself. */
export type PayPalOrder = {
  order: {
    id: string;
    intent: "AUTHORIZE";
    status: "PAYER_ACTION_REQUIRED" | "APPROVED" | "COMPLETED";
    create_time: string;
    purchase_units: [
      {
        description: string;
        custom_id: string;
        amount: Money;
        items: { name: string; quantity: string; unit_amount: Money }[];
        payments: { authorizations: Authorization[]; captures: Made[]; refunds: Refund[] };
      },
    ];
    links: { rel: string; href: string }[];
  };
  returnUrl: string;
  cancelUrl: string;
  account: Account | null;
  dispute: {
    dispute_id: string;
    status: string;
    create_time: string;
    seller_response_due_date: string;
    dispute_amount: Money;
    dispute_outcome?: { outcome_code: string; amount_refunded?: Money };
  } | null;
};

/** A change of a locked order. `now` is the sandbox's clock in seconds. */
export type Work = { paid: PayPalOrder; now: number; events: { type: string; resource: object }[] };

const HOUR = 3_600;
const DAY = 24 * HOUR;
const APPROVABLE_HOURS = 3;
const HONOR_DAYS = 3;
const AUTHORIZED_DAYS = 29;
const SECONDS_TO_SETTLE = 60;
const DAYS_TO_RESPOND = 10;

export const newId = () => randomText(17).toUpperCase();
export const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString();
const secondsOf = (time: string) => Date.parse(time) / 1000;
export const centsOf = ({ value }: Money): number => Math.round(Number(value) * 100);
export const paymentsOf = ({ order }: PayPalOrder) => order.purchase_units[0].payments;
const sum = (all: Made[], ...statuses: string[]) =>
  all.filter(({ status }) => statuses.includes(status)).reduce((total, { amount }) => total + centsOf(amount), 0);

export const refuse = (issue: string, status = 422): RefusedCall =>
  new RefusedCall(status, { name: "UNPROCESSABLE_ENTITY", message: issue, details: [{ issue }] }, issue);

/** PayPal forgets an order that is not authorized in time. */
export const isForgotten = ({ order }: PayPalOrder, now: number): boolean =>
  order.status !== "COMPLETED" && now > secondsOf(order.create_time) + APPROVABLE_HOURS * HOUR;

/** Sums in cents for the books. */
export function booksOf(paid: PayPalOrder) {
  const { authorizations, captures, refunds } = paymentsOf(paid);
  const captured = sum(captures, "COMPLETED");
  return {
    authorized: captures.length > 0 ? 0 : sum(authorizations.slice(0, 1), "CREATED"),
    captured,
    refunded: sum(refunds, "COMPLETED"),
  };
}

function emit({ paid, events }: Work, type: string, resource: object): void {
  const related = { supplementary_data: { related_ids: { order_id: paid.order.id } } };
  events.push(structuredClone({ type, resource: { ...resource, ...related } }));
}

const make = (now: number, status: string, amount: Money): Made => ({
  id: newId(),
  status,
  amount,
  create_time: timeOf(now),
});

/** The payer approves, also again after a decline. False if the order was authorized. */
export function approve(work: Work, account: Account): boolean {
  const { order } = work.paid;
  if (order.status === "COMPLETED") return false;
  order.status = "APPROVED";
  work.paid.account = account;
  work.events.push({ type: "CHECKOUT.ORDER.APPROVED", resource: { id: order.id, status: order.status } });
  return true;
}

export function authorize(work: Work): object {
  const { order, account } = work.paid;
  if (order.status === "COMPLETED") throw refuse("ORDER_ALREADY_AUTHORIZED");
  if (order.status !== "APPROVED") throw refuse("ORDER_NOT_APPROVED");
  if (account === "declined") throw refuse("INSTRUMENT_DECLINED");
  const { value, currency_code } = order.purchase_units[0].amount;
  const expiration_time = timeOf(work.now + AUTHORIZED_DAYS * DAY);
  const authorization = { ...make(work.now, "CREATED", { value, currency_code }), expiration_time };
  paymentsOf(work.paid).authorizations.push(authorization);
  order.status = "COMPLETED";
  emit(work, "PAYMENT.AUTHORIZATION.CREATED", authorization);
  return order;
}

function authorizationOf({ paid }: Work, id: string) {
  const { authorizations } = paymentsOf(paid);
  const index = authorizations.findIndex((each) => each.id === id);
  const found = authorizations[index];
  if (!found) throw refuse("INVALID_RESOURCE_ID", 404);
  if (found.status === "VOIDED") throw refuse("AUTHORIZATION_VOIDED");
  return { authorization: found, isReauthorized: index > 0 };
}

const isHonored = ({ create_time: since }: Made, now: number) => now < secondsOf(since) + HONOR_DAYS * DAY;

export function reauthorize(work: Work, id: string, amount: Money): object {
  const { authorization, isReauthorized } = authorizationOf(work, id);
  if (isReauthorized || work.paid.account === "card") throw refuse("REAUTHORIZATION_NOT_SUPPORTED");
  if (paymentsOf(work.paid).captures.length > 0) throw refuse("AUTHORIZATION_ALREADY_CAPTURED");
  if (isHonored(authorization, work.now)) throw refuse("REAUTHORIZATION_TOO_SOON");
  const reauthorized = { ...make(work.now, "CREATED", amount), expiration_time: authorization.expiration_time };
  paymentsOf(work.paid).authorizations.push(reauthorized);
  return reauthorized;
}

export function voidAuthorization(work: Work, id: string): object {
  const { authorization, isReauthorized } = authorizationOf(work, id);
  if (isReauthorized) throw refuse("CANNOT_BE_VOIDED");
  if (paymentsOf(work.paid).captures.length > 0) throw refuse("PREVIOUSLY_CAPTURED");
  return end(work, authorization);
}

function end(work: Work, authorization: Authorization): object {
  for (const each of paymentsOf(work.paid).authorizations) each.status = "VOIDED";
  emit(work, "PAYMENT.AUTHORIZATION.VOIDED", authorization);
  return authorization;
}

/** Stricter than PayPal, which may still capture what it no longer reserves. */
export function capture(work: Work, id: string, amount: Money): object {
  const { authorization } = authorizationOf(work, id);
  const { account } = work.paid;
  const { captures, authorizations } = paymentsOf(work.paid);
  if (captures.length > 0) throw refuse("AUTHORIZATION_ALREADY_CAPTURED");
  if (centsOf(amount) > centsOf(authorization.amount)) throw refuse("MAX_CAPTURE_AMOUNT_EXCEEDED");
  if (account === "refuses-capture") throw refuse("TRANSACTION_REFUSED");
  if (account !== "card" && !isHonored(authorization, work.now)) throw refuse("PAYER_CANNOT_PAY");
  const made = make(work.now, account === "slow" ? "PENDING" : "COMPLETED", amount);
  captures.push(made);
  for (const each of authorizations) each.status = "CAPTURED";
  emit(work, `PAYMENT.CAPTURE.${made.status}`, made);
  if (account === "disputes") dispute(work, made);
  return made;
}

function dispute(work: Work, { id: seller_transaction_id, amount: dispute_amount }: Made): void {
  const { now, paid } = work;
  const seller_response_due_date = timeOf(now + DAYS_TO_RESPOND * DAY);
  paid.dispute = {
    dispute_id: `PP-${newId()}`,
    status: "OPEN",
    create_time: timeOf(now),
    seller_response_due_date,
    dispute_amount,
  };
  emitDispute(work, "CREATED", seller_transaction_id);
}

function emitDispute({ paid, events }: Work, what: string, seller_transaction_id: string): void {
  const resource = { ...paid.dispute, disputed_transactions: [{ seller_transaction_id }] };
  events.push(structuredClone({ type: `CUSTOMER.DISPUTE.${what}`, resource }));
}

export function endDispute(work: Work, isWon: boolean): void {
  const { dispute: ended } = work.paid;
  if (!ended) throw refuse("INVALID_RESOURCE_ID", 404);
  ended.status = "RESOLVED";
  ended.dispute_outcome = isWon
    ? { outcome_code: "RESOLVED_SELLER_FAVOUR" }
    : { outcome_code: "RESOLVED_BUYER_FAVOUR", amount_refunded: ended.dispute_amount };
  emitDispute(work, "RESOLVED", paymentsOf(work.paid).captures[0]?.id ?? "");
}

export function refund(work: Work, id: string, amount: Money, customId: string | undefined): object {
  const { captures, refunds } = paymentsOf(work.paid);
  const taken = captures.find((each) => each.id === id);
  if (!taken) throw refuse("INVALID_RESOURCE_ID", 404);
  if (taken.status === "PENDING") throw refuse("PENDING_CAPTURE");
  if (work.paid.dispute?.status === "OPEN") throw refuse("TRANSACTION_DISPUTED");
  const left = centsOf(taken.amount) - sum(refunds, "COMPLETED", "PENDING");
  if (left === 0) throw refuse("CAPTURE_FULLY_REFUNDED");
  if (centsOf(amount) > left) throw refuse("REFUND_AMOUNT_EXCEEDED");
  const status = work.paid.account === "slow" ? "PENDING" : "COMPLETED";
  const made = { ...make(work.now, status, amount), custom_id: customId };
  refunds.push(made);
  emitRefund(work, made);
  return made;
}

/** A refund's event names its capture, and not its order. */
function emitRefund({ paid, events }: Work, made: Made): void {
  const up = `https://api.paypal.example/v2/payments/captures/${paymentsOf(paid).captures[0]?.id}`;
  const resource = { ...made, links: [{ rel: "up", href: up }] };
  if (made.status === "COMPLETED") events.push(structuredClone({ type: "PAYMENT.CAPTURE.REFUNDED", resource }));
}

/** Timed transitions with their times in seconds, in order. */
function upcoming({ paid }: Work): { at: number; run(work: Work): void }[] {
  const { authorizations, captures, refunds } = paymentsOf(paid);
  const [first] = authorizations.filter(({ status }) => status === "CREATED");
  const steps = [...captures, ...refunds]
    .filter(({ status }) => status === "PENDING")
    .map((made) => ({
      at: secondsOf(made.create_time) + SECONDS_TO_SETTLE,
      run: (work: Work) => {
        made.status = "COMPLETED";
        if (captures.includes(made)) emit(work, "PAYMENT.CAPTURE.COMPLETED", made);
        else emitRefund(work, made);
      },
    }));
  if (first) steps.push({ at: secondsOf(first.expiration_time), run: (work) => void end(work, first) });
  return steps.toSorted((one, other) => one.at - other.at);
}

/** Seconds of the next timed transition; null if there is none. */
export const dueAt = (work: Work): number | null => upcoming(work)[0]?.at ?? null;

export function applyDue(work: Work): void {
  for (const { at, run } of upcoming(work)) if (at <= work.now) run(work);
}
