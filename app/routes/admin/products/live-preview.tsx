/** A preview of the product as shoppers see it in a list. */
import { useMemo, useState } from "react";
import { NEW_PRODUCT, productSchema, type TypedProduct } from "#shop/catalog/back-office/product-form.ts";
import type { Color } from "#shop/catalog/colors.server.ts";
import { specRows, type Product } from "#shop/catalog/product.ts";
import { cardOf } from "#shop/catalog/shown-product.ts";
import { openingStock } from "#shop/inventory/move-form.ts";
import { Section } from "#app/ui/admin/page-head.tsx";
import { useFormState } from "#app/ui/admin/unsaved-changes.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { ProductPrice } from "#app/ui/product/price.tsx";

const typedIn = (form: HTMLFormElement): Typed => Object.fromEntries(new FormData(form));

/** Stands in for fields that are empty or wrong, and were not saved right before. */
const EXAMPLE = {
  ...NEW_PRODUCT,
  name: "New product",
  slug: "new",
  shortDescription: "–",
  description: "–",
  price: "0",
  anotherColor: "New color",
  anotherColorHex: "#eeeeee",
};

type Rest = Pick<Product, "id" | "images" | "thumbnail" | "inventoryCount">;

type Typed = Record<string, unknown>;

function shownProduct(typed: Typed, saved: Typed, rest: Rest, colors: Color[]): Product | null {
  const schema = productSchema(colors);
  const replaced = (values: Typed, others: Typed) => {
    const wrong = schema.safeParse(values).error?.issues.map(({ path }) => String(path[0])) ?? [];
    return { ...values, ...Object.fromEntries(Object.entries(others).filter(([name]) => wrong.includes(name))) };
  };
  const { data } = schema.safeParse(replaced(replaced(typed, saved), EXAMPLE));
  if (!data) return null;
  const color = data.anotherColor ?? colors.find(({ name }) => name === data.colorVariant);
  const dates = { waitlistOnlyUntil: null, retiredAt: null, createdAt: new Date(0) };
  const inventoryCount = openingStock.safeParse(typed).data?.stock ?? rest.inventoryCount;
  const derived = { inventoryCount, model: "", pictureAlts: {}, colorHex: color?.hex ?? null };
  return { ...rest, ...data, ...dates, ...derived };
}

type LivePreviewProps = { formId: string; typed: TypedProduct; rest: Rest; colors: Color[] };

export function LivePreview({ formId, typed, rest, colors }: LivePreviewProps) {
  // In the document already: what appears later would move the forms below it under a press.
  const now = useFormState(formId, typedIn) ?? typed;
  const read = useMemo(() => shownProduct(now, typed, rest, colors), [now, typed, rest, colors]);
  const [product, setProduct] = useState(read);
  if (read && read !== product) setProduct(read);
  if (!product) return null;
  const card = cardOf(product);
  return (
    <Section title="Preview">
      <article aria-label="Preview" className="grid max-w-80 gap-1.5 rounded-card border border-line p-4">
        <Picture
          name={card.pictures[0] ?? ""}
          alt=""
          sizes="288px"
          imgClassName="aspect-square w-full rounded-lg object-cover"
        />
        <h3 className="mt-2 text-[17px] font-semibold">{card.name}</h3>
        {card.colorVariant && (
          <p className="flex items-center gap-2 text-ink-soft">
            <span
              aria-hidden="true"
              className="size-3.5 rounded-full border border-line"
              style={{ background: card.colorHex ?? undefined }}
            />
            <span>{card.colorVariant}</span>
          </p>
        )}
        <ProductPrice product={card} size="card" />
        <p className="text-ink-soft">{card.stockMessage}</p>
        <p>{product.shortDescription}</p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 text-ink-soft">
          {specRows(product.specs).map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="first-letter:uppercase">{label}</dt>
              <dd className="text-right text-ink">{value}</dd>
            </div>
          ))}
        </dl>
      </article>
    </Section>
  );
}
