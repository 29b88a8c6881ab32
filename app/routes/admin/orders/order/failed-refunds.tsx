import { formatMoney } from "#shop/money.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { useOrderAction } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";

/** Failed refunds to resolve. A resolved one stays mounted without its fields, so that its message shows. */
export function FailedRefunds({ order: { money, mayRefund } }: { order: OrderData }) {
  const actionOf = useOrderAction();
  if (!money || money.failedRefunds.length === 0) return null;
  return (
    <section aria-label="Failed refunds" className="grid gap-3">
      {money.failedRefunds.map(({ id, cents, at, isResolved }) => (
        <AdminForm key={id} intent="resolve-refund" of={id} action={actionOf("resolve-refund")} className="grid gap-3">
          {!isResolved && (
            <div className="grid justify-items-start gap-3 rounded-card border border-line bg-card p-4">
              <Status tone="late">Refund failed</Status>
              <p className="max-w-prose">
                The refund of {formatMoney(cents)} from <When at={at} /> did not reach the customer, so you still have
                the money. Refund {formatMoney(cents)} again, or pay it back another way and mark it as resolved: then
                we email the customer.
              </p>
              {mayRefund && (
                <>
                  <input type="hidden" name="refund" value={id} />
                  <AdminText name="text" label="How it was resolved" maxLength={500} className="w-full max-w-xl" />
                  <Submit className="btn">Mark as resolved</Submit>
                </>
              )}
            </div>
          )}
        </AdminForm>
      ))}
    </section>
  );
}
