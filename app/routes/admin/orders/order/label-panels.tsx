/** Label of a parcel: box and weight, then the rates to choose from. */
import { formatMoney } from "#shop/money.ts";
import { withUnit } from "#shop/units.ts";
import { AdminSelect, AdminText, FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { ActionPanel } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { PartOfOrder } from "./units.tsx";

export function LabelPanels({ order }: { order: OrderData }) {
  const { label } = order;
  if (!label) return null;
  const isNext = order.next === "ship";
  const isChoosing = isNext && label.quoteId !== null;
  return (
    <>
      {label.quoteId && (
        <ActionPanel intent="buy-label" label="Buy label and ship" isNext={isNext} order={order}>
          <input type="hidden" name="label" value={label.quoteId} />
          <Rates rates={label.rates} />
        </ActionPanel>
      )}
      <ActionPanel
        intent="rates"
        label={isChoosing ? "Change package" : "See rates"}
        isNext={isNext && !isChoosing}
        order={order}
      >
        <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[1fr_180px]">
          <AdminSelect name="box" label="Box" options={label.boxes} defaultValue={label.box} />
          <AdminText
            name="ounces"
            label="Weight, packed (oz)"
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            defaultValue={label.ounces ?? ""}
          />
        </div>
        <PartOfOrder order={order} />
      </ActionPanel>
    </>
  );
}

function Rates({ rates }: Pick<NonNullable<OrderData["label"]>, "rates">) {
  const { error, typed } = useAdminField("rate");
  const first = rates.find(({ reference }) => reference === typed) ?? rates[0];
  return (
    <fieldset className="w-full max-w-xl">
      <legend className="mb-1 font-medium">Rate</legend>
      {rates.map(({ reference, name, cents, days, isInTime }) => (
        <label key={reference} className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11">
          <input
            type="radio"
            name="rate"
            value={reference}
            defaultChecked={reference === first?.reference}
            aria-describedby={error ? "rate-error" : undefined}
            className="size-4.5 accent-leaf"
          />
          <span className="min-w-0 grow">
            {name}
            <span className="text-ink-soft">{days !== null && `, ${withUnit(days, "business day")}`}</span>
          </span>
          {!isInTime && <Status tone="soon">Later than promised</Status>}
          <span className="tabular-nums">{formatMoney(cents)}</span>
        </label>
      ))}
      <FieldError id="rate-error">{error}</FieldError>
    </fieldset>
  );
}
