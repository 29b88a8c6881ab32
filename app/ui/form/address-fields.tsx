import type { z } from "#shop/zod.ts";
import type { addressSchema } from "#shop/checkout/checkout-form.ts";
import { US_STATES } from "#shop/us-states.ts";
import { type FormField, SelectField, TextField } from "./field.tsx";

type AddressFieldsProps = { fields: Record<keyof z.output<typeof addressSchema>, FormField> };

const FIELDS = {
  shippingFirstName: { label: "First name", autoComplete: "given-name", className: "sm:col-span-3" },
  shippingLastName: { label: "Last name", autoComplete: "family-name", className: "sm:col-span-3" },
  shippingAddressLine1: { label: "Address line 1", autoComplete: "address-line1", className: "sm:col-span-6" },
  shippingAddressLine2: { label: "Address line 2", autoComplete: "address-line2", className: "sm:col-span-6" },
  shippingCity: { label: "City", autoComplete: "address-level2", className: "sm:col-span-6" },
  shippingPostalCode: { label: "ZIP code", autoComplete: "postal-code", className: "sm:col-span-3" },
};

/** Name and address of a delivery, by the schema of the checkout. */
export function AddressFields({ fields }: AddressFieldsProps) {
  const text = (name: keyof typeof FIELDS, optional = false) => {
    const { label, autoComplete, className } = FIELDS[name];
    return (
      <TextField field={fields[name]} autoComplete={`shipping ${autoComplete}`} {...{ label, optional, className }} />
    );
  };
  return (
    <div className="grid gap-x-4 gap-y-5 sm:grid-cols-6">
      {text("shippingFirstName")}
      {text("shippingLastName")}
      {text("shippingAddressLine1")}
      {text("shippingAddressLine2", true)}
      {text("shippingCity")}
      <SelectField
        field={fields.shippingState}
        label="State"
        placeholder="Select a state"
        autoComplete="shipping address-level1"
        className="sm:col-span-3"
      >
        {Object.entries(US_STATES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      {text("shippingPostalCode")}
    </div>
  );
}
