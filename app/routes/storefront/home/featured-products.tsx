import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { Link } from "#app/ui/chrome/link.tsx";
import { readGuestWishlist, storeGuestWishlist } from "#app/ui/chrome/local-storage.ts";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { useVisitorState } from "#app/ui/chrome/visitor-state.tsx";
import { ifOnline } from "#app/ui/chrome/offline.ts";
import { notify } from "#app/ui/feedback/toast.ts";
import { AddToCartForm } from "#app/ui/product/add-to-cart.tsx";
import { Heart } from "#app/ui/product/heart.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { ProductPrice } from "#app/ui/product/price.tsx";
import type { ComparedModel, FeaturedProduct as Shown } from "#shop/catalog/shown-product.ts";

export type FeaturedProduct = Shown & { colorVariant: string };

type FeaturedProductsProps = { products: [FeaturedProduct, ...FeaturedProduct[]]; classics: ComparedModel[] };

export function FeaturedProducts({ products, classics }: FeaturedProductsProps) {
  const [color, setColor] = useState(products[0].colorVariant);
  const chosen = products.find((product) => product.colorVariant === color) ?? products[0];
  const classic = classics.find((product) => product.colorVariant === color) ?? classics[0];

  return (
    <section aria-labelledby="featured" className="page">
      <div className="grid overflow-hidden rounded-card bg-leaf-light lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
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
            <h2 id="featured" className="text-[clamp(3.5rem,6vw,5.5rem)] leading-none font-semibold tracking-[-0.04em]">
              Pro
            </h2>
            <p className="mt-3 text-lg text-ink-soft">{chosen.shortDescription}</p>
          </div>
          <ColorPicker products={products} chosen={chosen} onChoose={setColor} />
          <ProductPrice product={chosen} size="panel" />
          <div className="grid gap-3">
            <div className="flex gap-2 [&_.icon-button]:size-12 [&_.icon-button]:bg-card">
              <AddToCartForm key={chosen.id} product={chosen} place="featured" className="flex-1" />
              <HomeHeart productId={chosen.id} productName={chosen.name} />
            </div>
            <CompareModels pro={chosen} classic={classic} />
            <div className="flex flex-wrap items-center justify-between gap-x-6 text-[15px]">
              <p>{chosen.stockMessage}</p>
              <Link to={`/product/${chosen.slug}`} prefetch="intent" className="text-link flex min-h-11 items-center">
                See all details
              </Link>
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}

const dot = "swatch block size-9 ring-1 ring-ink/15 ring-inset";

const fillOf = ({ colorHex }: FeaturedProduct) => ({ background: colorHex ?? undefined });

type ColorPickerProps = { products: FeaturedProduct[]; chosen: FeaturedProduct; onChoose: (color: string) => void };

/** Without JavaScript each color links to its product. */
function ColorPicker({ products, chosen, onChoose }: ColorPickerProps) {
  const colors = useRef<HTMLFieldSetElement>(null);
  // A color chosen before hydration applies.
  useLayoutEffect(() => {
    const checked = colors.current?.querySelector<HTMLInputElement>(":checked");
    if (checked && checked.value !== chosen.colorVariant) onChoose(checked.value);
    // oxlint-disable-next-line react/exhaustive-deps -- once, at hydration
  }, []);
  return (
    <>
      <fieldset ref={colors} className="noscript:hidden">
        <legend className="text-[15px]">
          <span className="font-semibold">Color</span> <span className="text-ink-soft">{chosen.colorVariant}</span>
        </legend>
        <div className="mt-2 -ml-1 flex gap-1">
          {products.map((product) => (
            <label
              key={product.id}
              className="grid size-12 place-items-center rounded-full border-2 border-transparent has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf"
            >
              <input
                type="radio"
                name="featured-color"
                value={product.colorVariant}
                defaultChecked={product === chosen}
                onChange={() => onChoose(product.colorVariant)}
                className={`cursor-pointer appearance-none outline-none ${dot}`}
                style={fillOf(product)}
              />
              <span className="sr-only">{product.colorVariant}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <ul className="hidden gap-2 noscript:flex">
        {products.map((product) => (
          <li key={product.id}>
            <Link
              to={`/product/${product.slug}`}
              aria-label={product.colorVariant}
              className="grid size-12 place-items-center"
            >
              <span aria-hidden="true" className={dot} style={fillOf(product)} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Home's heart stores a guest's wish in this browser until it merges into a wishlist. */
function HomeHeart({ productId, productName }: { productId: string; productName: string }) {
  const { customer } = useVisitorState();
  const [changed, setChanged] = useState<string[]>();
  const isHydrated = useHydrated();
  const ids = changed ?? (isHydrated ? readGuestWishlist() : []);
  const isIn = !customer && ids.includes(productId);
  const toggle = () => {
    const others = ids.filter((id) => id !== productId);
    const next = isIn ? others : [...others, productId];
    storeGuestWishlist(next);
    setChanged(next);
    notify(isIn ? "Removed from wishlist" : "Added to wishlist");
  };
  return <Heart productId={productId} productName={productName} where="home" guest={{ isIn, toggle }} />;
}

const load = () => import("./compare-dialog.tsx");
const loadAhead = () => void load().catch(() => {});

/** Opens the comparison; without JavaScript, or if it fails to load, leads to the shop with both models. */
function CompareModels({ pro, classic }: { pro: ComparedModel; classic: ComparedModel | undefined }) {
  const [Dialog, setDialog] = useState<Awaited<ReturnType<typeof load>>["CompareDialog"] | null>(null);

  function compare(event: FormEvent<HTMLFormElement>) {
    if (!classic) return;
    event.preventDefault();
    const form = event.currentTarget;
    load().then(
      (loaded) => setDialog(() => loaded.CompareDialog),
      () => ifOnline(() => form.submit()),
    );
  }

  return (
    <>
      <form action="/shop" onSubmit={compare} onMouseEnter={loadAhead} onPointerDown={loadAhead}>
        <input type="hidden" name="category" value="Classic" />
        <input type="hidden" name="category" value="Pro" />
        <button type="submit" aria-haspopup="dialog" className="button button-quiet w-full">
          Compare Models
        </button>
      </form>
      {Dialog && classic && <Dialog pro={pro} classic={classic} onClose={() => setDialog(null)} />}
    </>
  );
}
