import type { ReactNode } from "react";
import type { OrderAction } from "#shop/fulfillment/order-actions.ts";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { ActionFold } from "#app/ui/admin/action-fold.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import type { OrderData } from "./load.server.ts";

/** Steps that an order waits for. Once done, a step's form is among the other actions, its message at the next step. */
const STEPS: readonly string[] = ["unhold", "ask-payment", "record-payment", "ship", "deliver"];

type ActionPanelProps = {
  intent: OrderAction | "note" | "return";
  order: OrderData;
  label: string;
  isNext?: boolean;
  isDanger?: boolean;
  children?: ReactNode;
};

/** One action on an order, open if it is the next step. A disabled one gives the reason. */
export function ActionPanel({ intent, order, label, isNext = false, isDanger = false, children }: ActionPanelProps) {
  const why = intent === "note" ? null : intent === "return" ? order.whyNoReturn : order.why[intent];
  // The role lacks the permission.
  if (why === undefined) return null;
  // Rates are gone once one was bought.
  const isElsewhere = intent === "buy-label" || (STEPS.includes(intent) && !isNext);
  const style = `btn ${isNext ? "btn-primary" : ""} ${isDanger ? "btn-danger" : ""}`;
  return (
    <AdminForm intent={intent} of={order.id} messageAt={isElsewhere ? "none" : "end"}>
      {({ result }) => {
        if (why !== null) return <DisabledAction label={label} why={why} />;
        return (
          <ActionFold
            label={label}
            style={style}
            isFolded={!isNext && intent !== "note" && !!children}
            isRefused={result?.ok === false}
          >
            <input type="hidden" name="seen" value={order.seen} />
            {children}
            <Submit className={style}>{label}</Submit>
          </ActionFold>
        );
      }}
    </AdminForm>
  );
}

function DisabledAction({ label, why }: { label: string; why: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <button type="button" disabled className="btn">
        {label}
      </button>
      <span className="text-ink-soft">{why}</span>
    </div>
  );
}
