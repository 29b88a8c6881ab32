import { useVisitorState } from "#app/ui/chrome/visitor-state.tsx";
import { AddToCartForm } from "#app/ui/product/add-to-cart.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { usePrice } from "#app/ui/product/price.tsx";
import type { ProductCard, ProductDetails } from "#shop/catalog/shown-product.ts";
import { formatMoney } from "#shop/money.ts";

export type AddOnProduct = ProductCard & Pick<ProductDetails, "shortDescription"> & { freeFromCents: number };

type AddOnProps = { product: ProductDetails; quantity: number; addOn: AddOnProduct };

/** A filter for the cart where the product alone stays below free shipping and the filter reaches it. */
export function AddOn({ product, quantity, addOn }: AddOnProps) {
  const missing = addOn.freeFromCents - usePrice(product).priceCents * quantity;
  const { priceCents } = usePrice(addOn);
  const { hasFreeShipping } = useVisitorState();
  if (missing <= 0 || priceCents < missing) return null;
  return (
    <div className="mt-2 grid grid-cols-[56px_1fr] items-center gap-x-4 gap-y-1 rounded-card bg-card p-3">
      <Picture
        name={addOn.pictures[0] ?? ""}
        alt=""
        sizes="56px"
        className="block overflow-hidden rounded-[10px]"
        imgClassName="aspect-square w-full object-cover"
      />
      <div>
        <p className="text-[15px] font-medium">
          {hasFreeShipping ? "You’ve got free shipping." : "Add a filter, get free shipping"}
        </p>
        <p className="mt-0.5 text-[15px] leading-snug text-ink-soft">{addOn.shortDescription}</p>
        <AddToCartForm
          product={addOn}
          place="add-on"
          label={
            <>
              <span>{`+ ${addOn.name} `}</span>
              <span className="tabular-nums">{formatMoney(priceCents)}</span>
            </>
          }
          buttonClassName="min-h-11 px-0 text-left text-[15px] text-leaf hover:underline hover:underline-offset-4"
        />
      </div>
    </div>
  );
}
