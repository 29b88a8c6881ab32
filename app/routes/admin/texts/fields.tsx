/** Fields of a text: those of the whole page, then those of each part. */
import { useId, useState, type ReactNode } from "react";
import { MIN_PICTURE_WIDTH } from "#shop/catalog/back-office/product-form.ts";
import { MAX_DESCRIPTION, MIN_DESCRIPTION } from "#shop/content/text-fields.ts";
import { AdminArea, AdminSelect, AdminText, FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { useFormState } from "#app/ui/admin/unsaved-changes.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import type { Route } from "./+types/text.ts";

type Loaded = Route.ComponentProps["loaderData"];

/** `hint` follows what a picture must be. */
export function PictureInput({ label, hint = "" }: { label: string; hint?: string }) {
  const { error } = useAdminField("pictures");
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        type="file"
        name="pictures"
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
        aria-invalid={error ? true : undefined}
        className="admin-field py-1.5 file:mr-3 file:rounded-full file:border file:border-line file:bg-paper file:px-3"
      />
      <p id={`${id}-hint`} className="text-ink-soft">
        {`JPEG, PNG, WebP or AVIF, at least ${MIN_PICTURE_WIDTH} pixels wide. ${hint}`}
      </p>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

/** After a refusal, the picture of the version that was open. */
function PictureField({ saved }: { saved: string }) {
  const name = String(useAdminField("picture", saved).value);
  return (
    <>
      <input type="hidden" name="picture" value={name} />
      <div className="grid gap-1">
        {name && <Picture name={name} alt="" sizes="240px" imgClassName="aspect-3/2 w-60 rounded-lg object-cover" />}
        <PictureInput
          label={name ? "Another picture" : "Picture"}
          hint="Shown at 3:2, in the preview once it is saved."
        />
      </div>
    </>
  );
}

const charactersIn = (form: HTMLFormElement): number =>
  (form.elements.namedItem("description") as HTMLInputElement).value.trim().length;

function DescriptionField({ value }: { value: string }) {
  const count = useFormState("text", charactersIn) ?? value.length;
  const needed = count < MIN_DESCRIPTION ? `, ${MIN_DESCRIPTION - count} more` : "";
  return (
    <AdminArea
      name="description"
      label="Description"
      hint={`For search results: ${MIN_DESCRIPTION} to ${MAX_DESCRIPTION} characters${needed}.`}
      rows={3}
      defaultValue={value}
    />
  );
}

/** Three products, chosen by name; one that is no longer sold keeps its URL handle. */
function ProductsBelow({ value, products }: { value: string; products: Loaded["products"] }) {
  const slugs = value.split("\n").filter(Boolean);
  const known = new Set(products.map(({ slug }) => slug));
  const options = [
    ["", "None"] as const,
    ...slugs.filter((slug) => !known.has(slug)).map((slug) => [slug, slug] as const),
    ...products.map(({ slug, name }) => [slug, name] as const),
  ];
  return (
    <fieldset className="grid gap-3 sm:grid-cols-3">
      <legend className="sr-only">Products below</legend>
      {[0, 1, 2].map((index) => (
        <AdminSelect
          key={index}
          name={`related-${index}`}
          label={`Product below ${index + 1}`}
          defaultValue={slugs[index] ?? ""}
          options={options}
        />
      ))}
    </fieldset>
  );
}

type FieldProps = { field: Loaded["fields"][number]; loaded: Loaded };

function Field({ field, loaded: { categories, products, group } }: FieldProps) {
  const { name, label, value, isLong, used } = field;
  if (name === "picture") return <PictureField saved={value} />;
  if (name === "category") {
    return <AdminSelect name={name} label={label} defaultValue={value} options={categories.map((one) => [one, one])} />;
  }
  if (name === "date") {
    return (
      <AdminText
        name={name}
        label="Date shown"
        type="date"
        hint="Leave empty for the day it is published."
        defaultValue={value}
      />
    );
  }
  if (name === "until") {
    return (
      <AdminText
        name={name}
        label="Until"
        type="datetime-local"
        hint="New York time. Empty to show it until you withdraw it."
        defaultValue={value}
        className="max-w-64"
      />
    );
  }
  if (name === "subject") {
    return <AdminText name={name} label="Subject" hint="{subject} is the shop’s own subject." defaultValue={value} />;
  }
  if (name === "related") return <ProductsBelow value={value} products={products} />;
  if (name === "description" && group === "Posts") return <DescriptionField value={value} />;
  const Control = isLong ? AdminArea : AdminText;
  return <Control name={name} label={label} hint={used} defaultValue={value} {...(isLong && { rows: 3 })} />;
}

type PartProps = { name: string; isOpen: boolean; isRefused: boolean; children: ReactNode };

/** The fields of a part of the page, folded below its name; open again after a refusal of one of them. */
function Part({ name, isOpen, isRefused, children }: PartProps) {
  const [opensFirst] = useState(isOpen);
  return (
    <details open={opensFirst || isRefused} className="border-t border-line pt-3">
      <summary className="min-h-9 font-semibold pointer-coarse:min-h-11">{name}</summary>
      <div className="mt-2 grid gap-5 pb-2">{children}</div>
    </details>
  );
}

/** The fields of the whole page, then those of each part. */
export function Fields({ loaded, wrong }: { loaded: Loaded; wrong: string[] }) {
  const { fields } = loaded;
  const parts = new Set(fields.flatMap(({ part }) => part ?? []));
  const fieldsOf = (shown: string | null) =>
    fields
      .filter(({ part }) => part === shown)
      .map((field) => <Field key={field.name} field={field} loaded={loaded} />);
  return (
    <>
      {fieldsOf(null)}
      {[...parts].map((part, index) => (
        <Part
          key={part}
          name={part}
          isOpen={index === 0}
          isRefused={fields.some((field) => field.part === part && wrong.includes(field.name))}
        >
          {fieldsOf(part)}
        </Part>
      ))}
    </>
  );
}
