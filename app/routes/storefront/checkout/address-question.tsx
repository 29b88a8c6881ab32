/** "Did you mean …" with two choices. */
import { Alert } from "#app/ui/feedback/alert.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import type { Address } from "#shop/carriers/carrier-provider.ts";
import type { AddressQuestion as Question } from "./action-result.ts";

/** Fields of the form, by the carriers' names. */
const FIELDS = {
  line1: "shippingAddressLine1",
  line2: "shippingAddressLine2",
  city: "shippingCity",
  state: "shippingState",
  postalCode: "shippingPostalCode",
} as const;
const PARTS = Object.keys(FIELDS) as (keyof Address)[];
export const ADDRESS_FIELDS = Object.values(FIELDS);

export const fieldsOf = (address: Address) =>
  Object.fromEntries(PARTS.map((part) => [FIELDS[part], address[part]])) as Question["suggested"];

export const addressIn = (form: URLSearchParams) =>
  Object.fromEntries(PARTS.map((part) => [part, form.get(FIELDS[part])?.trim() ?? ""])) as Address;

/** Fills in the fields before the form is sent. Without a script the server does it. */
function fill(form: HTMLFormElement | null, suggested: Question["suggested"]): void {
  for (const name of ADDRESS_FIELDS) {
    const field = form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    field.value = suggested[name];
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

export function AddressQuestion({ suggested, answer }: { suggested: Question["suggested"]; answer: unknown }) {
  const street = [suggested.shippingAddressLine1, suggested.shippingAddressLine2].filter(Boolean).join(", ");
  return (
    <Alert tone="error" focusFor={answer} className="grid scroll-mt-28 gap-4 border-line p-5 sm:p-6">
      <p className="text-lg font-semibold">Did you mean this address?</p>
      <address className="not-italic [overflow-wrap:anywhere]">
        <span className="block">{street}</span>
        <span className="block">
          {`${suggested.shippingCity}, ${suggested.shippingState} ${suggested.shippingPostalCode}`}
        </span>
      </address>
      <div className="flex flex-wrap gap-3">
        <Submit
          name="address"
          value={new URLSearchParams(suggested).toString()}
          onClick={(event) => fill(event.currentTarget.form, suggested)}
        >
          Use this address
        </Submit>
        <Submit className="button button-quiet">Keep what I typed</Submit>
      </div>
    </Alert>
  );
}
