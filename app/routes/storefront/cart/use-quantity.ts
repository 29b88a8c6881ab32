import { startTransition, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { painted } from "../../../ui/overlay/after-paint.ts";
import type { CartLine } from "../../../../shop/cart/cart.ts";

/**
 * A line's quantity as the shopper wants it, ahead of the server. One change is under way at a
 * time, for a request given up may still arrive after the one that replaced it; presses meanwhile
 * become the next change.
 */
export function useQuantity(line: Pick<CartLine, "id" | "quantity">) {
  const fetcher = useFetcher({ key: `cart-line-${line.id}` });
  const [wanted, setWanted] = useState<number | null>(null);
  const next = useRef<number | null>(null);
  const sending = useRef(false);

  async function change(quantity: number) {
    setWanted(quantity);
    next.current = quantity;
    if (sending.current) return;
    sending.current = true;
    await painted();
    while (next.current !== null) {
      const fields = { itemId: line.id, quantity: next.current };
      next.current = null;
      await fetcher.submit(fields, { method: "post", action: "/cart/update", preventScrollReset: true });
    }
    sending.current = false;
    startTransition(() => setWanted(null));
  }

  return { fetcher, change, quantity: wanted ?? Number(fetcher.formData?.get("quantity") ?? line.quantity) };
}
