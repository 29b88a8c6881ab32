import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import type { CartDiscount } from "#shop/discounts/discount.ts";

type DiscountCodeProps = {
  discount: CartDiscount;
  /** Its button, and what else its form needs. */
  children: ReactNode;
} & Pick<ComponentProps<"input">, "onKeyDown">;

/** The field for a discount code, folded until there is one, and why the code does not count. */
export function DiscountCode({ discount: { applied, code, problem }, children, ...input }: DiscountCodeProps) {
  // A field that folded when its code is removed would take the focus along.
  const [isOpen] = useState(code !== null);
  const field = useRef<HTMLInputElement>(null);
  // What was typed outlives the default: a code that was refused or removed would be sent again.
  useEffect(() => {
    if (field.current) field.current.value = code ?? "";
  }, [code]);
  const isCounted = code !== null && applied?.code === code;
  const counted = applied?.freesShipping ? `${code} frees the cheapest shipping.` : `${code} is applied.`;
  return (
    <details open={isOpen}>
      <summary className="text-link inline-flex min-h-11 cursor-pointer items-center text-sm">Discount code</summary>
      <div className="mt-1 flex items-stretch gap-2">
        <input
          ref={field}
          name="code"
          aria-label="Discount code"
          aria-invalid={problem ? true : undefined}
          aria-describedby="discount-code-note"
          defaultValue={code ?? ""}
          maxLength={30}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="block min-h-12 w-full min-w-0 rounded-[10px] border border-[#8a8d8a] bg-card px-4 text-base uppercase outline-offset-1 hover:border-ink aria-invalid:border-error"
          {...input}
        />
        {children}
      </div>
      <p id="discount-code-note" role="status" className="mt-1.5 text-sm">
        {problem && <span className="font-medium text-error">{problem}</span>}
        {isCounted && <span className="text-good">{`${counted} To remove it, clear the field.`}</span>}
      </p>
    </details>
  );
}
