import type { ReactNode } from "react";
import { formatMoney } from "#shop/money.ts";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { PlainForm, Submit, useActionResult } from "#app/ui/form/plain-form.tsx";
import type { ReturnView } from "./return-view.ts";

export const RETURN_INTENTS = ["pay", "accept", "refuse", "withdraw"] as const;
export type ReturnIntent = (typeof RETURN_INTENTS)[number];

type Props = { rma: ReturnView };

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

function IntentForm({ rma, intent, isQuiet = false, children }: IntentFormProps) {
  return (
    <PlainForm id={`${intent}-${rma.number}`} answerId={ANSWER} action={rma.path} messageAt="none">
      <Submit name="intent" value={intent} className={`button ${isQuiet ? "button-quiet" : "button-primary"}`}>
        {children}
      </Submit>
    </PlainForm>
  );
}

/** What the customer may do now; the next step is the filled button. */
export function ReturnActions({ rma }: Props) {
  const { payCents, quote } = rma.actions;
  return (
    <>
      {payCents !== null && (
        <IntentForm rma={rma} intent="pay">
          {`Pay ${formatMoney(payCents)}`}
        </IntentForm>
      )}
      {quote && (
        <>
          <IntentForm rma={rma} intent="accept">
            {`Yes, repair it for ${formatMoney(quote.cents)}`}
          </IntentForm>
          <IntentForm rma={rma} intent="refuse" isQuiet>
            No, send it back
          </IntentForm>
        </>
      )}
      {rma.shipping && (
        <a href={`${rma.path}/slip`} className={`button ${payCents === null ? "button-primary" : "button-quiet"}`}>
          Print the return slip
        </a>
      )}
      {rma.shipping?.labelUrl && (
        <a href={rma.shipping.labelUrl} target="_blank" rel="noreferrer" className="button button-quiet">
          Open your prepaid label
        </a>
      )}
    </>
  );
}

export function Withdraw({ rma }: Props) {
  if (!rma.actions.mayWithdraw) return null;
  return (
    <details>
      <summary className="text-link inline-flex min-h-11 cursor-pointer list-none items-center">
        Withdraw this return
      </summary>
      <div className="mt-2 grid justify-items-start gap-4 rounded-card bg-leaf-light/60 p-5">
        <p>Did you change your mind? Then you don’t need to send anything.</p>
        <IntentForm rma={rma} intent="withdraw" isQuiet>
          Withdraw
        </IntentForm>
      </div>
    </details>
  );
}
