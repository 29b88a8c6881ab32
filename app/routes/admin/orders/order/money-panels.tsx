/** Panels of actions that move money. */
import { useCallback } from "react";
import { LINE_REASONS, REFUND_REASONS } from "#shop/fulfillment/order-actions.ts";
import { formatMoney } from "#shop/money.ts";
import { amountOfUnits, unitsKept } from "#shop/orders/order.ts";
import { ARRANGEMENTS, REFERENCE_CHARACTERS } from "#shop/payments/arrangement.ts";
import { AdminCheckbox, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { useFormState } from "#app/ui/admin/unsaved-changes.tsx";
import { ActionPanel } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { Units, type Line } from "./units.tsx";

type Props = { order: OrderData; isNext?: boolean };

export const Reason = ({ list }: { list: Record<string, string> }) => (
  <AdminSelect
    name="reason"
    label="Reason, shown to the customer"
    className="w-full max-w-sm"
    options={[["", "Choose"], ...Object.entries(list)]}
  />
);

export function RecordPaymentPanel({ order, isNext = false }: Props) {
  const { money } = order;
  if (!money) return null;
  return (
    <ActionPanel intent="record-payment" label="Record payment" order={order} isNext={isNext}>
      <input type="hidden" name="cents" value={money.chargedCents} />
      <p>The customer paid {formatMoney(money.chargedCents)}, the total of this order.</p>
      <AdminSelect
        name="how"
        label="Paid by"
        className="w-full max-w-sm"
        options={[["", "Choose"], ...Object.entries(ARRANGEMENTS)]}
      />
      <AdminText
        name="reference"
        label="Reference (optional)"
        hint="The number of the check or transfer. No names, no card numbers."
        maxLength={REFERENCE_CHARACTERS}
        autoComplete="off"
        spellCheck={false}
        className="w-full max-w-sm"
      />
    </ActionPanel>
  );
}

type Ordered = NonNullable<OrderData["money"]>["ordered"];

/** The sum of what is chosen in the form. */
function RefundSum({ order, ordered, leftCents }: { order: OrderData; ordered: Ordered; leftCents: number }) {
  const sumOf = useCallback(
    (form: HTMLFormElement) => {
      const chosen = new FormData(form);
      const units = chosen.getAll("units").filter((text) => typeof text === "string");
      const lines = order.lines.map(({ priceCents = 0, taxCents = 0, ...line }) => {
        const ofLine = units.find((text) => text.startsWith(`${line.id}:`));
        return { ...line, priceCents, taxCents, units: Number(ofLine?.split(":")[1] ?? 0) };
      });
      return amountOfUnits(ordered, lines, chosen.has("shipping"));
    },
    [order, ordered],
  );
  const cents = useFormState(`refund-${order.id}`, sumOf) ?? 0;
  return (
    <p role="status" className="min-h-5 text-ink-soft">
      {cents > 0 && `Refund of ${formatMoney(cents)}${ordered.taxCents > 0 ? ", with tax" : ""}`}
      {cents > leftCents && `, more than the ${formatMoney(leftCents)} left`}
    </p>
  );
}

export function RefundPanel({ order }: Props) {
  const { money } = order;
  if (!money) return null;
  const limit = money.refundLimitCents;
  const left = money.capturedCents - money.refundedCents;
  const shippingWithTax = money.ordered.shippingCents + money.ordered.shippingTaxCents;
  return (
    <ActionPanel intent="refund" label={money.isArranged ? "Record refund" : "Refund"} order={order}>
      {money.isArranged && <p>The customer paid you directly. Send the money back the same way, then record it.</p>}
      <input type="hidden" name="refundsSeen" value={money.refundsSeen} />
      <p className="text-ink-soft">
        {formatMoney(left)} available to refund.
        {limit !== null && ` Your role can refund up to ${formatMoney(limit)} per order per day.`}
      </p>
      <Units order={order} most={unitsKept} first="none" />
      {money.ordered.shippingCents > 0 && (
        <AdminCheckbox name="shipping" label={`Shipping, ${formatMoney(shippingWithTax)}`} />
      )}
      <AdminText name="amount" label="Or an amount ($)" inputMode="decimal" autoComplete="off" className="w-44" />
      <RefundSum order={order} ordered={money.ordered} leftCents={left} />
      <Reason list={REFUND_REASONS} />
    </ActionPanel>
  );
}

/** The form posts what stays of each line, so that it cancels once however often it is sent. */
const unitsToKeep = (line: Line, units: number) => unitsKept(line) - units;

export function CancelItemsPanel({ order }: Props) {
  const { parcels, money } = order;
  const isRest = parcels.length > 0;
  return (
    <ActionPanel intent="cancel-line" label={isRest ? "Cancel the rest" : "Cancel items"} isDanger order={order}>
      <Units order={order} most={({ unitsLeft }) => unitsLeft} first={isRest ? "all" : "none"} posts={unitsToKeep} />
      <AdminSelect
        name="stock"
        label="Canceled items"
        className="w-full max-w-sm"
        options={[
          ["back", "Return to stock"],
          ["off", "Write off"],
        ]}
      />
      <Reason list={LINE_REASONS} />
      {money !== undefined && money.capturedCents > 0 && (
        <>
          <p className="text-ink-soft">
            {money.isArranged
              ? "What was paid for them is recorded as refunded. Send it back the way it was paid."
              : "What was charged for them is refunded."}
          </p>
          <AdminCheckbox name="refunded" label="They were refunded before" />
        </>
      )}
    </ActionPanel>
  );
}
