import { CreditCard } from "lucide-react";
import { Section, Tick, type Fields } from "./section.tsx";

export function Payment({ fields }: { fields: Fields }) {
  return (
    <Section title="Payment">
      <p className="flex items-center gap-4 rounded-card bg-leaf-light/60 px-5 py-5">
        <CreditCard size={22} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-leaf" />
        Payment will be available later. You will not be charged today.
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
