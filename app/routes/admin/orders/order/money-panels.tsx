/** Panels of a payment that was arranged, and of canceled items. */
import { LINE_REASONS } from "#shop/orders/reasons.ts";
import { formatMoney } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { waysOf } from "#shop/orders/order-money.ts";
import { ARRANGEMENTS, REFERENCE_CHARACTERS } from "#shop/payments/arrangement.ts";
import { AdminCheckbox, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { ActionPanel } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { Units, type Line } from "./units.tsx";

type Props = { order: OrderData };

export const Reason = ({ list }: { list: Record<string, string> }) => (
  <AdminSelect
    name="reason"
    label="Reason, shown to the customer"
    className="w-full max-w-sm"
    options={[["", "Choose"], ...Object.entries(list)]}
  />
);

export function RecordPaymentPanel({ order }: Props) {
  const { money } = order;
  if (!money) return null;
  return (
    <ActionPanel intent="record-payment" label="Record payment" order={order}>
      <input type="hidden" name="cents" value={money.chargedCents} />
      <p>{`The customer paid ${formatMoney(money.chargedCents)}, the total of this order.`}</p>
      <Arrangement />
    </ActionPanel>
  );
}

/** Fields of a payment that staff arranged with the customer. */
export const Arrangement = () => (
  <>
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
  </>
);

/** The form posts what stays of each line, so that it cancels once however often it is sent. */
const unitsToKeep = (line: Line, units: number) => unitsKept(line) - units;

export function CancelItemsPanel({ order }: Props) {
  const { parcels, money } = order;
  const isRest = parcels.length > 0;
  const { atProviderCents, byHandCents } = waysOf(money?.refundable ?? [], money?.leftForGoodsCents ?? 0);
  return (
    <ActionPanel intent="cancel-line" label={isRest ? "Cancel the rest" : "Cancel items"} isDanger order={order}>
      <Units
        order={order}
        most={({ unitsToCancel }) => unitsToCancel}
        first={isRest ? "all" : "none"}
        posts={unitsToKeep}
      />
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
            {byHandCents === 0
              ? "What was charged for them is refunded."
              : atProviderCents === 0
                ? "Send what was paid for them back yourself, then record it as sent."
                : "What was paid for them is refunded as far as it was charged. Send the rest back yourself, then record it as sent."}
          </p>
          {money.refundedCents > 0 && (
            <AdminCheckbox
              name="refunded"
              label={`The ${formatMoney(money.refundedCents)} already refunded was for these items`}
            />
          )}
        </>
      )}
    </ActionPanel>
  );
}
