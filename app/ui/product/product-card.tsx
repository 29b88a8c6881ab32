import { memo, type ReactNode } from "react";
import { Link, useViewTransitionState } from "react-router";
import type { ProductCard as Card } from "#shop/catalog/shown-product.ts";
import { AddToCartForm } from "./add-to-cart.tsx";
import { Heart } from "./heart.tsx";
import { Picture } from "./picture.tsx";
import { ProductPrice, SavingBadge, usePrice } from "./price.tsx";
import { Swatch } from "./swatch.tsx";

/** Over the picture for a mouse, which can hover; below the price for touch. */
const addPlace =
  "lg:pointer-fine:row-start-1 lg:pointer-fine:m-3 lg:pointer-fine:self-end lg:pointer-fine:opacity-0 lg:pointer-fine:transition-opacity lg:pointer-fine:duration-200 group-hover:opacity-100! group-focus-within:opacity-100! has-[[aria-disabled]]:opacity-100!";

// Going back while a card opens skips its view transition, whose promise nobody awaits.
if (!import.meta.env.SSR) {
  addEventListener("unhandledrejection", (event) => {
    if (/Transition was skipped/.test(event.reason)) event.preventDefault();
  });
}

type ProductCardProps = {
  product: Card;
  priority?: boolean;
  /** Replaces the heart; the add button then always shows. */
  corner?: ReactNode;
};

/** Memoized, because long lists render it often. */
export const ProductCard = memo(function ProductCard({ product, priority = false, corner }: ProductCardProps) {
  const to = `/product/${product.slug}`;
  const opening = useViewTransitionState(to);
  const { earlyBird } = usePrice(product);

  return (
    <article className="card group relative grid grid-cols-1 grid-rows-[auto_1fr_auto]">
      <div
        className={`relative col-start-1 row-start-1 aspect-square overflow-hidden rounded-card ${product.colorVariant === "Frost White" ? "bg-photo-frost" : "bg-photo"}`}
        style={opening ? { viewTransitionName: `picture-${product.slug}` } : undefined}
      >
        <CardPictures product={product} priority={priority} faded={!product.isInStock} />
        {earlyBird && (
          <span className="absolute top-3 left-3 max-sm:hidden lg:max-xl:hidden">
            <SavingBadge cents={earlyBird.savingCents} />
          </span>
        )}
        {!product.isInStock && (
          <span className="absolute top-3 left-3 rounded-full bg-card px-2.5 py-1 text-xs font-semibold sm:px-3 sm:text-sm">
            Out of Stock
          </span>
        )}
      </div>

      <div className="row-start-2 mt-4 grid content-start gap-1.5">
        <h3 className="text-[17px] leading-snug font-semibold tracking-[-0.01em]">
          <Link
            to={to}
            prefetch="intent"
            viewTransition
            state={{ picture: product.pictures[0] }}
            className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-leaf"
          >
            {product.name}
          </Link>
        </h3>
        {product.colorVariant && (
          <p className="flex items-center gap-2 text-sm text-ink-soft">
            <Swatch hex={product.colorHex} />
            {product.colorVariant}
          </p>
        )}
        {earlyBird && (
          <span className="sm:max-lg:hidden xl:hidden">
            <SavingBadge cents={earlyBird.savingCents} />
          </span>
        )}
        <ProductPrice product={product} size="card" />
        {product.isLowStock && <p className="text-sm font-medium text-saving">{product.stockMessage}</p>}
      </div>

      <div className="z-10 col-start-1 row-start-1 m-2 self-start justify-self-end">
        {corner ?? <Heart productId={product.id} productName={product.name} where="card" />}
      </div>
      <AddToCartForm
        product={product}
        place="card"
        className={`z-10 col-start-1 mt-4 ${corner ? "" : addPlace}`}
        buttonClassName="button-primary min-h-11 w-full px-3 text-[15px]"
      />
    </article>
  );
});

function CardPictures({ product, priority, faded }: { product: Card; priority: boolean; faded: boolean }) {
  const [first = "", second] = product.pictures;
  const sizes = "(min-width: 1280px) 310px, (min-width: 640px) 33vw, 46vw";
  return (
    <>
      <Picture
        name={first}
        alt=""
        sizes={sizes}
        priority={priority}
        className="block"
        imgClassName={`aspect-square size-full object-cover ${faded ? "opacity-55 grayscale-40" : ""}`}
      />
      {second && (
        <Picture
          name={second}
          alt=""
          sizes={sizes}
          className="hidden lg:pointer-fine:block"
          imgClassName="absolute inset-0 size-full object-cover opacity-0 transition-opacity duration-250 group-hover:opacity-100"
        />
      )}
    </>
  );
}
