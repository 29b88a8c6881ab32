import { statusLabel } from "../../../shop/orders/order.ts";

const LOOKS: Record<string, string> = {
  delivered: "bg-leaf-light text-good",
  shipped: "bg-mint text-ink",
  processing: "bg-saving-soft text-saving",
};

/** Where an order stands; a status without a color of its own is neutral. */
export function OrderStatusBadge({ status }: { status: string }) {
  return (
    <span
      className={`inline-flex rounded-full px-3 py-1 text-sm font-semibold ${LOOKS[status] ?? "bg-line text-ink-soft"}`}
    >
      {statusLabel(status)}
    </span>
  );
}
