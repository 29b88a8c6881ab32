import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import type { CheckoutForm } from "../../../../shop/checkout/checkout-form.ts";

export type Fields = { [Name in keyof CheckoutForm]-?: FieldMetadata<CheckoutForm[Name]> };

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = `section-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id} className="border-t border-line py-9 first-of-type:border-t-0 first-of-type:pt-2">
      <h2 id={id} className="mb-6 text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

type TickProps = { field: Pick<FieldMetadata, "id" | "name" | "initialValue">; label: string; className?: string };

/** A checkbox with its label; `peer` lets what follows depend on it without JavaScript. */
export function Tick({ field, label, className = "" }: TickProps) {
  return (
    <>
      <input
        type="checkbox"
        id={field.id}
        name={field.name}
        defaultChecked={field.initialValue === "on"}
        className={`peer float-left mt-3 mr-3 size-5 accent-leaf ${className}`}
      />
      <label htmlFor={field.id} className="flex min-h-11 items-center">
        {label}
      </label>
    </>
  );
}
