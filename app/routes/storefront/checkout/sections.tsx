import type { FieldMetadata } from "@conform-to/react";
import { CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { NewTab } from "#app/ui/chrome/checkout-chrome.tsx";
import { AddressFields } from "#app/ui/form/address-fields.tsx";
import { TextArea, TextField } from "#app/ui/form/field.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { type CheckoutForm, GIFT_MESSAGE_MAX } from "#shop/checkout/checkout-form.ts";
import { formatMoney, formatMoneyShort } from "#shop/money.ts";
import type { ShippingSettings } from "#shop/settings/settings.ts";
import { freeMethods, offeredMethods, type ShippingMethod, transitWords } from "#shop/shipping/methods.ts";
import { Option, OPTIONS } from "./option.tsx";

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

/** A checkbox with its label; as a `peer` it toggles later elements without JavaScript. */
function Tick({ field, label, className = "" }: TickProps) {
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

export function Contact({ fields }: { fields: Fields }) {
  return (
    <Section title="Contact">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
        <TextField field={fields.phone} label="Phone" type="tel" autoComplete="tel" />
      </div>
      <p className="mt-4 text-sm text-ink-soft">
        We’ll send your confirmation here, and call only if there’s a problem with delivery.
      </p>
    </Section>
  );
}

type PaymentMode = {
  /** The discount pays for everything. */
  isFree: boolean;
  hasPayments: boolean;
  /** Consent to save the card now and charge it later; null if the order is paid at once. */
  laterCharge: string | null;
};

type PaymentProps = { fields: Fields; payBy: string; offersPayPal: boolean } & PaymentMode;

function nextStep({ isFree, hasPayments, payBy, offersPayPal, laterCharge }: Omit<PaymentProps, "fields">): string {
  if (isFree) return "There’s nothing to pay.";
  if (laterCharge) {
    const notice = offersPayPal ? " PayPal can’t be used here, because it can’t be charged later." : "";
    return `Next, you’ll save your card securely with Stripe. ${laterCharge}${notice}`;
  }
  if (!hasPayments) return "Payment will be available later. You won’t be charged today.";
  const next = offersPayPal ? "on that page" : `with Stripe: by ${payBy}`;
  return `Next, you’ll pay securely ${next}. You won’t be charged until your order ships.`;
}

/** Explains the payment that follows; cards are typed on the provider's page only. */
export function Payment({ fields, ...page }: PaymentProps) {
  return (
    <Section title="Payment">
      {page.offersPayPal && !page.laterCharge && !page.isFree && (
        <PayWith field={fields.paymentProvider} payBy={page.payBy} />
      )}
      <p className="flex items-center gap-4 rounded-card bg-leaf-light/60 px-5 py-5">
        <CreditCard size={22} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-leaf" />
        <span>{nextStep(page)}</span>
      </p>
      <div className="mt-4">
        <Tick field={fields.billingAddressSameAsShipping} label="Billing address same as shipping" className="mb-6" />
        <p className="ml-8 text-sm text-ink-soft peer-checked:hidden">
          We’ll ask for the billing address when you pay.
        </p>
      </div>
    </Section>
  );
}

function PayWith({ field, payBy }: { field: Fields["paymentProvider"]; payBy: string }) {
  const { name, initialValue } = field;
  const ways = [
    { value: "stripe", label: "Card and more", page: `By ${payBy}, on Stripe’s page` },
    { value: "paypal", label: "PayPal", page: "On PayPal’s page" },
  ];
  return (
    <fieldset className="mb-4">
      <legend className="mb-4 font-semibold">Pay with</legend>
      <div className={OPTIONS}>
        {ways.map(({ value, label, page }) => (
          <Option key={value} name={name} value={value} isChecked={initialValue === value}>
            <span className="grid gap-0.5">
              <span className="font-medium">{label}</span>
              <span className="text-sm text-ink-soft">{page}</span>
            </span>
          </Option>
        ))}
      </div>
    </fieldset>
  );
}

type ReviewProps = {
  values: Partial<Record<keyof CheckoutForm, unknown>>;
  methodWords: string;
  totalCents: number | null;
  /** Tax is added to the total, but is not known yet. */
  isTaxMissing: boolean;
} & PaymentMode;

export function Review({
  values: typed,
  methodWords,
  totalCents,
  isTaxMissing,
  isFree,
  hasPayments,
  laterCharge: charge,
}: ReviewProps) {
  const laterCharge = isFree ? null : charge;
  const values = typed as Partial<Record<keyof CheckoutForm, string>>;
  const join = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" ");
  const name = join(values.shippingFirstName, values.shippingLastName);
  const street = join(values.shippingAddressLine1, values.shippingAddressLine2);
  const place = join(values.shippingCity && `${values.shippingCity},`, values.shippingState, values.shippingPostalCode);
  const amount = totalCents === null || isTaxMissing ? "" : `, ${formatMoney(totalCents)}`;

  return (
    <Section title="Review">
      {/* Shown by CSS once a required field is filled in, and with rows of a fixed height: the button must not move away
          from a press, neither at hydration nor while the form fills. */}
      <dl className="mb-8 hidden gap-4 [form:has(input[required]:valid)_&]:grid">
        <Row label="Contact" lines={[values.email, values.phone]} className="min-h-[3lh] sm:min-h-[2lh]" />
        <Row label="Deliver to" lines={[name, street, place]} className="min-h-[4lh] sm:min-h-[3lh]" />
        <Row label="Method" lines={[methodWords]} />
        {totalCents !== null && (
          <Row label="Total">
            <strong className="text-lg font-semibold tabular-nums">{formatMoney(totalCents)}</strong>
            {isTaxMissing && <span> plus sales tax</span>}
          </Row>
        )}
      </dl>
      <p className="mb-5 text-sm text-ink-soft">
        By placing your order, you{" "}
        {laterCharge && <span>authorize us to save your card and charge it as each package ships, and you </span>}
        agree to the <NewTab to="/terms" label="Terms of Service" className="text-link" /> and{" "}
        <NewTab to="/privacy" label="Privacy Policy" className="text-link" />.
      </p>
      <Submit
        busy={<span aria-live="polite">Processing...</span>}
        className="button button-primary min-h-14 w-full text-lg aria-disabled:cursor-progress aria-disabled:opacity-80"
      >
        <span aria-live="polite" className="tabular-nums">
          {laterCharge
            ? "Continue to Save Your Card"
            : hasPayments && !isFree
              ? `Continue to Payment${amount}`
              : "Place Order"}
        </span>
      </Submit>
    </Section>
  );
}

type RowProps = { label: string; lines?: (string | undefined)[]; className?: string; children?: ReactNode };

function Row({ label, lines = [], className = "", children }: RowProps) {
  const text = lines.filter(Boolean).join("\n") || "Not filled in yet";
  return (
    <div className="grid grid-cols-[104px_1fr] gap-4">
      <dt className="text-ink-soft">{label}</dt>
      <dd className={`min-w-0 whitespace-pre-line ${className}`}>{children ?? text}</dd>
    </div>
  );
}

type ShippingProps = MethodsProps & { isCustomer: boolean };

export function Shipping({ isCustomer, ...methods }: ShippingProps) {
  const { fields } = methods;
  return (
    <Section title="Shipping">
      <AddressFields fields={fields} />
      <p className="mt-5 grid gap-1">
        <span className="text-sm font-medium">Country</span>
        <span>United States</span>
      </p>
      <input type="hidden" name={fields.shippingCountry.name} value="US" />
      {isCustomer ? (
        <p className="mt-5 text-sm text-ink-soft">We’ll remember this address for next time.</p>
      ) : (
        <div className="mt-2">
          <Tick field={fields.saveInformation} label="Remember this until I close my browser" />
        </div>
      )}
      <Methods {...methods} />
      <Gift field={fields.giftMessage} />
    </Section>
  );
}

function Gift({ field }: { field: Fields["giftMessage"] }) {
  return (
    <details className="mt-6" open={Boolean(field.initialValue ?? field.errors)}>
      <summary className="text-link inline-flex min-h-11 cursor-pointer items-center">Add a gift message</summary>
      <TextArea
        field={field}
        label="Gift message"
        optional
        hint="We’ll print it on the packing slip, which shows no prices."
        maxLength={GIFT_MESSAGE_MAX}
        rows={3}
        className="mt-3"
      />
    </details>
  );
}

type MethodsProps = {
  fields: Fields;
  shipping: ShippingSettings;
  /** What each method costs this cart. */
  priceOf: (method: ShippingMethod) => number;
  /** Null if nothing ships before a payment that is not made here. */
  arrivals: Record<ShippingMethod, string> | null;
};

function Methods({ fields, shipping, priceOf, arrivals }: MethodsProps) {
  const { name, initialValue, errors, errorId } = fields.shippingMethod;
  const error = errors?.[0];
  const freeFrom = formatMoneyShort(shipping.freeFromCents);
  const names = freeMethods(shipping);
  return (
    <fieldset className="mt-8" aria-describedby={error ? errorId : undefined}>
      <legend className="font-semibold">Shipping method</legend>
      <p className="mt-1 mb-4 text-sm text-ink-soft">
        {`Free on orders ${freeFrom}+${names ? ` with ${names}.` : ", at any speed."}`}
      </p>
      <div className={OPTIONS}>
        {offeredMethods(shipping).map((id) => {
          const cents = priceOf(id);
          return (
            <Option key={id} name={name} value={id} isChecked={initialValue === id}>
              <span className="grid gap-0.5">
                <span className="font-medium">{shipping[id].name}</span>
                <span className="grid gap-x-2.5 text-sm text-ink-soft sm:flex">
                  <span>{transitWords(shipping, id)}</span>{" "}
                  {arrivals && <span className="font-medium text-ink">{`Arrives ${arrivals[id]}`}</span>}
                </span>
              </span>
              <span className="ml-auto text-right tabular-nums">
                {cents === 0 ? (
                  <>
                    <s aria-hidden="true" className="mr-2 text-sm text-ink-soft">
                      {formatMoney(shipping[id].priceCents)}
                    </s>
                    <span className="font-semibold text-good">FREE</span>
                  </>
                ) : (
                  formatMoney(cents)
                )}
              </span>
            </Option>
          );
        })}
      </div>
      <p className="mt-3 text-sm text-ink-soft">
        {arrivals
          ? "Delivery dates are estimates based on when your order can ship."
          : "Your order ships once it’s paid. We’ll email you about the payment."}
      </p>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
