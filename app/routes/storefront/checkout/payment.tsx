import { CreditCard } from "lucide-react";
import { Section, Tick, type Fields } from "./section.tsx";

/** Where the order is paid next, what happens then; the card itself is typed on the provider's page only. */
export function Payment({ fields, hasPayments }: { fields: Fields; hasPayments: boolean }) {
  return (
    <Section title="Payment">
      <p className="flex items-center gap-4 rounded-card bg-leaf-light/60 px-5 py-5">
        <CreditCard size={22} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-leaf" />
        {hasPayments
          ? "Next you go to Stripe's secure page to pay by card, Apple Pay, or Google Pay. You are charged only when your order ships."
          : "Payment will be available later. You will not be charged today."}
      </p>
      <div className="mt-4">
        <Tick field={fields.billingAddressSameAsShipping} label="Billing address same as shipping" className="mb-6" />
        <p className="ml-8 text-sm text-ink-soft peer-checked:hidden">
          We ask for the billing address together with payment.
        </p>
      </div>
    </Section>
  );
}
