import { X } from "lucide-react";
import { useFetchers } from "react-router";
import type { ProductCard as Card } from "#shop/catalog/shown-product.ts";
import { PlainForm, Submit } from "#app/ui/form/plain-form.tsx";
import { ProductCard } from "#app/ui/product/product-card.tsx";
import { Empty } from "./empty.tsx";
import type { TabData } from "./load.server.ts";

const REMOVE_FAILED = { title: "Error", message: "Failed to remove item from wishlist" };

/** A removed card is hidden at once and returns if the removal fails. */
export function Wishlist({ products }: TabData<"wishlist">) {
  const leaving = useFetchers().flatMap(({ formAction, formData }) =>
    formAction === "/wishlist/remove" ? [formData?.get("productId")] : [],
  );
  if (products.length === 0) {
    return (
      <Empty
        title="Your wishlist is empty"
        text="Tap the heart on anything you like to save it here."
        picture="lifestyle-picnic"
      />
    );
  }
  return (
    <>
      <h2 className="sr-only">Saved products</h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-10 sm:gap-x-6 lg:grid-cols-4 lg:gap-x-8 lg:gap-y-14">
        {products.map((product, index) => (
          <li key={product.id} className={leaving.includes(product.id) ? "hidden" : "grid"}>
            <ProductCard product={product} priority={index === 0} corner={<Remove product={product} />} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Remove({ product }: { product: Pick<Card, "id" | "name"> }) {
  return (
    <PlainForm id={`remove-${product.id}`} action="/wishlist/remove" failure={REMOVE_FAILED}>
      <input type="hidden" name="productId" value={product.id} />
      <Submit className="icon-button group-hover:bg-card/85">
        <X size={20} strokeWidth={1.75} aria-hidden="true" />
        <span className="sr-only">{`Remove ${product.name} from wishlist`}</span>
      </Submit>
    </PlainForm>
  );
}
