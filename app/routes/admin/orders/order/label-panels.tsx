/** Label of a parcel: box and weight, then the rates to choose from. */
import { formatMoney } from "#shop/money.ts";
import { withUnit } from "#shop/units.ts";
import { AdminSelect, AdminText, FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { ActionPanel } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { PartOfOrder } from "./units.tsx";

export function LabelPanels({ order }: { order: OrderData }) {
  const { label } = order;
  if (!label) return null;
  const isNext = order.next === "ship";
  const isChoosing = isNext && label.quote !== null;
  return (
    <>
      {label.quote && (
        <ActionPanel intent="buy-label" label="Buy label and ship" isNext={isNext} order={order}>
          <input type="hidden" name="label" value={label.quote.id} />
          <Rates quote={label.quote} />
        </ActionPanel>
      )}
      <ActionPanel
        intent="rates"
        label={isChoosing ? "Change package" : "See rates"}
        submit={isChoosing ? <Submit className="btn">See new rates</Submit> : undefined}
        isNext={isNext && !isChoosing}
        order={order}
      >
        <PartOfOrder order={order} />
        <div className="grid w-full max-w-xl gap-3 sm:grid-cols-[1fr_180px]">
          <AdminSelect
            name="box"
            label="Box"
            options={[["", "Suggested for the items"], ...label.boxes]}
            hint={label.suggested && `For what may ship today: ${label.suggested}`}
          />
          <AdminText
            name="ounces"
            label="Weight, packed (oz)"
            hint="If empty, that of the items"
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
          />
        </div>
      </ActionPanel>
    </>
  );
}

type Quote = NonNullable<NonNullable<OrderData["label"]>["quote"]>;

function Rates({ quote: { rates, contents, package: box, paid, at } }: { quote: Quote }) {
  const { error, typed } = useAdminField("rate");
  const first = rates.find(({ reference }) => reference === typed) ?? rates[0];
  return (
    <fieldset className="w-full max-w-xl">
      <legend className="mb-1 font-medium">{`Rates for ${contents}`}</legend>
      <p className="mb-2 text-ink-soft">
        <span>{`${box}. You asked `}</span>
        <When at={at} />
        <span>{`. ${paid ?? ""}`}</span>
      </p>
      {rates.map(({ reference, name, cents, days, isInTime, isAbovePaid }) => (
        <label
          key={reference}
          className="flex min-h-9 flex-wrap items-center gap-x-2.5 max-sm:py-1.5 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name="rate"
            value={reference}
            defaultChecked={reference === first?.reference}
            aria-describedby={error ? "rate-error" : undefined}
            className="size-4.5 shrink-0 accent-leaf"
          />
          <span className="min-w-0 flex-1">
            <span>{name}</span>
            <span className="text-ink-soft">{days !== null && `, ${withUnit(days, "business day")}`}</span>
          </span>
          <span className="flex flex-wrap gap-x-2.5 empty:hidden max-sm:order-last max-sm:basis-full max-sm:pl-7">
            {!isInTime && <Status tone="soon">Later than promised</Status>}
            {isAbovePaid && <Status tone="soon">More than paid</Status>}
          </span>
          <span className="tabular-nums">{formatMoney(cents)}</span>
        </label>
      ))}
      <FieldError id="rate-error">{error}</FieldError>
    </fieldset>
  );
}
