/** The fields of a product, as they are typed: shared by the new one and the one that is edited. */
import { useId, type MouseEvent } from "react";
import { ANOTHER_COLOR } from "../../../../shop/catalog/desk/another-color.ts";
import type { Category } from "../../../../shop/catalog/product.ts";
import { useActResult } from "../../../ui/admin/act-form.tsx";
import { AdminArea, AdminSelect, AdminText } from "../../../ui/admin/field.tsx";

/** What each field shows first. */
export type TypedProduct = Record<
  | "name"
  | "slug"
  | "shortDescription"
  | "description"
  | "specs"
  | "category"
  | "colorVariant"
  | "price"
  | "compareAtPrice"
  | "earlyBirdPrice"
  | "earlyBirdEnd"
  | "shipsFrom",
  string
> & { isAvailable: boolean; featured: boolean };

export type Choices = { categories: Category[]; colors: string[] };

type BoxProps = { name: string; label: string; hint?: string; isChecked: boolean; isDisabled?: boolean };

function Box({ name, label, hint, isChecked, isDisabled }: BoxProps) {
  const id = useId();
  const typed = useActResult()?.typed;
  return (
    <div>
      <label htmlFor={id} className="flex min-h-9 items-center gap-2.5 font-medium pointer-coarse:min-h-11">
        <input
          id={id}
          type="checkbox"
          name={name}
          defaultChecked={typed ? typed[name] === "on" : isChecked}
          disabled={isDisabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="size-4.5 accent-leaf"
        />
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

type ProductFieldsProps = {
  typed: TypedProduct;
  choices: Choices;
  /** Why the address stays as it is. */
  slugFixed?: string | undefined;
  isRetired?: boolean;
  /** What shoppers see of the price now. */
  priceHint?: string | undefined;
};

export function ProductFields({ typed, choices, slugFixed, isRetired = false, priceHint }: ProductFieldsProps) {
  return (
    <>
      <fieldset className="group/texts grid gap-4">
        <legend className="sr-only">Texts</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <AdminText name="name" label="Name" defaultValue={typed.name} maxLength={80} />
          <AdminText
            name="slug"
            label="Address"
            hint={slugFixed ?? "Where its page stands: /product/…"}
            defaultValue={typed.slug}
            readOnly={slugFixed !== undefined}
            maxLength={80}
          />
        </div>
        <AdminText
          name="shortDescription"
          label="In one sentence"
          defaultValue={typed.shortDescription}
          maxLength={200}
        />
        <AdminArea name="description" label="Description" defaultValue={typed.description} rows={6} maxLength={4000} />
        <div className="grid gap-4 sm:grid-cols-2">
          <AdminSelect name="category" label="Category" defaultValue={typed.category}>
            {choices.categories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </AdminSelect>
          <AdminSelect
            name="colorVariant"
            label="Color"
            hint="Where its name has the color too, it is one model with those that differ in nothing else."
            defaultValue={typed.colorVariant}
          >
            <option value="">None</option>
            {choices.colors.map((color) => (
              <option key={color}>{color}</option>
            ))}
            <option value={ANOTHER_COLOR}>Another color</option>
          </AdminSelect>
        </div>
        <div className="hidden gap-4 group-has-[option[value=another]:checked]/texts:grid sm:grid-cols-2">
          <AdminText
            name="anotherColor"
            label="Name of the color"
            hint="As shoppers read it. One that the shop knows gets this swatch."
            maxLength={30}
          />
          <AdminText
            name="anotherColorHex"
            label="Its swatch"
            hint="Six digits, as #e58a6f"
            maxLength={7}
            spellCheck={false}
          />
        </div>
        <AdminArea
          name="specs"
          label="Specs"
          hint="One a line, with a colon. A name that ends in hours, months, years, lb, in, ft, L, F or dB brings its unit."
          defaultValue={typed.specs}
          rows={Math.min(16, Math.max(4, typed.specs.split("\n").length + 1))}
          spellCheck={false}
        />
      </fieldset>
      <fieldset className="grid gap-4 border-t border-line pt-5">
        <legend className="float-left mb-4 w-full text-[15px] font-semibold">Price</legend>
        {priceHint && <p className="clear-both max-w-prose text-ink-soft">{priceHint}</p>}
        <div className="clear-both grid gap-4 sm:grid-cols-2">
          <AdminText name="price" label="Price, $" defaultValue={typed.price} inputMode="decimal" />
          <AdminText
            name="compareAtPrice"
            label="Struck-through price, $"
            hint="Shown where it is above what is paid. Empty: none."
            defaultValue={typed.compareAtPrice}
            inputMode="decimal"
          />
          <AdminText
            name="earlyBirdPrice"
            label="Early-bird price, $"
            hint="Empty: none."
            defaultValue={typed.earlyBirdPrice}
            inputMode="decimal"
          />
          <AdminText
            name="earlyBirdEnd"
            type="datetime-local"
            label="Early bird ends"
            hint="In New York. Shoppers see a countdown to it."
            defaultValue={typed.earlyBirdEnd}
          />
        </div>
      </fieldset>
      <fieldset className="grid gap-4 border-t border-line pt-5">
        <legend className="float-left mb-2 w-full text-[15px] font-semibold">In the shop</legend>
        <div className="clear-both grid gap-4 sm:grid-cols-2">
          <div className="grid content-start gap-2">
            <Box
              name="isAvailable"
              label="Can be bought"
              isChecked={typed.isAvailable}
              isDisabled={isRetired}
              {...(isRetired && { hint: "Off, because it is retired. List it again first." })}
            />
            <Box name="featured" label="Featured" hint="Stands first in the shop." isChecked={typed.featured} />
          </div>
          <AdminText
            name="shipsFrom"
            type="date"
            label="First shipping day"
            hint="For a pre-order: its page says so until that day. Empty: it ships now."
            defaultValue={typed.shipsFrom}
          />
        </div>
      </fieldset>
    </>
  );
}

/** Sends what is typed, saved or not, to a page of its own that looks as shoppers would see it. */
export function PreviewButton({ productId }: { productId?: string }) {
  const action = `/admin/products/preview?act=preview${productId ? `&id=${productId}` : ""}`;
  const open = (event: MouseEvent<HTMLButtonElement>) => {
    // The form's own script would send it as an act of this page: a copy goes in its place.
    event.preventDefault();
    const { form } = event.currentTarget;
    if (!form) return;
    const copy = document.createElement("form");
    Object.assign(copy, { method: "post", action, target: "_blank", hidden: true });
    for (const [name, value] of new FormData(form)) {
      if (typeof value !== "string" || name === "shot") continue;
      copy.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(copy);
    copy.submit();
    copy.remove();
  };
  return (
    <button
      type="submit"
      formAction={action}
      formTarget="_blank"
      formEncType="application/x-www-form-urlencoded"
      onClick={open}
      className="act"
    >
      Preview
    </button>
  );
}
