import type { ChangeEvent, ReactNode } from "react";
import { useField } from "@conform-to/react";
import { formatMoney } from "#shop/money.ts";
import { CONDITIONS, DEDUCTIONS, REFUSE_REASONS } from "#shop/returns/return.ts";
import { policyText } from "#shop/policy-text.ts";
import { AdminArea, AdminForm, AdminSelect, AdminText, Control, optionList } from "#app/ui/admin/field.tsx";
import { ActionFold } from "#app/ui/admin/action-fold.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import type { ReturnAction, ReturnData } from "./load.server.ts";

type Props = { rma: ReturnData };
type PanelProps = Props & { intent: ReturnAction; label: string; isDanger?: boolean; children?: ReactNode };

/** One action on a return, open if it is the next step. Its message is the page's, because the panel goes with it. */
function Panel({ rma, intent, label, isDanger = false, children }: PanelProps) {
  const isNext = rma.next === intent;
  const style = `btn ${isNext ? "btn-primary" : ""} ${isDanger ? "btn-danger" : ""}`;
  return (
    <AdminForm intent={intent} of={rma.id}>
      {({ result }) => (
        <ActionFold label={label} style={style} isFolded={!isNext && !!children} isRefused={result?.ok === false}>
          {children}
          <Submit className={style}>{label}</Submit>
        </ActionFold>
      )}
    </AdminForm>
  );
}

const choose = (list: Record<string, string>, first = "Choose") => [["", first] as const, ...Object.entries(list)];

function Authorize({ rma }: Props) {
  return (
    <Panel rma={rma} intent="authorize" label="Authorize">
      {rma.isPaidByUs ? (
        <AdminText
          name="labelUrl"
          type="url"
          label="Link to the prepaid label"
          hint="We pay for the way back. The customer opens the label from their return’s page."
          autoComplete="off"
          spellCheck={false}
          className="w-full max-w-xl"
        />
      ) : (
        <p className="max-w-prose">The customer gets the return number and the address, and pays for the way back.</p>
      )}
    </Panel>
  );
}

function Inspect({ rma }: Props) {
  return (
    <Panel rma={rma} intent="inspect" label="Save inspection">
      <Findings rma={rma} />
      {!rma.isOwnProduct && rma.claim && rma.claim.money.linesCents > 0 && (
        <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[180px_1fr]">
          <AdminText
            name="amount"
            label="Reduce the refund by ($)"
            hint={`Of ${formatMoney(rma.claim.money.linesCents)}`}
            inputMode="decimal"
            autoComplete="off"
          />
          <AdminSelect
            name="deduction"
            label="Reason, shown to the customer"
            options={choose(DEDUCTIONS, "No reduction")}
          />
        </div>
      )}
    </Panel>
  );
}

/** Units that are like new go back on the shelf, unless staff untick it. */
function ticksStock({ currentTarget }: ChangeEvent<HTMLSelectElement>): void {
  const box = currentTarget.closest("[data-line]")?.querySelector<HTMLInputElement>("input[name=restock]");
  if (box) box.checked = currentTarget.value.endsWith(":new");
}

function Findings({ rma }: Props) {
  const [{ initialValue, errors }] = useField<string[]>("condition");
  const [restock] = useField<string[]>("restock");
  const typed = [initialValue ?? []].flat();
  const restocked = [restock.initialValue ?? []].flat();
  return rma.lines.map(({ id, name, units }, i) => {
    const options = Object.entries(CONDITIONS).map(([condition, words]) => [`${id}:${condition}`, words] as const);
    return (
      <div key={id} data-line="" className="flex w-full flex-wrap items-end gap-x-4 gap-y-1">
        <Control
          as="select"
          name="condition"
          label={units > 1 ? `${units} × ${name}` : name}
          error={i === 0 ? errors?.[0] : undefined}
          defaultValue={options.find(([value]) => typed.includes(value))?.[0] ?? ""}
          onChange={ticksStock}
          className="w-full max-w-sm"
        >
          {optionList([["", "Choose the condition"], ...options])}
        </Control>
        {!rma.isOwnProduct && (
          <label className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              name="restock"
              value={id}
              defaultChecked={restocked.includes(id)}
              className="size-4.5 shrink-0 accent-leaf"
            />
            Return to stock<span className="sr-only">{`: ${name}`}</span>
            <span className="text-ink-soft">Otherwise it is written off</span>
          </label>
        )}
      </div>
    );
  });
}

function Resolve({ rma }: Props) {
  const { claim, outcomes, parts } = rma;
  if (!claim) return null;
  const { money, refundLimitCents } = claim;
  const isCheaper = rma.exchangeName !== null && outcomes.some(([outcome]) => outcome === "replacement");
  return (
    <Panel rma={rma} intent="resolve" label="Resolve">
      <AdminSelect
        name="outcome"
        label="Outcome"
        className="w-full max-w-sm"
        options={[["", "Choose"], ...outcomes]}
        defaultValue={outcomes.length === 1 ? outcomes[0]![0] : ""}
      />
      {parts.length > 0 && (
        <AdminSelect
          name="part"
          label="Part, if one is sent"
          className="w-full max-w-sm"
          options={[["", "None"], ...parts.map(({ id, name }) => [id, name] as const)]}
        />
      )}
      {money.refundCents > 0 && (
        <p className="text-ink-soft">
          <span>
            {isCheaper
              ? `The new product costs less: ${formatMoney(money.refundCents)} is refunded.`
              : `A refund pays ${formatMoney(money.refundCents)}.`}
          </span>
          {refundLimitCents !== null && (
            <span>{` Your role can refund up to ${formatMoney(refundLimitCents)} per order per day.`}</span>
          )}
        </p>
      )}
    </Panel>
  );
}

/** Panels by action, in the order in which they are offered. */
export function ReturnPanel({ rma, action }: Props & { action: ReturnAction }) {
  switch (action) {
    case "authorize":
      return <Authorize rma={rma} />;
    case "label":
      return (
        <Panel rma={rma} intent="label" label={rma.labelUrl ? "Replace the label" : "Send the label"}>
          <AdminText
            name="labelUrl"
            label="Address of the prepaid label"
            hint="The customer’s days to send it begin when they get it."
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            className="w-full max-w-xl"
          />
        </Panel>
      );
    case "receive":
      return <Panel rma={rma} intent="receive" label="Mark as received" />;
    case "inspect":
      return <Inspect rma={rma} />;
    case "quote":
      return (
        <Panel rma={rma} intent="quote" label="Send price">
          <AdminText
            name="amount"
            label="Price of the repair ($)"
            hint="A paid diagnostic fee is waived, and comes off. The customer says yes or no."
            inputMode="decimal"
            autoComplete="off"
            className="w-full max-w-sm"
          />
        </Panel>
      );
    case "resolve":
      return <Resolve rma={rma} />;
    case "checks":
      return (
        <Panel rma={rma} intent="checks" label="Reply to the customer">
          <AdminArea
            name="text"
            label="Message"
            hint="Such as simple checks to try first. Sent by email, and kept in the order’s notes."
            rows={6}
            className="w-full max-w-xl"
          />
        </Panel>
      );
    case "fee":
      return (
        <Panel rma={rma} intent="fee" label="Request the fee">
          <p className="max-w-prose">{`The customer is asked by email to pay the diagnostic fee of ${policyText.diagnosticFee}.`}</p>
        </Panel>
      );
    case "reopen":
      return <Panel rma={rma} intent="reopen" label="Reopen" />;
    case "withdraw":
      return (
        <Panel rma={rma} intent="withdraw" label="Withdraw" isDanger>
          <p className="max-w-prose">For a customer who changed their mind. What was reserved goes back to stock.</p>
        </Panel>
      );
    case "decline":
      return (
        <Panel rma={rma} intent="decline" label="Decline" isDanger>
          <AdminSelect
            name="reason"
            label="Reason, shown to the customer"
            className="w-full max-w-sm"
            options={choose(REFUSE_REASONS)}
          />
        </Panel>
      );
  }
}
