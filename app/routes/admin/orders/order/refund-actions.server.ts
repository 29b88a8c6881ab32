/** Actions on refunds of one order. */
import { z } from "#shop/zod.ts";
import { isReason, REFUND_NOT_BOTH, REFUND_REASONS } from "#shop/orders/reasons.ts";
import {
  refundOrder,
  type RefundItems,
  recordSent,
  type RefundState,
  resolveRefund,
  retryRefund,
} from "#shop/fulfillment/refund.server.ts";
import { readDollars } from "#shop/money.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { requiredLine } from "#shop/text.ts";
import { db } from "#platform/database.server.ts";
import { refused } from "#app/http/form.server.ts";
import { fieldError } from "../../action.server.ts";
import { refundWords, withinLimit } from "../../refund-answers.server.ts";
import { serviceValue } from "./load.server.ts";
import { onOrder, type OrderAction, outcome, unitsIn, WRONG_UNITS } from "./on-order.server.ts";

export const NO_REASON = "Choose a reason";

/** A word of a list of reasons. */
export const reasonIn = <List extends object>(list: List) =>
  z.custom<keyof List & string>((word) => isReason(list, String(word)), NO_REASON);

const refundShape = {
  amount: z.string().default(""),
  shipping: z.string().optional(),
  /** Cents of the chosen items, as the form showed them. */
  total: z.string().optional(),
  /** Checked with the amount, so that what is wrong with both is said at once. */
  reason: z.string().default(""),
  refundsSeen: z.coerce.number().int().optional(),
};
type Refund = OrderAction<z.output<z.ZodObject<typeof refundShape>>>;

type Amount = { cents: number; items: RefundItems | null } | { field: "units" | "amount"; problem: string };

/** News of a refund elsewhere take its units out of an open form, so that nothing is chosen there any more. */
function nothingChosen({ order }: Refund): string {
  const words = order.lines.flatMap(({ name, refunded }) => (refunded > 0 ? `${refunded} × ${name}` : [])).join(", ");
  return `${words && `Refunded already: ${words}. `}Enter an amount, or choose items above`;
}

function readAmount(action: Refund): Amount {
  const { value } = action;
  const units = unitsIn(action);
  if (!units) return { field: "units", problem: WRONG_UNITS };
  const services = action.order.state.money.services.filter((each) =>
    action.form.getAll("services").includes(serviceValue(each)),
  );
  const items = { units, hasShipping: value.shipping !== undefined, services };
  const hasItems = items.hasShipping || services.length > 0 || Object.values(items.units).some((count) => count > 0);
  const typed = value.amount.trim();
  const wrong = (problem: string) => ({ field: "amount", problem }) as const;
  if (typed === "") return hasItems ? { cents: Number(value.total), items } : wrong(nothingChosen(action));
  if (hasItems) return wrong(REFUND_NOT_BOTH);
  const cents = readDollars(typed);
  return cents === null ? wrong("Enter an amount in dollars, such as 24.50") : { cents, items: null };
}

/** Refunds items or an amount within the role's limit; large ones require a recent verification. */
async function refund(action: Refund) {
  const { id, by, value } = action;
  const amount = readAmount(action);
  const { reason, refundsSeen: seen } = value;
  const hasReason = isReason(REFUND_REASONS, reason);
  if (!hasReason || "problem" in amount) {
    const errors = {
      ...("problem" in amount && { [amount.field]: amount.problem }),
      ...(!hasReason && { reason: NO_REASON }),
    };
    return refused(action, "", { status: 400, errors });
  }
  const { cents } = amount;
  const wanted = { ...amount, reason, ...(seen !== undefined && { seen }) };
  const ask = (isVerified: boolean) => refundOrder(db, paymentProviders(), id, { ...wanted, isVerified }, by);
  return withinLimit(action, ask, (result) => {
    if (!result.ok && result.reason === "refunded-units") {
      const { name, unitsLeft } = result;
      const problem = unitsLeft === 0 ? `${name} was refunded before` : `Only ${unitsLeft} of ${name} can be refunded`;
      return fieldError(action, "units", problem, 409);
    }
    if (!result.ok && result.reason === "not-shipped")
      return fieldError(action, "units", `${result.name} has not shipped. Cancel it instead, which refunds it.`, 409);
    if (!result.ok && result.reason === "sum") return fieldError(action, "total", "Check the sum, then confirm", 409);
    if (!result.ok) return outcome(action, result, "");
    if (result.state === "failed")
      return refused(action, "The payment provider refused the refund. Nothing was refunded.");
    return outcome(action, result, refundWords(cents, result));
  });
}

const RETRY_WORDS: Partial<Record<RefundState, string>> = {
  done: "Refunded. The customer was emailed.",
  waiting: "The refund was asked for again. We keep asking the payment provider.",
};

export const refundActions = {
  refund: onOrder(refundShape, refund),
  "resolve-refund": onOrder(
    { refund: z.uuid(), text: requiredLine("Note", 500, "Enter how it was resolved") },
    (action) => {
      const { refund: refundId, text } = action.value;
      return withinLimit(
        action,
        (isVerified) => resolveRefund(db, action.id, { refundId, text, isVerified }, action.by),
        (result) => outcome(action, result, "Marked as resolved. The customer was notified."),
      );
    },
  ),
  "retry-refund": onOrder({ refund: z.uuid() }, (action) => {
    const { id, by, value } = action;
    return withinLimit(
      action,
      (isVerified) => retryRefund(db, paymentProviders(), id, { refundId: value.refund, isVerified }, by),
      (result) =>
        result.ok && result.state === "failed"
          ? refused(action, "The payment provider refused the refund again.")
          : outcome(action, result, (result.ok && RETRY_WORDS[result.state]) || ""),
    );
  }),
  "record-refund": onOrder({ refund: z.uuid(), cents: z.coerce.number().int() }, (action) => {
    const { refund: refundId, cents } = action.value;
    return withinLimit(
      action,
      (isVerified) => recordSent(db, action.id, { refundId, cents, isVerified }, action.by),
      (result) => outcome(action, result, "Recorded as sent. The customer was emailed."),
    );
  }),
};
