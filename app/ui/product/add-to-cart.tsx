import { Plus } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { ShouldRevalidateFunctionArgs } from "react-router";
import { CART_MESSAGES } from "#app/ui/order/cart-messages.ts";
import { PlainForm, Submit } from "#app/ui/form/plain-form.tsx";
import type { ProductCard } from "#shop/catalog/shown-product.ts";

type AddToCartProps = {
  product: Pick<ProductCard, "id" | "slug" | "name" | "isInStock" | "stockMessage">;
  /** Distinguishes forms of the same product on a page; the button of a card names its product. */
  place: "card" | "featured" | "panel" | "bar" | "add-on";
  /** A number, or a visible control named `quantity`. */
  quantity?: number | ReactElement;
  className?: string;
  buttonClassName?: string;
  /** Replaces 'Add to Cart'. */
  label?: ReactNode;
  /** A plus where no mouse could hover over the card. */
  isCompact?: boolean;
};

const FAILURE = { title: "Error", message: CART_MESSAGES.add };

/** Adds a product to the cart; without JavaScript it leads to the cart page. */
export function AddToCartForm({
  product: { id, slug, name, isInStock, stockMessage },
  place,
  quantity = 1,
  className,
  buttonClassName = "button-primary w-full",
  label = "Add to Cart",
  isCompact = false,
}: AddToCartProps) {
  const ofProduct = place === "card" && <span className="sr-only">{`, ${name}`}</span>;
  const words = (text: ReactNode) => {
    const whole = (
      <>
        <span>{text}</span>
        {ofProduct}
      </>
    );
    if (!isCompact) return whole;
    return (
      <>
        <Plus aria-hidden="true" size={22} strokeWidth={1.75} className="lg:pointer-fine:hidden" />
        <span className="sr-only lg:pointer-fine:not-sr-only">{whole}</span>
      </>
    );
  };
  return (
    <PlainForm
      id={`add-${place}-${slug}`}
      action="/cart/add"
      failure={FAILURE}
      needsCookie="the cart"
      className={className}
    >
      <input type="hidden" name="productId" value={id} />
      {typeof quantity === "number" ? <input type="hidden" name="quantity" value={quantity} /> : quantity}
      <Submit busy={words("Adding...")} disabled={!isInStock} className={`button ${buttonClassName}`}>
        {words(isInStock ? label : stockMessage)}
      </Submit>
    </PlainForm>
  );
}

/** Pages of products do not change with the cart. */
export const unlessCartAction = ({ formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formAction?.startsWith("/cart/") ? false : defaultShouldRevalidate;
