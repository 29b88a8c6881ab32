import { RotateCcw, ShieldCheck, Star, Truck } from "lucide-react";
import { useRef, useState } from "react";
import type { ProductContent } from "../../../../shop/catalog/product-content.ts";
import type { ProductDetails } from "../../../../shop/catalog/shown-product.ts";
import { formatNumber } from "../../../../shop/money.ts";
import { AddToCartForm } from "../../../ui/product/add-to-cart.tsx";
import { Static } from "../../../ui/content/static.tsx";
import { Heart } from "../../../ui/product/heart.tsx";
import { ProductPrice } from "../../../ui/product/price.tsx";
import { Quantity } from "../../../ui/form/quantity.tsx";
import { BuyBar } from "./buy-bar.tsx";
import { ColorChoice } from "./color-choice.tsx";
import { ShareButton } from "./share-button.tsx";

/** On a desk the panel stands beside the picture, all of it in the first screen. */
const PART = "further-down lg:[content-visibility:visible]";

type PurchasePanelProps = {
  product: ProductDetails;
  colors: Pick<ProductDetails, "slug" | "colorVariant" | "colorHex">[];
  content: Pick<ProductContent, "rating" | "promises">;
};

export function PurchasePanel({ product, colors, content: { rating, promises } }: PurchasePanelProps) {
  const [quantity, setQuantity] = useState(1);
  const buy = useRef<HTMLDivElement>(null);
  const { isInStock } = product;
  const cart = {
    productId: product.id,
    slug: product.slug,
    disabled: !isInStock,
    label: isInStock ? undefined : product.stockMessage,
  };

  return (
    <section aria-label="Buy" className="grid content-start gap-7 self-start lg:sticky lg:top-24">
      <div>
        <h1 className="text-[clamp(2rem,3.4vw,3rem)] leading-[1.06] font-semibold">{product.name}</h1>
        {rating && <RatingLink rating={rating} />}
        <p className="mt-2 text-lg text-ink-soft">{product.shortDescription}</p>
      </div>
      {/* On a phone the end of the first screen, and what is below it. */}
      <div className={`${PART} [--about:193px] [--after:1ms]`}>
        <ProductPrice product={product} size="panel" />
      </div>
      {product.colorVariant && (
        <div className={`${PART} [--about:78px]`}>
          <ColorChoice product={product} colors={colors} />
        </div>
      )}
      <div ref={buy} className={`${PART} grid gap-3 [--about:144px]`}>
        <p className={`flex items-center gap-2 font-medium ${isInStock ? "text-good" : "text-error"}`}>
          <span aria-hidden="true" className="size-2 rounded-full bg-current" />
          {product.stockMessage}
        </p>
        <AddToCartForm
          {...cart}
          className="flex flex-wrap gap-3"
          buttonClassName="button-primary min-w-40 flex-1"
          quantityField={
            <Quantity value={quantity} onChange={setQuantity} max={product.maxQuantity} disabled={!isInStock} />
          }
        />
        <div className="flex flex-wrap gap-3 noscript:hidden *:flex-auto">
          <Heart productId={product.id} productName={product.name} where="panel" />
          <ShareButton />
        </div>
      </div>
      <div className={`${PART} [--about:117px]`}>
        <Promises promises={promises} />
      </div>
      <BuyBar watch={buy} product={product} cart={{ ...cart, quantity }} />
    </section>
  );
}

function RatingLink({ rating }: { rating: NonNullable<ProductContent["rating"]> }) {
  return (
    <a
      href="#reviews"
      className="mt-2 inline-flex min-h-11 items-center gap-2 text-[15px] hover:underline hover:underline-offset-4"
    >
      <Star aria-hidden="true" size={17} className="fill-copper text-copper" />
      <span>
        <span className="font-semibold">{rating.average}</span> <span className="sr-only">of 5 stars, </span>
        <span className="text-ink-soft">{formatNumber(rating.count)} reviews (sample)</span>
      </span>
    </a>
  );
}

function Promises({ promises: { shipping, returns, warranty } }: Pick<ProductContent, "promises">) {
  const promises = [
    { icon: Truck, text: shipping },
    { icon: RotateCcw, text: returns },
    ...(warranty ? [{ icon: ShieldCheck, text: warranty }] : []),
  ];
  return (
    <Static as="ul" className="grid gap-3 border-t border-line pt-6 text-[15px] text-ink-soft">
      {promises.map(({ icon: Icon, text }) => (
        <li key={text} className="flex items-center gap-3">
          <Icon aria-hidden="true" size={19} strokeWidth={1.6} />
          {text}
        </li>
      ))}
    </Static>
  );
}
