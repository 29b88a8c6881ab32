import { X } from "lucide-react";
import { useFetcher, useFetchers } from "react-router";
import type { ProductCard as Card } from "../../../shop/catalog/shown-product.ts";
import { ProductCard } from "../../ui/product/product-card.tsx";
import { Empty } from "./empty.tsx";
import type { WishlistData } from "./load.server.ts";

/** What the customer keeps in mind; a card that is taken off is gone at once. */
export function Wishlist({ products }: WishlistData) {
  const leaving = useFetchers().flatMap(({ formAction, formData }) =>
    formAction === "/wishlist/remove" ? [formData?.get("productId")] : [],
  );
  const shown = products.filter(({ id }) => !leaving.includes(id));
  if (shown.length === 0) {
    return (
      <Empty
        title="Your wishlist is empty"
        text="Press the heart on a product and it waits for you here."
        picture="pro-frost-white-hero"
      />
    );
  }
  return (
    <>
      <h2 className="sr-only">Saved products</h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-10 sm:gap-x-6 lg:grid-cols-4 lg:gap-x-8 lg:gap-y-14">
        {shown.map((product, index) => (
          <li key={product.id} className="grid">
            <ProductCard product={product} priority={index === 0} corner={<Remove product={product} />} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Remove({ product }: { product: Pick<Card, "id" | "name"> }) {
  const { Form } = useFetcher({ key: `heart-${product.id}` });
  return (
    <Form method="post" action="/wishlist/remove">
      <input type="hidden" name="productId" value={product.id} />
      <button type="submit" className="icon-button bg-card/85">
        <X size={20} strokeWidth={1.75} aria-hidden="true" />
        <span className="sr-only">Remove {product.name} from wishlist</span>
      </button>
    </Form>
  );
}
