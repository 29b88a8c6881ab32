import { memo, useId, type ReactNode } from "react";
import { useViewTransitionState } from "react-router";
import { Link } from "#app/ui/chrome/link.tsx";
import type { ProductColor } from "#shop/catalog/product.ts";
import type { ProductCard as Card } from "#shop/catalog/shown-product.ts";
import { AddToCartForm } from "./add-to-cart.tsx";
import { Heart } from "./heart.tsx";
import { InStockLink } from "./in-stock-link.tsx";
import { cropOf, Picture } from "./picture.tsx";
import { ProductPrice } from "./price.tsx";
import { Swatch } from "./swatch.tsx";

/** On the picture: a round plus for touch, the words on hover for a mouse. */
const addPlace =
  "row-start-1 m-2 self-end justify-self-end lg:pointer-fine:m-3 lg:pointer-fine:justify-self-stretch lg:pointer-fine:opacity-0 lg:pointer-fine:transition-opacity lg:pointer-fine:duration-200 group-hover:opacity-100! group-focus-within:opacity-100! has-[[aria-disabled]]:opacity-100!";
const addButton =
  "size-11 min-h-11 p-0 text-ink aria-disabled:animate-pulse lg:pointer-fine:w-full lg:pointer-fine:animate-none lg:pointer-fine:bg-leaf lg:pointer-fine:text-[15px] lg:pointer-fine:text-white lg:pointer-fine:hover:bg-leaf-deep";

// Going back while a card opens skips its view transition, whose promise nobody awaits.
if (!import.meta.env.SSR) {
  addEventListener("unhandledrejection", (event) => {
    if (/Transition was skipped/.test(event.reason)) event.preventDefault();
  });
}

type ProductCardProps = {
  product: Card;
  /** Colors of its model, which lead to each other. */
  colors?: readonly ProductColor[];
  priority?: boolean;
  /** Replaces the heart; the add button is then below the price. */
  corner?: ReactNode;
};

/** Memoized, because long lists render it often. */
export const ProductCard = memo(function ProductCard({
  product,
  colors = [],
  priority = false,
  corner,
}: ProductCardProps) {
  const to = `/product/${product.slug}`;
  const opening = useViewTransitionState(to);
  const note = product.isInStock ? product.note : null;
  const titleId = useId();
  // Most names end with their color.
  const color = product.colorVariant && !product.name.includes(product.colorVariant) ? product.colorVariant : null;

  return (
    <article aria-labelledby={titleId} className="card group relative grid grid-cols-1 grid-rows-[auto_1fr_auto]">
      <div
        className={`relative col-start-1 row-start-1 aspect-square overflow-hidden rounded-card ${product.colorVariant === "Frost White" ? "bg-photo-frost" : "bg-photo"}`}
        style={opening ? { viewTransitionName: `picture-${product.slug}` } : undefined}
      >
        <CardPictures product={product} priority={priority} faded={!product.isInStock} />
        {!product.isInStock && (
          <span className="absolute top-3 left-3 rounded-full bg-card px-2.5 py-1 text-xs font-semibold sm:px-3 sm:text-sm">
            Out of Stock
          </span>
        )}
      </div>

      <div className="row-start-2 mt-4 grid content-start gap-1.5">
        <h3 id={titleId} className="text-[17px] leading-snug font-semibold tracking-[-0.01em]">
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
        <ProductPrice product={product} size="card" />
        {(color || note) && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
            {color && <span>{color}</span>}
            {note && <span className="font-medium text-saving">{note}</span>}
          </p>
        )}
        {colors.length > 1 && <Colors product={product} colors={colors} />}
        {!product.isInStock && <InStockLink category={product.category} className="z-10 justify-self-start text-sm" />}
      </div>

      <div className="z-10 col-start-1 row-start-1 m-2 self-start justify-self-end">
        {corner ?? <Heart productId={product.id} productName={product.name} where="card" />}
      </div>
      {product.isInStock && (
        <AddToCartForm
          product={product}
          place="card"
          isCompact={!corner}
          className={`z-10 col-start-1 ${corner ? "mt-4" : addPlace}`}
          buttonClassName={corner ? "button-primary min-h-11 w-full px-3 text-[15px]" : addButton}
        />
      )}
    </article>
  );
});

function Colors({ product, colors }: { product: Card; colors: readonly ProductColor[] }) {
  return (
    <ul aria-label="Colors" className="z-10 -ml-3 flex flex-wrap justify-self-start lg:pointer-fine:-ml-1.5">
      {colors.map(({ slug, colorVariant, colorHex }) => (
        <li key={slug}>
          <Link
            to={`/product/${slug}`}
            prefetch="intent"
            aria-label={colorVariant ?? undefined}
            aria-current={slug === product.slug ? "true" : undefined}
            title={colorVariant ?? undefined}
            className="group/color grid size-11 place-items-center rounded-full lg:pointer-fine:size-8"
          >
            <Swatch
              hex={colorHex}
              className="size-4.5 outline-[1.5px] outline-offset-2 outline-transparent transition-[outline-color] duration-150 group-hover/color:outline-line group-aria-[current=true]/color:outline-ink"
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}

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
        imgClassName={`aspect-square size-full object-cover ${cropOf(first)} ${faded ? "opacity-55 grayscale-40" : ""}`}
      />
      {second && (
        <Picture
          name={second}
          alt=""
          sizes={sizes}
          className="hidden lg:pointer-fine:block"
          imgClassName={`absolute inset-0 size-full object-cover opacity-0 transition-opacity duration-250 group-hover:opacity-100 ${cropOf(second)}`}
        />
      )}
    </>
  );
}
