import { RotateCcw, ShieldCheck, Star, Truck } from "lucide-react";
import { useRef, useState } from "react";
import type { Product } from "../../../../shop/catalog/product.ts";
import { RATING } from "../../../../shop/catalog/product-content.ts";
import { maxQuantity, stockMessage, unitsLeft } from "../../../../shop/catalog/stock.ts";
import { formatMoneyShort } from "../../../../shop/money.ts";
import { returnPolicy, shippingPolicy } from "../../../../shop/policies.ts";
import { AddToCartForm } from "../../../ui/product/add-to-cart.tsx";
import { Heart } from "../../../ui/product/heart.tsx";
import { ProductPrice } from "../../../ui/product/price.tsx";
import { Quantity } from "../../../ui/form/quantity.tsx";
import { BuyBar } from "./buy-bar.tsx";
import { ColorChoice } from "./color-choice.tsx";
import { ShareButton } from "./share-button.tsx";

type PurchasePanelProps = { product: Product; colors: Pick<Product, "slug" | "colorVariant">[] };

export function PurchasePanel({ product, colors }: PurchasePanelProps) {
  const [quantity, setQuantity] = useState(1);
  const buy = useRef<HTMLDivElement>(null);
  const available = unitsLeft(product) > 0;
  const cart = {
    productId: product.id,
    slug: product.slug,
    disabled: !available,
    label: available ? undefined : "Out of Stock",
  };

  return (
    <section aria-label="Buy" className="grid content-start gap-7 self-start lg:sticky lg:top-24">
      <div>
        <h1 className="text-[clamp(2rem,3.4vw,3rem)] leading-[1.06] font-semibold">{product.name}</h1>
        <a
          href="#reviews"
          className="mt-2 inline-flex min-h-11 items-center gap-2 text-[15px] hover:underline hover:underline-offset-4"
        >
          <Star aria-hidden="true" size={17} className="fill-copper text-copper" />
          <span>
            <span className="font-semibold">{RATING.average}</span> <span className="sr-only">of 5 stars, </span>
            <span className="text-ink-soft">{RATING.count.toLocaleString("en-US")} reviews</span>
          </span>
        </a>
        <p className="mt-2 text-lg text-ink-soft">{product.shortDescription}</p>
      </div>
      <ProductPrice product={product} size="panel" />
      <ColorChoice product={product} colors={colors} />
      <div ref={buy} className="grid gap-3">
        <p className={`flex items-center gap-2 font-medium ${available ? "text-good" : "text-error"}`}>
          <span aria-hidden="true" className="size-2 rounded-full bg-current" />
          {stockMessage(product)}
        </p>
        <AddToCartForm
          {...cart}
          className="flex flex-wrap gap-3"
          buttonClassName="button-primary min-w-40 flex-1"
          quantityField={
            <Quantity value={quantity} onChange={setQuantity} max={maxQuantity(product)} disabled={!available} />
          }
        />
        <div className="flex flex-wrap gap-3 noscript:hidden *:flex-auto">
          <Heart productId={product.id} productName={product.name} where="panel" />
          <ShareButton />
        </div>
      </div>
      <Promises warrantyYears={Number(product.specs.warranty_years) || null} />
      <BuyBar watch={buy} product={product} cart={{ ...cart, quantity }} />
    </section>
  );
}

function Promises({ warrantyYears }: { warrantyYears: number | null }) {
  const promises = [
    { icon: Truck, text: `Free Shipping from ${formatMoneyShort(shippingPolicy.freeFromCents)}` },
    { icon: RotateCcw, text: `${returnPolicy.returnDays}-Day Returns, money back` },
    ...(warrantyYears ? [{ icon: ShieldCheck, text: `${warrantyYears}-year warranty` }] : []),
  ];
  return (
    <ul className="grid gap-3 border-t border-line pt-6 text-[15px] text-ink-soft">
      {promises.map(({ icon: Icon, text }) => (
        <li key={text} className="flex items-center gap-3">
          <Icon aria-hidden="true" size={19} strokeWidth={1.6} />
          {text}
        </li>
      ))}
    </ul>
  );
}
