import { counted } from "#shop/units.ts";
import { TYPED_REASONS, MOVE_WORDS } from "#shop/inventory/move-form.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { FormKey } from "#app/ui/admin/form-key.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import type { Route } from "./+types/route.ts";

type StockProps = Route.ComponentProps["loaderData"]["stock"] & { mayMove: boolean };

const signed = (delta: number) => `${delta > 0 ? "+" : delta < 0 ? "−" : ""}${Math.abs(delta).toLocaleString("en-US")}`;

const HISTORY: Column<StockProps["moves"][number]>[] = [
  { header: "Change", cell: ({ delta }) => signed(delta), isNumber: true, className: "!font-medium" },
  {
    header: "Reason",
    cell: ({ reason, note }) => (
      <>
        <span className="block">{MOVE_WORDS[reason]}</span>
        {note && <span className="text-ink-soft">{note}</span>}
      </>
    ),
  },
  { header: "By", cell: ({ by }) => by ?? "System", className: "whitespace-nowrap" },
  { header: "Date", cell: ({ at }) => <When at={at} /> },
];

export function Stock({ available, committed, waiting, moves, formKey, mayMove }: StockProps) {
  const quantities = { "On hand": available + committed, Committed: committed, Available: available };
  return (
    <section aria-labelledby="stock" className="grid gap-5">
      <div className="grid gap-2">
        <h2 id="stock">Inventory</h2>
        <dl className="grid grid-cols-3 gap-4">
          {Object.entries(quantities).map(([label, quantity]) => (
            <div key={label}>
              <dt className="text-ink-soft">{label}</dt>
              <dd className="text-[22px] leading-7 font-semibold tabular-nums">{quantity.toLocaleString("en-US")}</dd>
            </div>
          ))}
        </dl>
        {waiting > 0 && <p>{`${counted(waiting, "person", "people")} asked for an email when it’s available.`}</p>}
      </div>
      {mayMove && <Change formKey={formKey} />}
      <div className="min-w-0">
        <h3 className="font-semibold">Stock history</h3>
        <AdminTable
          label="Stock history"
          columns={HISTORY}
          rows={moves}
          rowKey={({ id }) => id}
          isGrid
          empty="No changes yet. Set the stock to start."
        />
      </div>
    </section>
  );
}

const REASONS = Object.entries(TYPED_REASONS).map(
  ([reason, does]) => [reason, `${MOVE_WORDS[reason as keyof typeof TYPED_REASONS]} (${does})`] as const,
);

function Change({ formKey }: Pick<StockProps, "formKey">) {
  return (
    <AdminForm intent="stock" className="grid gap-2">
      <FormKey fresh={formKey} />
      <AdminSelect name="reason" label="Reason" options={[["", "Choose"], ...REASONS]} />
      <div className="grid grid-cols-[110px_1fr_auto] items-start gap-2">
        <AdminText name="units" label="Quantity" inputMode="numeric" autoComplete="off" />
        <AdminText name="note" label="Note" maxLength={200} autoComplete="off" />
        <Submit className="btn mt-6">Change stock</Submit>
      </div>
    </AdminForm>
  );
}
