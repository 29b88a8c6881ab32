import type { ChangeEvent, ReactNode } from "react";
import { useField } from "@conform-to/react";
import { formatMoney } from "#shop/money.ts";
import { CONDITIONS, DEDUCTIONS, REFUSE_REASONS } from "#shop/returns/return.ts";
import { policyText } from "#shop/policy-text.ts";
import {
  AdminArea,
  AdminSelect,
  AdminText,
  Control,
  FieldError,
  optionList,
  useAdminField,
} from "#app/ui/admin/field.tsx";
import { FoldedForm } from "#app/ui/admin/folded-form.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { Arrangement } from "../../orders/order/money-panels.tsx";
import type { ReturnAction, ReturnData } from "./load.server.ts";

type Props = { orderReturn: ReturnData };

const choose = (list: Record<string, string>, first = "Choose") => [["", first] as const, ...Object.entries(list)];

function Authorize({ orderReturn }: Props) {
  return orderReturn.isPaidByUs ? (
    <AdminText
      name="labelUrl"
      type="url"
      label="Link to the prepaid label"
      hint="We pay for return shipping. The customer opens the label from their return’s page."
      autoComplete="off"
      spellCheck={false}
      className="w-full max-w-xl"
    />
  ) : (
    <p className="max-w-prose">The customer gets the return number and the address, and pays for return shipping.</p>
  );
}

function Inspect({ orderReturn }: Props) {
  return (
    <>
      <Findings orderReturn={orderReturn} />
      {!orderReturn.isOwnProduct && orderReturn.claim && orderReturn.claim.money.worthCents > 0 && (
        <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[180px_1fr]">
          <AdminText
            name="amount"
            label="Reduce the refund by ($)"
            hint={`Of ${formatMoney(orderReturn.claim.money.worthCents)}`}
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
    </>
  );
}

/** Units that are like new go back on the shelf, unless staff untick it. */
function ticksStock({ currentTarget }: ChangeEvent<HTMLSelectElement>): void {
  const box = currentTarget.closest("[data-line]")?.querySelector<HTMLInputElement>("input[name=restock]");
  if (box) box.checked = currentTarget.value.endsWith(":new");
}

function Findings({ orderReturn }: Props) {
  const [{ initialValue, errors }] = useField<string[]>("condition");
  const [restock] = useField<string[]>("restock");
  const typed = [initialValue ?? []].flat();
  const restocked = [restock.initialValue ?? []].flat();
  return orderReturn.lines.map(({ id, name, units }, i) => {
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
        {!orderReturn.isOwnProduct && (
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

function Resolve({ orderReturn }: Props) {
  const { claim, outcomes, parts } = orderReturn;
  if (!claim) return null;
  const limit = outcomes.some(({ hasLimit }) => hasLimit) ? claim.refundLimitCents : null;
  return (
    <>
      <Outcomes outcomes={outcomes} />
      {parts.length > 0 && (
        <AdminSelect
          name="part"
          label="Part"
          className="w-full max-w-sm"
          options={[["", "Choose"], ...parts.map(({ id, name }) => [id, name] as const)]}
        />
      )}
      {limit !== null && (
        <p className="text-ink-soft">{`Your role can refund up to ${formatMoney(limit)} per order per day.`}</p>
      )}
    </>
  );
}

function Outcomes({ outcomes }: Pick<ReturnData, "outcomes">) {
  const possible = outcomes.filter(({ isPossible }) => isPossible);
  const { error, value } = useAdminField("outcome", possible.length === 1 ? possible[0]!.outcome : "");
  return (
    <fieldset className="w-full" aria-describedby={error && "outcome-error"}>
      <legend className="font-medium">Outcome</legend>
      {outcomes.map(({ outcome, name, effect, isPossible }) => (
        <label
          key={outcome}
          className="flex min-h-9 flex-wrap items-center gap-x-2.5 py-2 has-disabled:text-ink-soft pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name="outcome"
            value={outcome}
            defaultChecked={outcome === value}
            disabled={!isPossible}
            className="size-4.5 shrink-0 accent-leaf"
          />
          <span className="w-28 shrink-0 font-medium">{name}</span>{" "}
          <span className="text-ink-soft max-sm:basis-full max-sm:pl-7">{effect}</span>
        </label>
      ))}
      <FieldError id="outcome-error">{error}</FieldError>
    </fieldset>
  );
}

type Fields = { label: string; isDanger?: true; fields?: ReactNode };

/** The button and the fields of each action. */
const PANELS: Record<ReturnAction, (orderReturn: ReturnData) => Fields> = {
  authorize: (orderReturn) => ({ label: "Authorize", fields: <Authorize orderReturn={orderReturn} /> }),
  label: ({ labelUrl }) => ({
    label: labelUrl ? "Replace the label" : "Send the label",
    fields: (
      <AdminText
        name="labelUrl"
        label="Link to the prepaid label"
        hint="The customer’s days to send it begin when they get it."
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        className="w-full max-w-xl"
      />
    ),
  }),
  receive: () => ({ label: "Mark as received" }),
  inspect: (orderReturn) => ({ label: "Save inspection", fields: <Inspect orderReturn={orderReturn} /> }),
  quote: () => ({
    label: "Send price",
    fields: (
      <AdminText
        name="amount"
        label="Price of the repair ($)"
        hint="A paid diagnostic fee counts toward it. The customer says yes or no."
        inputMode="decimal"
        autoComplete="off"
        className="w-full max-w-sm"
      />
    ),
  }),
  answer: ({ claim }) => ({
    label: "Answer for the customer",
    fields: (
      <AdminSelect
        name="answer"
        label={`The price of ${formatMoney(claim?.quoteCents ?? 0)}`}
        hint="If they say no, or nothing, they get the product back as is."
        className="w-full max-w-sm"
        options={choose({ yes: "The customer says yes", no: "The customer says no, or nothing" })}
      />
    ),
  }),
  resolve: (orderReturn) => ({
    label: orderReturn.outcome ? "End instead" : "Resolve",
    fields: <Resolve orderReturn={orderReturn} />,
  }),
  "record-paid": ({ claim }) => ({
    label: "Record as paid",
    fields: (
      <>
        <input type="hidden" name="cents" value={claim?.toPayCents} />
        <p>{`The customer paid ${formatMoney(claim?.toPayCents ?? 0)}.`}</p>
        <Arrangement />
      </>
    ),
  }),
  waive: ({ claim }) => ({
    label: "Waive",
    fields: (
      <>
        <input type="hidden" name="cents" value={claim?.toPayCents} />
        <p className="max-w-prose">{`The customer no longer owes the ${formatMoney(claim?.toPayCents ?? 0)}.`}</p>
      </>
    ),
  }),
  checks: () => ({
    label: "Reply to the customer",
    fields: (
      <AdminArea
        name="text"
        label="Message"
        hint="Such as simple checks to try first. Sent by email, and kept in the order’s notes."
        rows={6}
        className="w-full max-w-xl"
      />
    ),
  }),
  fee: () => ({
    label: "Request the fee",
    fields: (
      <p className="max-w-prose">{`The customer is asked by email to pay the diagnostic fee of ${policyText.diagnosticFee}.`}</p>
    ),
  }),
  reopen: () => ({ label: "Reopen" }),
  withdraw: () => ({
    label: "Withdraw",
    isDanger: true,
    fields: <p className="max-w-prose">For a customer who changed their mind. What was reserved goes back to stock.</p>,
  }),
  decline: () => ({
    label: "Decline",
    isDanger: true,
    fields: (
      <AdminSelect
        name="reason"
        label="Reason, shown to the customer"
        className="w-full max-w-sm"
        options={choose(REFUSE_REASONS)}
      />
    ),
  }),
};

/** One action on a return, open if it is the next step. Its message is the page's, because the panel goes with it. */
export function ReturnPanel({ orderReturn, action }: Props & { action: ReturnAction }) {
  const { label, isDanger = false, fields } = PANELS[action](orderReturn);
  const isNext = orderReturn.next === action;
  const style = `btn ${isNext ? "btn-primary" : ""} ${isDanger ? "btn-danger" : ""}`;
  return (
    <FoldedForm
      intent={action}
      of={orderReturn.id}
      label={label}
      style={style}
      isFolded={!isNext && fields !== undefined}
      className="grid justify-items-start gap-2 has-[details[open]]:w-full"
    >
      {fields}
      <Submit className={style}>{label}</Submit>
    </FoldedForm>
  );
}
