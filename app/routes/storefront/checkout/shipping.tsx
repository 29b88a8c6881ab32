import { SHIPPING_METHODS, shippingPrice, type ShippingMethod } from "../../../../shop/shipping/methods.ts";
import { US_STATES } from "../../../../shop/checkout/us-states.ts";
import { formatMoney } from "../../../../shop/money.ts";
import { SelectField, TextField } from "../../../ui/form/field.tsx";
import { control } from "../../../ui/form/control.ts";
import { Section, Tick, type Fields } from "./section.tsx";

type ShippingProps = { fields: Fields; subtotalCents: number; isCustomer: boolean };

export function Shipping({ fields, subtotalCents, isCustomer }: ShippingProps) {
  return (
    <Section title="Shipping">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-6">
        <TextField
          {...control(fields.shippingFirstName)}
          label="First name"
          autoComplete="shipping given-name"
          className="sm:col-span-3"
        />
        <TextField
          {...control(fields.shippingLastName)}
          label="Last name"
          autoComplete="shipping family-name"
          className="sm:col-span-3"
        />
        <TextField
          {...control(fields.shippingAddressLine1)}
          label="Address line 1"
          autoComplete="shipping address-line1"
          className="sm:col-span-6"
        />
        <TextField
          {...control(fields.shippingAddressLine2)}
          label="Address line 2"
          optional
          autoComplete="shipping address-line2"
          className="sm:col-span-6"
        />
        <TextField
          {...control(fields.shippingCity)}
          label="City"
          autoComplete="shipping address-level2"
          className="sm:col-span-6"
        />
        <SelectField
          {...control(fields.shippingState)}
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
          {...control(fields.shippingPostalCode)}
          label="ZIP code"
          autoComplete="shipping postal-code"
          className="sm:col-span-3"
        />
      </div>
      <p className="mt-5 grid gap-1">
        <span className="text-sm font-medium">Country</span>
        <span>United States</span>
      </p>
      <input type="hidden" name={fields.shippingCountry.name} value="US" />
      {isCustomer ? (
        <p className="mt-5 text-sm text-ink-soft">Your account remembers this address for next time.</p>
      ) : (
        <div className="mt-2">
          <Tick field={fields.saveInformation} label="Save this information until I close this browser" />
        </div>
      )}
      <Methods fields={fields} subtotalCents={subtotalCents} />
    </Section>
  );
}

function Methods({ fields, subtotalCents }: { fields: Fields; subtotalCents: number }) {
  const { name, initialValue, errors, errorId } = fields.shippingMethod;
  const error = errors?.[0];
  return (
    <fieldset className="mt-8" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-4 font-semibold">Shipping method</legend>
      <div className="divide-y divide-line overflow-hidden rounded-card border border-[#8a8d8a] bg-card">
        {(Object.keys(SHIPPING_METHODS) as ShippingMethod[]).map((id) => {
          const method = SHIPPING_METHODS[id];
          const cents = shippingPrice(id, subtotalCents);
          return (
            <label
              key={id}
              className="flex min-h-16 items-center gap-4 px-5 py-3 outline-offset-[-3px] outline-leaf has-checked:bg-leaf-light/45 has-focus-visible:outline-2"
            >
              <input
                type="radio"
                name={name}
                value={id}
                defaultChecked={initialValue === id}
                className="size-5 shrink-0 accent-leaf outline-none"
              />
              <span className="grid gap-0.5">
                <span className="font-medium">{method.name}</span>
                <span className="text-sm text-ink-soft">{method.window}</span>
              </span>
              <span className="ml-auto tabular-nums">
                {cents === 0 ? <span className="font-semibold text-good">FREE</span> : formatMoney(cents)}
              </span>
            </label>
          );
        })}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
