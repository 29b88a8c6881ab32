/** "Did you mean …" with two choices. */
import { Alert } from "#app/ui/feedback/alert.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import type { Address } from "#shop/carriers/carrier-provider.ts";
import type { AddressQuestion as Question } from "./action-result.ts";

export const ADDRESS_FIELDS = [
  "shippingAddressLine1",
  "shippingAddressLine2",
  "shippingCity",
  "shippingState",
  "shippingPostalCode",
] as const;

export const fieldsOf = ({ line1, line2, city, state, postalCode }: Address): Question["suggested"] => ({
  shippingAddressLine1: line1,
  shippingAddressLine2: line2,
  shippingCity: city,
  shippingState: state,
  shippingPostalCode: postalCode,
});

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
          {suggested.shippingCity}, {suggested.shippingState} {suggested.shippingPostalCode}
        </span>
      </address>
      <div className="flex flex-wrap gap-3">
        {/* First, because Enter in a field presses it, and must not overwrite what was just typed. */}
        <Submit className="button button-quiet order-last">Keep what I typed</Submit>
        <Submit
          name="address"
          value={new URLSearchParams(suggested).toString()}
          onClick={(event) => fill(event.currentTarget.form, suggested)}
        >
          Use this address
        </Submit>
      </div>
    </Alert>
  );
}
