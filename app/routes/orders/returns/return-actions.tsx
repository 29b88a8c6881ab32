import type { ReactNode } from "react";
import { formatMoney } from "#shop/money.ts";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { PlainForm, Submit, useActionResult } from "#app/ui/form/plain-form.tsx";
import type { ReturnView } from "./return-view.ts";

export const RETURN_INTENTS = ["pay", "accept", "refuse", "withdraw"] as const;
export type ReturnIntent = (typeof RETURN_INTENTS)[number];

type Props = { orderReturn: ReturnView };

const FAILURE = { message: "Something went wrong. Your return hasn’t changed. Please try again." };
/** Action result shared by the forms of all returns. */
const ANSWER = "return";

/** A refusal, whose form may be gone by now. */
export function ReturnRefusal() {
  const answer = useActionResult(ANSWER);
  if (!answer || answer.ok) return null;
  return (
    <Alert tone="error" focusFor={answer} className="mb-8 px-5 py-4 font-medium text-error">
      {answer.message ?? FAILURE.message}
    </Alert>
  );
}

type IntentFormProps = Props & { intent: ReturnIntent; isQuiet?: boolean; children: ReactNode };

function IntentForm({ orderReturn, intent, isQuiet = false, children }: IntentFormProps) {
  return (
    <PlainForm id={`${intent}-${orderReturn.number}`} answerId={ANSWER} action={orderReturn.path} messageAt="none">
      <Submit name="intent" value={intent} className={`button ${isQuiet ? "button-quiet" : "button-primary"}`}>
        {children}
      </Submit>
    </PlainForm>
  );
}

/** Actions that the customer may take now; the next step is the filled button. */
export function ReturnActions({ orderReturn }: Props) {
  const { payCents, quote } = orderReturn.actions;
  return (
    <>
      {payCents !== null && (
        <IntentForm orderReturn={orderReturn} intent="pay">
          {`Pay ${formatMoney(payCents)}`}
        </IntentForm>
      )}
      {quote && (
        <>
          <IntentForm orderReturn={orderReturn} intent="accept">
            {`Yes, repair it for ${formatMoney(quote.cents)}`}
          </IntentForm>
          <IntentForm orderReturn={orderReturn} intent="refuse" isQuiet>
            No, send it back
          </IntentForm>
        </>
      )}
      {orderReturn.shipping && (
        <a
          href={`${orderReturn.path}/slip`}
          className={`button ${payCents === null ? "button-primary" : "button-quiet"}`}
        >
          Print the return slip
        </a>
      )}
      {orderReturn.shipping?.labelUrl && (
        <a href={orderReturn.shipping.labelUrl} target="_blank" rel="noreferrer" className="button button-quiet">
          Open your prepaid label
        </a>
      )}
    </>
  );
}

export function Withdraw({ orderReturn }: Props) {
  if (!orderReturn.actions.mayWithdraw) return null;
  return (
    <details>
      <summary className="text-link inline-flex min-h-11 cursor-pointer list-none items-center">
        Withdraw this return
      </summary>
      <div className="mt-2 grid justify-items-start gap-4 rounded-card bg-leaf-light/60 p-5">
        <p>Did you change your mind? Then you don’t need to send anything.</p>
        <IntentForm orderReturn={orderReturn} intent="withdraw" isQuiet>
          Withdraw
        </IntentForm>
      </div>
    </details>
  );
}
