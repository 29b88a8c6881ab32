import { useState } from "react";
import { Link } from "react-router";
import { ORDER_ACTIONS } from "#shop/fulfillment/order-actions.ts";
import { ActionMessage, useActionResult } from "#app/ui/form/form.tsx";
import { isPossible, type PanelIntent } from "./action-panel.tsx";
import type { OrderData } from "./load.server.ts";

const INTENTS: PanelIntent[] = [...ORDER_ACTIONS, "return"];

/** The newest answer of the page's forms, in sight wherever they were: what was done may have taken the form away. */
export function Outcome({ order }: { order: OrderData }) {
  // The number of intents never changes.
  const results = INTENTS.map((intent) => useActionResult(`${intent}-${order.id}`));
  const [last, setLast] = useState({ results, at: results.findIndex((result) => result) });
  const changed = results.findIndex((result, i) => result !== last.results[i]);
  if (changed !== -1) setLast({ results, at: changed });
  const [intent, result] = [INTENTS[last.at], results[last.at]];
  if (!intent || !result?.message) return null;
  // A refusal stands at its form.
  if (!result.ok && intent !== "buy-label" && isPossible(intent, order)) return null;
  const hasShipped = result.ok && (intent === "ship" || intent === "buy-label");
  return (
    <div className="sticky top-15 z-10 grid justify-items-start gap-2 lg:top-2">
      <ActionMessage result={result} />
      {hasShipped && order.nextToShip && (
        <Link to={`/admin/orders/${order.nextToShip}?view=to-ship`} className="btn">
          Next order to ship
        </Link>
      )}
    </div>
  );
}
