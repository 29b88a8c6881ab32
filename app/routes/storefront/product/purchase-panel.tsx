import { RotateCcw, Share2, ShieldCheck, Truck } from "lucide-react";
import { useState } from "react";
import { Link } from "#app/ui/chrome/link.tsx";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { useVisitorState } from "#app/ui/chrome/visitor-state.tsx";
import { notify, notifyError } from "#app/ui/feedback/toast.ts";
import { Quantity } from "./quantity.tsx";
import { AddToCartForm } from "#app/ui/product/add-to-cart.tsx";
import { Heart, WORDED_BUTTON } from "#app/ui/product/heart.tsx";
import { BackInStockForm } from "#app/ui/product/back-in-stock-form.tsx";
import { InStockLink } from "#app/ui/product/in-stock-link.tsx";
import { ProductPrice } from "#app/ui/product/price.tsx";
import { Stars } from "#app/ui/product/stars.tsx";
import { Swatch } from "#app/ui/product/swatch.tsx";
import type { ProductContent } from "#shop/catalog/product-content.ts";
import type { ProductColor } from "#shop/catalog/product.ts";
import type { ProductDetails } from "#shop/catalog/shown-product.ts";
import { formatNumber } from "#shop/money.ts";
import { AddOn, type AddOnProduct } from "./add-on.tsx";
import { BuyBar } from "./buy-bar.tsx";

type PurchasePanelProps = {
  product: ProductDetails;
  colors: ProductColor[];
  content: Pick<ProductContent, "rating" | "promises" | "finish">;
  /** A filter, offered where it makes shipping free. */
  addOn?: AddOnProduct;
};

export function PurchasePanel({ product, colors, content, addOn }: PurchasePanelProps) {
  const [quantity, setQuantity] = useState(1);
  const { isInStock } = product;
  const { arrival } = content.promises;
  const { isInvited } = useVisitorState();
  const stockTone = isInStock ? (product.note && !isInvited ? "text-saving" : "text-good") : "text-error";

  return (
    <section aria-label="Buy" className="buy-panel grid content-start gap-7 self-start lg:sticky lg:top-24">
      <div>
        <h1 className="text-[clamp(2rem,3.4vw,3rem)] leading-[1.06] font-semibold">{product.name}</h1>
        {content.rating && <RatingLink rating={content.rating} />}
        <p className="mt-2 text-lg text-ink-soft">{product.shortDescription}</p>
      </div>
      <ProductPrice product={product} size="panel" />
      {product.colorVariant && <ColorChoice product={product} colors={colors} finish={content.finish} />}
      <div className="buy-buttons grid gap-2">
        <div className="flex min-h-11 flex-wrap items-center gap-x-3">
          <p className={`flex items-center gap-2 font-medium ${stockTone}`}>
            <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-current" />
            <span>{isInvited ? product.invitedMessage : product.stockMessage}</span>
          </p>
          {arrival && <p className="text-[15px] text-ink-soft">{arrival}</p>}
        </div>
        {product.isWaitlistFirst && !isInvited && (
          <Link to="/waitlist/join" prefetch="intent" className="text-link inline-flex min-h-11 items-center">
            Join the waitlist
          </Link>
        )}
        <AddToCartForm
          product={product}
          place="panel"
          className="flex flex-wrap gap-3"
          buttonClassName="button-primary min-w-40 flex-1"
          quantity={<Quantity value={quantity} onChange={setQuantity} disabled={!isInStock} />}
        />
        <div className="flex flex-wrap gap-x-6">
          <Heart productId={product.id} productName={product.name} where="panel" />
          <ShareButton />
        </div>
        {!product.isRetired && (!isInStock || (product.isWaitlistFirst && !isInvited)) && (
          <BackInStockForm slug={product.slug} />
        )}
        {!isInStock && <InStockLink category={product.category} className="justify-self-start" />}
        {addOn && isInStock && <AddOn product={product} quantity={quantity} addOn={addOn} />}
      </div>
      <Promises promises={content.promises} />
      <BuyBar product={product} quantity={quantity} />
    </section>
  );
}

function RatingLink({ rating }: { rating: NonNullable<ProductContent["rating"]> }) {
  return (
    <a
      href="#reviews"
      className="mt-2 inline-flex min-h-11 items-center gap-2 text-[15px] hover:underline hover:underline-offset-4"
    >
      <Stars rating={rating.average} isDecoration />
      <span>
        <span className="font-semibold">{rating.average}</span> <span className="sr-only">of 5 stars, </span>
        <span className="text-ink-soft">{`${formatNumber(rating.count)} sample reviews`}</span>
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
    <ul className="grid gap-3 border-t border-line pt-6 text-[15px] text-ink-soft">
      {promises.map(({ icon: Icon, text }) => (
        <li key={text} className="flex items-center gap-3">
          <Icon aria-hidden="true" size={19} strokeWidth={1.6} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function ShareButton() {
  const isHydrated = useHydrated();
  const share = async () => {
    const link = location.origin + location.pathname;
    try {
      await navigator.clipboard.writeText(link);
      notify("Link copied", "Product link has been copied to clipboard.");
    } catch {
      // The clipboard is unavailable without https.
      notifyError(`Copy the link yourself: ${link}`);
    }
  };
  return (
    <button type="button" className={`${WORDED_BUTTON} ${isHydrated ? "" : "invisible"}`} onClick={() => void share()}>
      <Share2 aria-hidden="true" size={20} strokeWidth={1.75} />
      Share
    </button>
  );
}

type ColorChoiceProps = {
  product: ProductDetails;
  colors: ProductColor[];
  finish: string | null;
};

function ColorChoice({ product, colors, finish }: ColorChoiceProps) {
  const several = colors.length > 1;
  return (
    <div>
      <p className="flex items-center gap-2">
        <span className="text-ink-soft">Color</span>
        {!several && <Swatch hex={product.colorHex} className="size-4" />}
        <span className="font-semibold">{product.colorVariant}</span>
      </p>
      {finish && <p className="mt-1 text-[15px] text-ink-soft">{finish}</p>}
      {several && (
        <ul aria-label="Colors" className="mt-1.5 -ml-1.5 flex gap-1">
          {colors.map(
            ({ slug, colorVariant, colorHex }) =>
              colorVariant && (
                <li key={slug}>
                  <Link
                    to={`/product/${slug}`}
                    prefetch="intent"
                    preventScrollReset
                    viewTransition
                    aria-label={colorVariant}
                    aria-current={slug === product.slug ? "true" : undefined}
                    title={colorVariant}
                    className="group grid size-12 place-items-center rounded-full"
                  >
                    <Swatch
                      hex={colorHex}
                      className="size-8 outline-2 outline-offset-3 outline-transparent transition-[outline-color] duration-150 group-hover:outline-line group-aria-[current=true]:outline-ink"
                    />
                  </Link>
                </li>
              ),
          )}
        </ul>
      )}
    </div>
  );
}
