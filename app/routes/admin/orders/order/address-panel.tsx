import { formatMoney } from "#shop/money.ts";
import type { MovedTax } from "#shop/orders/actions/change-address.ts";
import { AdminSelect, type Option } from "#app/ui/admin/field.tsx";
import { Submit, useActionResult } from "#app/ui/form/form.tsx";
import { ActionPanel } from "./action-panel.tsx";
import { AddressFields } from "./address-fields.tsx";
import type { OrderData } from "./load.server.ts";

const PAYABLE = {
  later: ["The customer, when it ships: "],
  again: ["The customer, who is asked to pay again: "],
  fixed: [],
} as const;

/** Payers of a higher tax, with the customer's total. */
function choices({ fromCents, toCents, totalCents, payable }: MovedTax): Option[] {
  const total = (cents: number) => `${formatMoney(cents)} in all`;
  return [
    ["", "Choose"],
    ...PAYABLE[payable].map((words): Option => ["customer", words + total(totalCents)]),
    ["shop", `We pay it, the customer pays ${total(totalCents - toCents + fromCents)}`],
  ];
}

/** A first press saves the address, unless the tax is another there: that is shown, and a second press agrees to it. */
export function AddressPanel({ order }: { order: OrderData }) {
  const moved = useActionResult<MovedTax>(`address-${order.id}`)?.data;
  const isMore = moved && moved.toCents > moved.fromCents;
  return (
    <ActionPanel
      intent="address"
      label="Edit address"
      order={order}
      submit={moved && <Submit className="btn">Confirm the new address</Submit>}
    >
      <input type="hidden" name="addressSeen" value={order.addressSeen} />
      <AddressFields address={order.address} />
      {moved && <input type="hidden" name="seenTax" value={moved.toCents} />}
      {isMore && (
        <AdminSelect
          name="bears"
          label={`Who pays the ${formatMoney(moved.toCents - moved.fromCents)} of sales tax?`}
          hint="What we pay counts as a refund toward the limit of your role."
          className="w-full max-w-xl"
          options={choices(moved)}
        />
      )}
    </ActionPanel>
  );
}
