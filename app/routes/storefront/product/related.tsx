import type { ProductCard as Card } from "../../../../shop/catalog/shown-product.ts";
import { Carousel } from "../../../ui/product/carousel.tsx";
import { ProductCard } from "../../../ui/product/product-card.tsx";

export function Related({ products }: { products: Card[] }) {
  // Two would leave half a row empty: there the heading takes the other half.
  const few = products.length < 3;
  return (
    <div
      className={`further-down page pt-10 pb-16 lg:pt-16 lg:pb-28 ${few ? "lg:*:grid lg:*:grid-cols-2 lg:*:items-start lg:[&_ul]:mt-0" : ""}`}
    >
      <Carousel
        label="You Might Also Like"
        heading={<h2 className="heading">You Might Also Like</h2>}
        itemClassName={`w-[72%] sm:w-[40%] ${few ? "lg:w-[calc((100%-24px)/2)]" : "lg:w-[23.4%]"}`}
      >
        {products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </Carousel>
    </div>
  );
}
