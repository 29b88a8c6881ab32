import { type KeyboardEvent, type MouseEvent, useRef } from "react";
import { useFetcher } from "react-router";
import type { CartDiscount } from "#shop/discounts/discount.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { DiscountCode } from "#app/ui/order/discount-code.tsx";

const CONNECTION_LOST = "The connection was lost. Try again.";

/** Entered beside the order, so that nothing typed into its form is lost; without JavaScript the order's form carries it. */
export function CodeField({ discount }: { discount: CartDiscount }) {
  const fetcher = useFetcher<ActionResult>({ key: "discount-code" });
  const field = useRef<HTMLDivElement>(null);
  const apply = (event: MouseEvent | KeyboardEvent) => {
    event.preventDefault();
    const code = field.current?.querySelector("input")?.value ?? "";
    void fetcher.submit({ code }, { method: "post", action: "/cart/code" });
  };
  const refused = fetcher.data && !fetcher.data.ok && (fetcher.data.message ?? CONNECTION_LOST);
  return (
    <div ref={field} className="-mt-3">
      <DiscountCode
        discount={refused ? { ...discount, problem: refused } : discount}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply(event);
        }}
      >
        <button
          type="submit"
          name="apply"
          value="code"
          formNoValidate
          onClick={apply}
          className="button button-quiet shrink-0"
        >
          {fetcher.state === "idle" ? "Apply" : "Applying..."}
        </button>
      </DiscountCode>
    </div>
  );
}
