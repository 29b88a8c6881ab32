import { useRef, type FormEvent, type MouseEvent } from "react";
import { ANOTHER_COLOR, slugOf, type TypedProduct } from "#shop/catalog/back-office/product-form.ts";
import type { Color } from "#shop/catalog/colors.server.ts";
import type { Category } from "#shop/catalog/product.ts";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { AdminArea, AdminCheckbox, AdminSelect, AdminText, useAdminField } from "#app/ui/admin/field.tsx";
import { isChanged } from "#app/ui/admin/unsaved-changes.tsx";
import { PictureInput } from "./pictures.tsx";
import { SpecsField } from "./specs-field.tsx";

export type Choices = { categories: Category[]; colors: Color[] };

const sameLabels = (values: readonly string[]) => values.map((value) => [value, value] as const);

type ProductFieldsProps = {
  typed: TypedProduct;
  choices: Choices;
  /** Reason for a read-only URL handle. */
  slugFixed?: string | undefined;
  isArchived?: boolean;
  priceHint?: string | undefined;
  /** A new product, of this model or of none. Its URL handle follows the name, and the name of a model its color. */
  model?: string | null;
};

/** Fills in the fields that follow from others, until they are typed by hand. */
function useFollowing(model: string | null | undefined) {
  const byHand = useRef(new Set<string>());
  return ({ target }: FormEvent<HTMLElement>) => {
    const typed = target as HTMLInputElement;
    // A form begins with an input event, for what was typed before hydration.
    if (model === undefined || !typed.form || !isChanged(typed.form)) return;
    if (typed.value !== typed.defaultValue) byHand.current.add(typed.name);
    const field = (name: string) => typed.form!.elements.namedItem(name) as HTMLInputElement;
    const chosen = field("colorVariant").value;
    const color = chosen === ANOTHER_COLOR ? field("anotherColor").value : chosen;
    if (model && !byHand.current.has("name")) field("name").value = `${model} ${color}`.trim();
    if (!byHand.current.has("slug")) field("slug").value = slugOf(field("name").value);
  };
}

/** A color as a number, and by a picker, which has no name, is not sent and cannot be empty: it begins gray. */
function SwatchField() {
  const isHydrated = useHydrated();
  const agree = ({ target, currentTarget }: FormEvent<HTMLDivElement>) => {
    const [text, picker] = currentTarget.querySelectorAll("input");
    if (!text || !picker) return;
    if (target === picker) text.value = picker.value;
    else if (/^#?[0-9a-f]{6}$/i.test(text.value)) picker.value = `#${text.value.replace("#", "").toLowerCase()}`;
  };
  return (
    <div onInput={agree} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
      <AdminText
        name="anotherColorHex"
        label="Swatch"
        hint="A hex color, such as #e58a6f."
        maxLength={7}
        spellCheck={false}
      />
      {isHydrated && (
        <input
          type="color"
          aria-label="Color picker"
          defaultValue="#eeeeee"
          className="mt-6 h-9 w-11 pointer-coarse:h-11"
        />
      )}
    </div>
  );
}

type AvailabilityProps = { typed: TypedProduct; isArchived: boolean; isNew: boolean };

function Availability({ typed, isArchived, isNew }: AvailabilityProps) {
  return (
    <fieldset className="grid gap-4 border-t border-line pt-5">
      <legend className="float-left w-full text-[15px] font-semibold">Availability</legend>
      <div className="clear-both grid gap-4 sm:grid-cols-2">
        <div className="grid content-start gap-2">
          <AdminCheckbox
            name="isAvailable"
            label="Available for sale"
            isChecked={typed.isAvailable === "on"}
            isDisabled={isArchived}
            {...(isArchived && { hint: "Archived products cannot be sold. Unarchive it first." })}
          />
          <AdminCheckbox
            name="featured"
            label="Featured"
            hint="Shown first in the store."
            isChecked={typed.featured === "on"}
          />
        </div>
        {isNew && (
          <AdminText
            name="stock"
            label="Stock"
            hint="Quantity on hand. Leave empty to set it later."
            inputMode="numeric"
            autoComplete="off"
          />
        )}
        <AdminText
          name="shipsFrom"
          type="date"
          label="Ship date"
          hint="For pre-orders: shown on the product page until that date. Leave empty if it ships now."
          defaultValue={typed.shipsFrom}
        />
        <AdminText
          name="weightOz"
          label="Shipping weight (oz)"
          hint="With its own packaging, rounded up. Labels are priced by it."
          defaultValue={typed.weightOz}
          inputMode="numeric"
          maxLength={4}
        />
      </div>
      <More typed={typed} />
    </fieldset>
  );
}

/** Fields that are hardly ever changed; open while one of them is refused. */
function More({ typed }: Pick<AvailabilityProps, "typed">) {
  const { error } = useAdminField("taxCode");
  return (
    <details open={error ? true : undefined} className="clear-both">
      <summary className="w-fit py-2 font-medium pointer-coarse:min-h-11">More</summary>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <AdminText
          name="taxCode"
          label="Tax code"
          hint="Stripe’s code for sales tax. txcd_99999999 is for goods without a rule of their own."
          defaultValue={typed.taxCode}
          maxLength={13}
          spellCheck={false}
        />
      </div>
    </details>
  );
}

export function ProductFields({ typed, choices, slugFixed, isArchived = false, priceHint, model }: ProductFieldsProps) {
  const follow = useFollowing(model);
  const isNew = model !== undefined;
  return (
    <>
      <fieldset className="group/texts grid gap-4" onInput={follow}>
        <legend className="sr-only">Details</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <AdminText name="name" label="Name" defaultValue={typed.name} maxLength={80} />
          <AdminText
            name="slug"
            label="URL handle"
            hint={slugFixed ?? "The page address: /product/… Made from the name if empty."}
            defaultValue={typed.slug}
            readOnly={slugFixed !== undefined}
            maxLength={80}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <AdminSelect
            name="category"
            label="Category"
            defaultValue={typed.category}
            options={sameLabels(choices.categories)}
          />
          <AdminSelect
            name="colorVariant"
            label="Color"
            hint="Products whose names differ only in the color are shown as one model."
            defaultValue={typed.colorVariant}
            options={[
              ["", model ? "Choose a color" : "None"],
              ...sameLabels(choices.colors.map(({ name }) => name)),
              [ANOTHER_COLOR, "New color…"],
            ]}
          />
        </div>
        <div className="hidden gap-4 group-has-[option[value=another]:checked]/texts:grid sm:grid-cols-2">
          <AdminText
            name="anotherColor"
            label="Color name"
            hint="As shoppers see it. An existing color gets the new swatch."
            maxLength={30}
          />
          <SwatchField />
        </div>
        <AdminText
          name="shortDescription"
          label="Short description"
          defaultValue={typed.shortDescription}
          maxLength={200}
        />
        <AdminArea name="description" label="Description" defaultValue={typed.description} rows={6} maxLength={4000} />
      </fieldset>
      {isNew && (
        <section className="grid gap-3 border-t border-line pt-5">
          <h2>Pictures</h2>
          <PictureInput />
        </section>
      )}
      <fieldset className="grid gap-4 border-t border-line pt-5">
        <legend className="float-left w-full text-[15px] font-semibold">Price</legend>
        {priceHint && <p className="clear-both max-w-prose text-ink-soft">{priceHint}</p>}
        <div className="clear-both grid gap-4 sm:grid-cols-2">
          <AdminText name="price" label="Price ($)" defaultValue={typed.price} inputMode="decimal" />
          <AdminText
            name="compareAtPrice"
            label="Compare-at price ($)"
            hint="Shown crossed out when above the price. Optional."
            defaultValue={typed.compareAtPrice}
            inputMode="decimal"
          />
          <AdminText
            name="earlyBirdPrice"
            label="Early-bird price ($)"
            hint="Optional."
            defaultValue={typed.earlyBirdPrice}
            inputMode="decimal"
          />
          <AdminText
            name="earlyBirdEnd"
            type="datetime-local"
            label="Early bird ends"
            hint="New York time. Shoppers see a countdown."
            defaultValue={typed.earlyBirdEnd}
          />
        </div>
      </fieldset>
      <Availability typed={typed} isArchived={isArchived} isNew={isNew} />
      <SpecsField defaultValue={typed.specs} />
    </>
  );
}

export function PreviewButton({ productId }: { productId?: string }) {
  const action = `/admin/products/preview?intent=preview${productId ? `&id=${productId}` : ""}`;
  const open = (event: MouseEvent<HTMLButtonElement>) => {
    // The form's submit handler would run the action here, so a copy of the form is submitted.
    event.preventDefault();
    const { form } = event.currentTarget;
    if (!form) return;
    const copy = document.createElement("form");
    Object.assign(copy, { method: "post", action, target: "_blank", hidden: true });
    for (const [name, value] of new FormData(form)) {
      if (typeof value !== "string") continue;
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
      className="btn"
    >
      Preview
    </button>
  );
}
