import { formatMoney } from "#shop/money.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { useOrderAction } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";

type Owed = NonNullable<OrderData["money"]>["failedRefunds"][number];

function Retry({ id, cents, isArranged }: Owed & { isArranged: boolean }) {
  const actionOf = useOrderAction();
  return (
    <AdminForm intent="retry-refund" of={id} action={actionOf("retry-refund")}>
      <input type="hidden" name="refund" value={id} />
      <Submit className="btn">
        {isArranged ? `Record ${formatMoney(cents)} as sent` : `Refund ${formatMoney(cents)} again`}
      </Submit>
    </AdminForm>
  );
}

/** Refunds that are promised and not given back. A resolved one stays mounted without its fields, so that its message shows. */
export function FailedRefunds({ order: { money, mayRefund } }: { order: OrderData }) {
  const actionOf = useOrderAction();
  if (!money || money.failedRefunds.length === 0) return null;
  return (
    <section aria-label="Refunds to give back" className="grid gap-3">
      {money.failedRefunds.map((owed) => (
        <div
          key={owed.id}
          className={
            owed.isResolved ? undefined : "grid justify-items-start gap-4 rounded-card border border-line bg-card p-4"
          }
        >
          {!owed.isResolved && (
            <>
              <Status tone="late">{owed.hasFailed ? "Refund failed" : "Refund due"}</Status>
              <p className="max-w-prose">
                <span>{`The refund of ${formatMoney(owed.cents)} from `}</span>
                <When at={owed.at} />{" "}
                <span>
                  {owed.hasFailed
                    ? "did not reach the customer, so you still have the money. Refund it again, or pay it back another way and mark it as resolved: then we email the customer."
                    : "was promised to the customer, and you have not sent it yet."}
                </span>
              </p>
              {mayRefund && <Retry {...owed} isArranged={money.isArranged} />}
            </>
          )}
          <AdminForm
            intent="resolve-refund"
            of={owed.id}
            action={actionOf("resolve-refund")}
            className="grid w-full justify-items-start gap-3"
          >
            {!owed.isResolved && mayRefund && (
              <>
                <input type="hidden" name="refund" value={owed.id} />
                <AdminText name="text" label="How it was resolved" maxLength={500} className="w-full max-w-xl" />
                <Submit className="btn">Mark as resolved</Submit>
              </>
            )}
          </AdminForm>
        </div>
      ))}
    </section>
  );
}
