import { formatMoney } from "#shop/money.ts";
import { unitsKept } from "#shop/orders/order.ts";
import { RETURN_KINDS } from "#shop/returns/lifecycle.ts";
import {
  fitsKind,
  KIND_WORDS,
  MAX_DESCRIPTION,
  reasonOf,
  RETURN_REASONS,
  type ReturnReason,
} from "#shop/returns/return.ts";
import { AdminArea, AdminSelect } from "#app/ui/admin/field.tsx";
import { FormKey } from "#app/ui/admin/form-key.tsx";
import { ActionPanel } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";
import { Units } from "./units.tsx";

/** Kinds with their reasons. */
const CLAIMS = RETURN_KINDS.flatMap((kind) =>
  (Object.keys(RETURN_REASONS) as ReturnReason[])
    .filter((reason) => fitsKind(reason, kind))
    .map((reason) => [`${kind}:${reason}`, `${KIND_WORDS[kind]}: ${reasonOf(reason).words}`] as const),
);

export function ReturnPanel({ order }: { order: OrderData }) {
  return (
    <ActionPanel intent="return" label="Open a return" order={order}>
      <p className="max-w-prose text-ink-soft">
        For a customer who wrote to you. They get the same emails as if they had asked on their order’s page.
      </p>
      <FormKey fresh={order.returnKey} />
      <AdminSelect
        name="claim"
        label="Type and reason"
        className="w-full max-w-sm"
        options={[["", "Choose"], ...CLAIMS]}
      />
      <Units order={order} most={unitsKept} first="none" />
      {order.exchanges.length > 0 && (
        <AdminSelect
          name="exchange"
          label="Instead, for an exchange"
          hint="A higher price is asked for before it ships; a lower one is refunded."
          className="w-full max-w-sm"
          options={[
            ["", "Choose"],
            ...order.exchanges.map(
              ({ productId, name, priceCents }) =>
                [`${productId}:${priceCents}`, `${name}, ${formatMoney(priceCents)}`] as const,
            ),
          ]}
        />
      )}
      <AdminArea
        name="description"
        label="What the customer says (optional)"
        rows={3}
        maxLength={MAX_DESCRIPTION}
        className="w-full max-w-xl"
      />
    </ActionPanel>
  );
}
