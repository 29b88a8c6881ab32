import { AdminCheckbox } from "#app/ui/admin/field.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { DelayFields } from "../delay-fields.tsx";
import type { OrderData } from "./load.server.ts";
import { ActionPanel } from "./action-panel.tsx";

/** The customer's silence under the rule on mail orders, in words. */
function termsWords({ silentUntil, answerBy }: OrderData["delayTerms"]): string {
  if (!answerBy) return "Without an answer, the customer keeps the order, whatever the new date.";
  const canceled = `is canceled after ${dayWords(answerBy)} unless the customer agrees or it ships`;
  if (!silentUntil) return `The order ${canceled}.`;
  return `A day up to ${dayWords(silentUntil)} stands without an answer. With a later or unknown day, the order ${canceled}.`;
}

export function DelayPanel({ order }: { order: OrderData }) {
  const { holdEndsOn } = order;
  const hint =
    order.parcels.length > 0
      ? "For the rest of the order. The customer is asked to keep or cancel it."
      : "The customer is asked to keep or cancel the order.";
  return (
    <ActionPanel intent="delay" label="Delay shipping" order={order}>
      <DelayFields />
      <p className="max-w-prose text-ink-soft">{`${hint} ${termsWords(order.delayTerms)}`}</p>
      {holdEndsOn && (
        <>
          <p className="max-w-prose">
            The payment authorization ends on <span>{dayWords(holdEndsOn)}</span>. With that date or a later one, it
            ends before the order ships, and the customer will be asked to pay again.
          </p>
          <AdminCheckbox
            name="paysAgain"
            label={`Yes, the payment ends on ${dayWords(holdEndsOn)}, and the customer will have to pay again`}
          />
        </>
      )}
    </ActionPanel>
  );
}
