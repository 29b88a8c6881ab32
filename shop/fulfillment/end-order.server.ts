/** An order ends before anything of it ships: it is canceled or declined and its customer told, or neither. */
import type { Database, DatabaseOrTransaction } from "../../db/connection.server.ts";
import type { CancelResult } from "../orders/cancel.server.ts";
import { cancelOrder, declineOrder } from "../payments/cancel.server.ts";
import type { Acting } from "../staff/audit.server.ts";
import { lockOrder } from "./locked-order.server.ts";
import type { DeclineReason } from "./reasons.ts";
import { audit, mail } from "./steps.server.ts";

/** As cancelOrder. One that was not paid yet was never confirmed, and ends without an email. */
export const cancelByStaff = (db: Database, orderId: string, by: Acting | null): Promise<CancelResult> =>
  end(db, orderId, "order-canceled", async (tx) => {
    const result = await cancelOrder(tx, orderId, "staff", by?.staffId);
    if (result.ok && !result.repeated) await audit(tx, by, "cancel", orderId);
    return result;
  });

/** The same by whoever may see its page. */
export const cancelByBuyer = (db: Database, orderId: string, actor: "customer" | "guest"): Promise<CancelResult> =>
  end(db, orderId, "order-canceled", (tx) => cancelOrder(tx, orderId, actor));

/** As declineOrder: the shop does not accept the order, and says why. */
export const declineByStaff = (
  db: Database,
  orderId: string,
  reason: DeclineReason,
  by: Acting | null,
): Promise<CancelResult> =>
  end(db, orderId, "order-declined", async (tx) => {
    const result = await declineOrder(tx, orderId, { reason, staffId: by?.staffId ?? null });
    if (result.ok && !result.repeated) await audit(tx, by, "decline", orderId, { after: { reason } });
    return result;
  });

const end = (
  db: Database,
  orderId: string,
  template: "order-canceled" | "order-declined",
  act: (tx: DatabaseOrTransaction) => Promise<CancelResult>,
): Promise<CancelResult> =>
  db.transaction(async (tx) => {
    const before = await lockOrder(tx, orderId);
    const result = await act(tx);
    if (result.ok && !result.repeated && before?.status === "processing") await mail(tx, { template, orderId });
    return result;
  });
