import { formatMoney } from "#shop/money.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { sendByHand } from "../../by-hand.ts";
import { useOrderAction } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";

type Owed = NonNullable<OrderData["money"]>["failedRefunds"][number];
type Props = { owed: Owed; mayRefund: boolean };

const isOwed = ({ cents, byHandCents }: Owed) => cents + byHandCents > 0;

/** Refunds that the provider could not make, or was not asked for. */
function Rest({ owed: { id, at, cents, atProviderCents, hasFailed }, mayRefund }: Props) {
  const actionOf = useOrderAction();
  return (
    <>
      <p className="max-w-prose">
        <span>{`The refund of ${formatMoney(cents)} from `}</span>
        <When at={at} />{" "}
        <span>
          {hasFailed
            ? "did not reach the customer, so you still have the money. Refund it again, or pay it back another way and mark it as resolved: then we email the customer."
            : "was promised to the customer, and you have not sent it yet."}
        </span>
      </p>
      {mayRefund && atProviderCents > 0 && (
        <AdminForm intent="retry-refund" of={id} action={actionOf("retry-refund")}>
          <input type="hidden" name="refund" value={id} />
          <Submit className="btn">{`Refund ${formatMoney(atProviderCents)}${hasFailed ? " again" : ""}`}</Submit>
        </AdminForm>
      )}
    </>
  );
}

/** Cents that were paid to staff, who send them back and record that. */
function ByHand({ owed: { id, byHandCents }, mayRefund }: Props) {
  const actionOf = useOrderAction();
  const isDue = byHandCents > 0;
  return (
    <>
      {isDue && <p className="max-w-prose">{sendByHand(byHandCents)}</p>}
      <AdminForm intent="record-refund" of={id} action={actionOf("record-refund")}>
        {isDue && mayRefund && (
          <>
            <input type="hidden" name="refund" value={id} />
            <input type="hidden" name="cents" value={byHandCents} />
            <Submit className="btn">{`Record ${formatMoney(byHandCents)} as sent`}</Submit>
          </>
        )}
      </AdminForm>
    </>
  );
}

/** Refunds that are promised and not given back. One that is resolved stays mounted without its fields, so that its message shows. */
export function FailedRefunds({ order: { money, mayRefund } }: { order: OrderData }) {
  const actionOf = useOrderAction();
  if (!money || money.failedRefunds.length === 0) return null;
  return (
    <section aria-label="Refunds to give back" className="grid gap-3">
      {money.failedRefunds.map((owed) => (
        <div
          key={owed.id}
          className={
            isOwed(owed) ? "grid justify-items-start gap-4 rounded-card border border-line bg-card p-4" : undefined
          }
        >
          {isOwed(owed) && <Status tone="late">{owed.hasFailed ? "Refund failed" : "Refund due"}</Status>}
          <ByHand owed={owed} mayRefund={mayRefund} />
          {owed.cents > 0 && <Rest owed={owed} mayRefund={mayRefund} />}
          <AdminForm
            intent="resolve-refund"
            of={owed.id}
            action={actionOf("resolve-refund")}
            className="grid w-full justify-items-start gap-3"
          >
            {owed.cents > 0 && mayRefund && (
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
