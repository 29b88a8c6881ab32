import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { formatMoney, readDollars } from "#shop/money.ts";
import { arrangementShape } from "#shop/payments/arrangement.ts";
import { hasPayments } from "#shop/payment-mode.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import {
  addLabel,
  answerQuote,
  askFee,
  authorizeReturn,
  declineReturn,
  inspectReturn,
  quoteRepair,
  receiveReturn,
  recordReturnPayment,
  resolveReturn,
  sendChecks,
  waiveCharge,
  withdrawReturn,
  type Inspection,
} from "#shop/returns/handle.server.ts";
import { OUTCOMES, type ReturnState } from "#shop/returns/lifecycle.ts";
import { getReturn } from "#shop/returns/returns.server.ts";
import {
  CONDITIONS,
  DEDUCTIONS,
  REFUSE_REASONS,
  STATE_WORDS,
  type Condition,
  type DeductionReason,
  type RefuseReason,
} from "#shop/returns/return.ts";
import { message } from "#shop/text.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actions, fieldError, handle, type Action } from "../../action.server.ts";
import { notFound } from "../../guard.server.ts";
import { refundWords, withinLimit } from "../../refund-answers.server.ts";
import { whyNot } from "./refusals.server.ts";

type Result = { ok: true; repeated?: boolean } | { ok: false; reason: string; state?: ReturnState };

function outcome(action: Action, result: Result, words: string) {
  if (result.ok) return done(action, result.repeated ? "Already done." : words, { clears: true });
  if (result.state)
    return refused(action, `This return is ${STATE_WORDS[result.state].toLowerCase()} now, so this cannot be done.`);
  return refused(action, whyNot(result));
}

const none = z.object({});
/** The amount that the submitted page showed. */
const seen = { cents: z.coerce.number().int() };
const oneOf = <Key extends string>(list: Record<Key, string>, missing: string) =>
  z.custom<Key>((word) => typeof word === "string" && Object.hasOwn(list, word), missing);

const AMOUNT = "Enter an amount in dollars, such as 24.50";

/** Conditions ("LINE:CONDITION") and restocked lines of an inspection. Null if a line has no condition. */
function findingsIn({ form }: Action, lineIds: string[]): Inspection["lines"] | null {
  const named = form.getAll("condition").map((text) => text.split(":"));
  const restocked = form.getAll("restock");
  const found: Inspection["lines"] = {};
  for (const id of lineIds) {
    const condition = named.find(([line]) => line === id)?.[1] ?? "";
    if (!Object.hasOwn(CONDITIONS, condition)) return null;
    found[id] = { condition: condition as Condition, isRestocked: restocked.includes(id) };
  }
  return found;
}

const inspectSchema = z.object({
  amount: z.string().default(""),
  deduction: z.literal("").or(oneOf<DeductionReason>(DEDUCTIONS, "Choose a reason")).default(""),
});

async function inspect(action: Action<z.output<typeof inspectSchema>>) {
  const { id, by, value } = action;
  const orderReturn = await getReturn(db, id);
  if (!orderReturn) throw notFound();
  const lines = findingsIn(
    action,
    orderReturn.items.map((item) => item.id),
  );
  if (!lines) return fieldError(action, "condition", "Choose a condition for each item");
  const cents = value.amount.trim() === "" ? null : readDollars(value.amount);
  if (value.amount.trim() !== "" && cents === null) return fieldError(action, "amount", AMOUNT);
  if (cents !== null && value.deduction === "")
    return fieldError(action, "deduction", "Choose a reason, shown to the customer");
  if (cents === null && value.deduction !== "") return fieldError(action, "amount", AMOUNT);
  const deduction = cents === null || value.deduction === "" ? null : { cents, reason: value.deduction };
  const result = await inspectReturn(db, id, { lines, deduction }, by);
  if (!result.ok && result.reason === "deduction")
    return fieldError(action, "amount", `${formatMoney(orderReturn.money.worthCents)} at most`);
  return outcome(action, result, "Inspected. The customer was notified.");
}

const resolveSchema = z.object({ outcome: z.enum(OUTCOMES, "Choose an outcome"), part: z.string().default("") });

/** Resolves the return; a refund stays within the limit of the role, and a large one needs a recent code. */
async function resolve(action: Action<z.output<typeof resolveSchema>>) {
  const { id, by, value } = action;
  const partId = z.uuid().safeParse(value.part).data ?? null;
  const desk = { providers: paymentProviders(), taxProvider: taxProvider() };
  const ask = (isVerified: boolean) => resolveReturn(db, desk, id, { outcome: value.outcome, partId, isVerified }, by);
  return withinLimit(action, ask, (result) => {
    if (!result.ok && result.reason === "no-part") return fieldError(action, "part", "Choose the part");
    if (!result.ok) return outcome(action, result, "");
    const { refund, isSent } = result;
    if (refund?.state === "failed") return refused(action, "Resolved, but the payment provider refused the refund.");
    const sent = isSent ? "Resolved. What you’re sending is on the order." : "Resolved.";
    return done(action, refund ? `${sent} ${refundWords(refund.cents, refund)}` : sent, { clears: true });
  });
}

const labelUrl = z.url({ protocol: /^https$/, error: "Enter an address that begins with https://" });
const labelSchema = z.object({ labelUrl: z.literal("").or(labelUrl).default("") });

export const action = actions({
  authorize: handle(labelSchema, async (action) => {
    const labelUrl = action.value.labelUrl || null;
    const result = await authorizeReturn(db, action.id, { labelUrl }, action.by);
    return outcome(action, result, "Authorized. The customer was emailed the number and the address.");
  }),
  label: handle(z.object({ labelUrl }), async (action) =>
    outcome(
      action,
      await addLabel(db, action.id, action.value.labelUrl, action.by),
      "Sent. The customer’s days to send it count from now.",
    ),
  ),
  checks: handle(z.object({ text: message("Message", 5000, "Enter a message") }), async (action) =>
    outcome(action, await sendChecks(db, action.id, action.value.text, action.by), "Sent."),
  ),
  fee: handle(none, async (action) =>
    outcome(
      action,
      await askFee(db, action.id, action.by),
      hasPayments()
        ? "The customer was emailed a link to pay the fee."
        : "The customer was emailed that you contact them about the payment of the fee.",
    ),
  ),
  decline: handle(z.object({ reason: oneOf<RefuseReason>(REFUSE_REASONS, "Choose a reason") }), async (action) =>
    outcome(
      action,
      await declineReturn(db, action.id, action.value.reason, action.by),
      "Declined. The customer was notified of the reason.",
    ),
  ),
  withdraw: handle(none, async (action) => {
    const orderReturn = await getReturn(db, action.id);
    if (!orderReturn) throw notFound();
    return outcome(
      action,
      await withdrawReturn(db, orderReturn.orderId, orderReturn.id, action.by),
      "Withdrawn. The customer was notified.",
    );
  }),
  reopen: handle(none, async (action) =>
    outcome(
      action,
      await authorizeReturn(db, action.id, { event: "reopened" }, action.by),
      "Reopened. The customer was notified.",
    ),
  ),
  receive: handle(none, async (action) =>
    outcome(action, await receiveReturn(db, action.id, action.by), "Received. The customer was notified."),
  ),
  inspect: handle(inspectSchema, inspect, { lists: ["condition", "restock"] }),
  quote: handle(z.object({ amount: z.string() }), async (action) => {
    const cents = readDollars(action.value.amount);
    if (cents === null) return fieldError(action, "amount", AMOUNT);
    const result = await quoteRepair(db, action.id, cents, action.by);
    if (!result.ok && result.reason === "price")
      return fieldError(action, "amount", "The price cannot be less than the fee already paid");
    return outcome(action, result, "Sent. The customer answers on their return’s page.");
  }),
  answer: handle(z.object({ answer: z.enum(["yes", "no"], "Choose an answer") }), async (action) => {
    const orderReturn = await getReturn(db, action.id);
    if (!orderReturn) throw notFound();
    const isYes = action.value.answer === "yes";
    const result = await answerQuote(db, orderReturn.orderId, orderReturn.id, isYes, action.by);
    return outcome(action, result, isYes ? "Accepted. It can be repaired." : "Refused. It goes back unrepaired.");
  }),
  resolve: handle(resolveSchema, resolve),
  "record-paid": handle(z.object({ ...arrangementShape, ...seen }), async (action) =>
    outcome(
      action,
      await recordReturnPayment(db, action.id, action.value, action.by),
      "Payment recorded. The customer was notified.",
    ),
  ),
  waive: handle(z.object(seen), (action) => {
    const { cents } = action.value;
    return withinLimit(
      action,
      (isVerified) => waiveCharge(db, action.id, { cents, isVerified }, action.by),
      (result) => outcome(action, result, "Waived. The customer has nothing to pay."),
    );
  }),
});
