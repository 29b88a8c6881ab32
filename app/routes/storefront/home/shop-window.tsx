import { useState } from "react";
import { Link } from "react-router";
import type { ComparedModel } from "../../../../shop/catalog/shown-product.ts";
import { AddToCartForm } from "../../../ui/product/add-to-cart.tsx";
import { Countdown } from "../../../ui/time/countdown.tsx";
import { Picture } from "../../../ui/product/picture.tsx";
import { ProductPrice } from "../../../ui/product/price.tsx";
import { ColorPicker } from "./color-picker.tsx";
import { CompareModels } from "./compare-models.tsx";
import { HomeHeart } from "./home-heart.tsx";
import type { WindowProduct } from "./window-products.ts";

const FALLBACK_MS = 30 * 24 * 3600 * 1000;

type ShopWindowProps = { products: [WindowProduct, ...WindowProduct[]]; classics: ComparedModel[] };

export function ShopWindow({ products, classics }: ShopWindowProps) {
  const [color, setColor] = useState(products[0].colorVariant);
  const chosen = products.find((product) => product.colorVariant === color) ?? products[0];
  const classic = classics.find((product) => product.colorVariant === color) ?? classics[0];

  return (
    <section aria-labelledby="window" className="further-down page">
      <div className="grid overflow-hidden rounded-[20px] bg-leaf-light lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
        <div className="relative aspect-square sm:aspect-4/3 lg:aspect-auto lg:min-h-[680px]">
          {products.map((product) => (
            <Picture
              key={product.id}
              name={product.picture ?? ""}
              alt={product === chosen ? `${product.name}, closed, its display at 37°F` : ""}
              sizes="(min-width: 1024px) 790px, 92vw"
              imgClassName={`absolute inset-0 size-full object-cover transition-opacity duration-250 ${product === chosen ? "" : "opacity-0"}`}
            />
          ))}
        </div>
        <div className="flex flex-col justify-center gap-7 p-6 sm:p-10 xl:p-14">
          <div>
            <h2 id="window" className="text-[clamp(3.5rem,6vw,5.5rem)] leading-none font-semibold tracking-[-0.04em]">
              Pro
            </h2>
            <p className="mt-3 text-lg text-ink-soft">{chosen.shortDescription}</p>
          </div>
          <ColorPicker products={products} chosen={chosen} onChoose={setColor} />
          <div className="further-down grid gap-4 [--about:220px]">
            <ProductPrice product={chosen} size="panel" />
            {chosen.earlyBirdEndDate === null && <FallbackCountdown />}
          </div>
          <div className="grid gap-3">
            <div className="flex items-center gap-2">
              <AddToCartForm
                key={chosen.id}
                productId={chosen.id}
                slug={chosen.slug}
                disabled={!chosen.isInStock}
                label={chosen.isInStock ? undefined : chosen.stockMessage}
                className="flex-1"
              />
              <HomeHeart productId={chosen.id} productName={chosen.name} />
            </div>
            <CompareModels pro={chosen} classic={classic} />
            <div className="flex flex-wrap items-center justify-between gap-x-6 text-[15px]">
              <p>{chosen.stockMessage}</p>
              <Link to={`/product/${chosen.slug}`} className="text-link flex min-h-11 items-center">
                See all details
              </Link>
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

/** For a product whose early bird has no end: 30 days after the page was opened. */
function FallbackCountdown() {
  const [endsAt] = useState(() => new Date(Date.now() + FALLBACK_MS));
  return (
    <div className="grid gap-2.5">
      <p className="text-sm font-semibold">Early Bird Ends In</p>
      <Countdown endsAt={endsAt} />
    </div>
  );
}
