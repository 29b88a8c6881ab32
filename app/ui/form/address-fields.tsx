import type { z } from "#shop/zod.ts";
import type { addressSchema } from "#shop/checkout/checkout-form.ts";
import { US_STATES } from "#shop/us-states.ts";
import { type FormField, SelectField, TextField } from "./field.tsx";

type AddressFieldsProps = { fields: Record<keyof z.output<typeof addressSchema>, FormField> };

/** Name and address of a delivery, by the schema of the checkout. */
export function AddressFields({ fields }: AddressFieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-5 sm:grid-cols-6">
      <TextField
        field={fields.shippingFirstName}
        label="First name"
        autoComplete="shipping given-name"
        className="sm:col-span-3"
      />
      <TextField
        field={fields.shippingLastName}
        label="Last name"
        autoComplete="shipping family-name"
        className="sm:col-span-3"
      />
      <TextField
        field={fields.shippingAddressLine1}
        label="Address line 1"
        autoComplete="shipping address-line1"
        className="sm:col-span-6"
      />
      <TextField
        field={fields.shippingAddressLine2}
        label="Address line 2"
        optional
        autoComplete="shipping address-line2"
        className="sm:col-span-6"
      />
      <TextField
        field={fields.shippingCity}
        label="City"
        autoComplete="shipping address-level2"
        className="sm:col-span-6"
      />
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
      <TextField
        field={fields.shippingPostalCode}
        label="ZIP code"
        autoComplete="shipping postal-code"
        className="sm:col-span-3"
      />
    </div>
  );
}
