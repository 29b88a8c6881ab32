import type { ReactNode } from "react";
import { SHIPPING_METHODS, type ShippingMethod } from "../../../../shop/shipping/methods.ts";
import type { CheckoutForm } from "../../../../shop/checkout/checkout-form.ts";
import { formatMoney } from "../../../../shop/money.ts";
import { Section } from "./section.tsx";

type ReviewProps = {
  values: Partial<Record<keyof CheckoutForm, string>>;
  method: ShippingMethod;
  totalCents: number | null;
  isProcessing: boolean;
};

/** The last look: who, where, how, how much; and the button. */
export function Review({ values, method, totalCents, isProcessing }: ReviewProps) {
  const join = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" ");
  const name = join(values.shippingFirstName, values.shippingLastName);
  const street = join(values.shippingAddressLine1, values.shippingAddressLine2);
  const place = join(values.shippingCity && `${values.shippingCity},`, values.shippingState, values.shippingPostalCode);
  const { name: methodName, window } = SHIPPING_METHODS[method];

  return (
    <Section title="Review">
      <dl className="grid gap-4">
        <Row label="Contact" lines={[values.email, values.phone]} />
        <Row label="Deliver to" lines={[name, street, place]} />
        <Row label="Method" lines={[`${methodName}, ${window}`]} />
        {totalCents !== null && (
          <Row label="Total">
            <strong className="text-lg font-semibold tabular-nums">{formatMoney(totalCents)}</strong>
          </Row>
        )}
      </dl>
      <button
        type="submit"
        aria-disabled={isProcessing || undefined}
        onClick={(event) => {
          if (isProcessing) event.preventDefault();
        }}
        className="button button-primary mt-8 min-h-14 w-full text-lg aria-disabled:cursor-progress aria-disabled:opacity-80"
      >
        <span aria-live="polite">{isProcessing ? "Processing..." : "Place Order"}</span>
      </button>
    </Section>
  );
}

function Row({ label, lines = [], children }: { label: string; lines?: (string | undefined)[]; children?: ReactNode }) {
  const text = lines.filter(Boolean).join("\n") || "Not filled in yet";
  return (
    <div className="grid grid-cols-[104px_1fr] gap-4">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="min-w-0 whitespace-pre-line">{children ?? text}</dd>
    </div>
  );
}
