import { useEffect, type FormEvent, type ReactNode } from "react";
import { useFetcher } from "react-router";
import type { CartActionResult } from "../order/cart-result.ts";
import { submitAfterPaint } from "../form/submit-after-paint.ts";
import { notify, notifyError } from "../feedback/toast.ts";

type AddToCartProps = {
  productId: string;
  slug: string;
  /** Tells buttons apart for those who hear them; needed where a page has several. */
  productName?: string;
  quantity?: number;
  /** A visible control named `quantity`, in place of a fixed number. */
  quantityField?: ReactNode;
  disabled?: boolean;
  label?: string;
  className?: string;
  buttonClassName?: string;
};

/** Adds a product to the cart in place; without JavaScript it posts and lands on the cart. */
export function AddToCartForm({
  productId,
  slug,
  productName,
  quantity = 1,
  quantityField,
  disabled = false,
  label = "Add to Cart",
  className,
  buttonClassName = "button-primary w-full",
}: AddToCartProps) {
  const fetcher = useFetcher<CartActionResult>();
  const actionResult = fetcher.data;
  const pending = fetcher.state !== "idle";

  useEffect(() => {
    if (!actionResult) return;
    if (actionResult.ok) notify("Added to cart", actionResult.message ?? "Product has been added to your cart");
    else notifyError(actionResult.message || "Failed to add item to cart");
  }, [actionResult]);

  // A second press while the first is under way would add twice.
  const submitOnce = (event: FormEvent) => {
    if (pending) event.preventDefault();
  };

  return (
    <fetcher.Form
      method="post"
      action="/cart/add"
      className={className}
      onSubmitCapture={submitAfterPaint}
      onSubmit={submitOnce}
      data-product={slug}
    >
      <input type="hidden" name="productId" value={productId} />
      {quantityField ?? <input type="hidden" name="quantity" value={quantity} />}
      <button
        type="submit"
        className={`button ${buttonClassName}`}
        disabled={disabled}
        aria-disabled={pending || undefined}
      >
        {pending ? "Adding..." : label}
        {productName && <span className="sr-only">, {productName}</span>}
      </button>
    </fetcher.Form>
  );
}
