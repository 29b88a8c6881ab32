import { Check } from "lucide-react";

const STEPS = ["Contact", "Shipping", "Payment", "Review"];

/** Where the shopper is: the first section that is not complete. */
export function Progress({ step }: { step: number }) {
  return (
    <ol aria-label="Checkout progress" className="grid grid-cols-4 gap-2 sm:gap-3">
      {STEPS.map((name, index) => {
        const done = index < step;
        const current = index === step;
        return (
          <li
            key={name}
            aria-current={current ? "step" : undefined}
            className={`flex items-center gap-1.5 border-t-2 pt-3 text-sm transition-colors duration-200 sm:text-base ${
              done || current ? "border-leaf" : "border-line"
            } ${current ? "font-semibold text-ink" : "text-ink-soft"}`}
          >
            {name}
            {done && (
              <>
                <Check size={15} strokeWidth={2.25} aria-hidden="true" className="text-leaf" />
                <span className="sr-only">complete</span>
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}
