import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { OrderAction } from "#shop/fulfillment/order-actions.ts";
import { FoldedForm } from "#app/ui/admin/folded-form.tsx";
import { filtersOf } from "#app/ui/admin/table.tsx";
import { isActionResult } from "#app/ui/form/action-result.ts";
import { Submit, useActionResult, useDocumentResult } from "#app/ui/form/form.tsx";
import type { OrderData } from "./load.server.ts";

export type PanelIntent = OrderAction | "note" | "return";

/** False also for a role that lacks the permission. */
export const isPossible = (intent: PanelIntent, order: OrderData): boolean =>
  intent === "note" || (intent === "return" ? order.whyNoReturn : order.why[intent]) === null;

/** Actions keep the list that the order was opened from, for the orders beside it. */
export function useOrderAction(): (intent: string) => string {
  const list = filtersOf(useSearchParams()[0]);
  return (intent) => `?${list}&intent=${intent}`;
}

type ActionPanelProps = {
  intent: PanelIntent;
  order: OrderData;
  label: string;
  isNext?: boolean;
  isDanger?: boolean;
  /** The button, if it is not just the label. */
  submit?: ReactNode;
  children?: ReactNode;
};

/** An action on an order, open if it is the next step, absent if impossible. Outcome shows what was done. */
export function ActionPanel({
  intent,
  order,
  label,
  isNext = order.next === intent,
  isDanger = false,
  submit,
  children,
}: ActionPanelProps) {
  const result = useActionResult(`${intent}-${order.id}`);
  const actionOf = useOrderAction();
  if (!isPossible(intent, order)) return null;
  const isShownAbove = intent !== "note" && (intent === "buy-label" || result?.ok);
  const style = `btn ${isNext ? "btn-primary" : ""} ${isDanger ? "btn-danger" : ""}`;
  return (
    <FoldedForm
      intent={intent}
      of={order.id}
      action={actionOf(intent)}
      messageAt={isShownAbove ? "none" : "end"}
      label={label}
      style={style}
      isFolded={!isNext && intent !== "note" && !!children}
      className="grid justify-items-start gap-2 has-[details[open]]:w-full"
    >
      <input type="hidden" name="seen" value={order.seen} />
      {children}
      {submit ?? <Submit className={style}>{label}</Submit>}
    </FoldedForm>
  );
}

/** Folds actions of which few are wanted often; open while one of them is. */
export function MoreActions({ label = "More actions", children }: { label?: string; children: ReactNode }) {
  // Without JavaScript a refused form would be folded away.
  const result = useDocumentResult();
  const isRefused = isActionResult(result) && !result.ok;
  return (
    <details open={isRefused || undefined} className="open:w-full">
      <summary className="btn list-none">{label}</summary>
      <div className="mt-2 flex flex-wrap items-start gap-2">{children}</div>
    </details>
  );
}
