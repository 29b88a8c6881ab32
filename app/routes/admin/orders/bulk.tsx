/** Actions on several orders at once: the bar below the list, a dialog for each action, and the answer. */
import { useEffect, useId, useRef, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Submit, useActionResult } from "#app/ui/form/form.tsx";
import { AdminArea, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { Dialog, DialogButton } from "#app/ui/overlay/dialog.tsx";
import type { BulkAnswer } from "./actions.server.ts";
import type { BulkIntent, OrderRow } from "./load.server.ts";
import { DelayFields } from "./delay-fields.tsx";
import { CARRIER_OPTIONS } from "./order-table.tsx";

export const BULK_FORM = "orders";

type BulkAction = {
  intent: BulkIntent;
  label: string;
  submit: string;
  isDanger?: true;
  fields: (rows: OrderRow[]) => ReactNode;
};

const CANCELS = "Items return to stock, payments are voided or refunded, and the customers are notified.";

const ACTIONS: BulkAction[] = [
  { intent: "ship", label: "Ship", submit: "Ship orders", fields: (rows) => <ShipFields rows={rows} /> },
  {
    intent: "hold",
    label: "Put on hold",
    submit: "Put on hold",
    fields: () => <AdminText name="text" label="Reason" maxLength={500} />,
  },
  { intent: "delay", label: "Delay", submit: "Delay orders", fields: () => <DelayFields /> },
  { intent: "cancel", label: "Cancel", submit: "Cancel orders", isDanger: true, fields: () => <p>{CANCELS}</p> },
];

function ShipFields({ rows }: { rows: OrderRow[] }) {
  const fast = rows.flatMap(({ number, fast: method }) => (method ? `${number} ${method}` : []));
  const { left } = useActionResult<BulkAnswer>(BULK_FORM)?.data ?? {};
  return (
    <>
      {fast.length > 0 && <p>{`Faster than usual: ${fast.join(", ")}.`}</p>}
      <AdminArea
        name="tracking"
        label="Tracking numbers"
        hint="One package per line: order number, space, tracking number. Or select orders, and enter only tracking numbers in the order of the list."
        defaultValue={left}
        rows={6}
        spellCheck={false}
        className="tabular-nums"
      />
      <AdminSelect name="carrier" label="Carrier" options={CARRIER_OPTIONS} />
    </>
  );
}

/** Actions return to the filtered list. */
export function useListAction(): (intent: string) => string {
  const [query] = useSearchParams();
  return (intent) => {
    const list = new URLSearchParams(query);
    list.delete("export");
    list.set("intent", intent);
    return `/admin/orders?${list}`;
  };
}

const idOf = (intent: BulkIntent) => `bulk-${intent}`;

export function ShipInBulk() {
  return (
    <DialogButton opens={idOf("ship")} className="btn">
      Ship in bulk
    </DialogButton>
  );
}

export function BulkBar({ may }: { may: BulkIntent[] }) {
  const actionOf = useListAction();
  return (
    <>
      <Submit formAction={actionOf("slips")} className="btn">
        Print packing slips
      </Submit>
      {may.includes("label-rates") && (
        <Submit formAction={actionOf("label-rates")} className="btn">
          Buy labels
        </Submit>
      )}
      {ACTIONS.filter(({ intent }) => may.includes(intent)).map(({ intent, label, isDanger }) => (
        <DialogButton key={intent} opens={idOf(intent)} className={`btn ${isDanger ? "btn-danger" : ""}`}>
          {label}
        </DialogButton>
      ))}
    </>
  );
}

export const BulkDialogs = ({ may, rows }: { may: BulkIntent[]; rows: OrderRow[] }) =>
  ACTIONS.filter(({ intent }) => may.includes(intent)).map((action) => (
    <BulkDialog key={action.intent} action={action} rows={rows} />
  ));

type BulkDialogProps = { action: BulkAction; rows: OrderRow[] };

function BulkDialog({ action: { intent, label, submit, isDanger, fields }, rows }: BulkDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const title = useId();
  const actionOf = useListAction();
  const result = useActionResult<BulkAnswer>(BULK_FORM);
  useEffect(() => {
    // The answer stands above the list.
    if (result?.data) ref.current?.close();
  }, [result]);
  return (
    <Dialog ref={ref} id={idOf(intent)} aria-labelledby={title} className="admin-dialog">
      <h2 id={title}>{label}</h2>
      {fields(rows)}
      <div className="flex flex-wrap gap-2">
        <Submit formAction={actionOf(intent)} className={`btn ${isDanger ? "btn-danger" : "btn-primary"}`}>
          {submit}
        </Submit>
        <button type="button" onClick={() => ref.current?.close()} className="btn noscript:hidden">
          Close
        </button>
      </div>
    </Dialog>
  );
}

export function BulkResults() {
  const { rows = [], labels, parcels = [] } = useActionResult<BulkAnswer>(BULK_FORM)?.data ?? {};
  const actionOf = useListAction();
  if (rows.length === 0) return null;
  return (
    <section aria-label="Answer" className="grid gap-3">
      <ul aria-label="Results" className="max-w-2xl">
        {rows.map(({ key, label, href, ok, message }) => (
          <li key={key} className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-1.5">
            {href ? (
              <Link to={href} className="admin-link tabular-nums">
                {label}
              </Link>
            ) : (
              <span className="tabular-nums">{label}</span>
            )}
            <Status tone={ok ? "done" : "late"}>{ok ? (labels ? "Rate" : "Done") : "Failed"}</Status>
            <span>{message}</span>
          </li>
        ))}
      </ul>
      {labels && (
        <div className="grid justify-items-start gap-2">
          <p className="text-ink-soft">
            Nothing is bought yet. In their suggested boxes, at the cheapest rate that arrives as promised.
          </p>
          {labels.quotes.map((quote) => (
            <input key={quote} type="hidden" name="quote" value={quote} />
          ))}
          <Submit formAction={actionOf("labels")} className="btn btn-primary">
            {labels.submit}
          </Submit>
        </div>
      )}
      {parcels.length > 0 && (
        <Link to={`/admin/orders/slips?ids=${parcels.join(",")}`} className="btn btn-primary w-fit">
          Print labels and slips
        </Link>
      )}
    </section>
  );
}
