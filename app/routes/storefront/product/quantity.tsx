import { Minus, Plus } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { useHydrated } from "#app/ui/chrome/page-state.ts";

type QuantityProps = {
  value: number;
  onChange: (value: number) => void;
  disabled: boolean;
};

/** Quantity field with − and + buttons; the form control is named `quantity`. The cart has a limit and says so. */
export function Quantity({ value, onChange, disabled }: QuantityProps) {
  // Input being typed may not be a number yet.
  const [typed, setTyped] = useState<string | null>(null);

  const change = (number: number) => onChange(Math.max(1, number));
  const step = (by: number) => {
    setTyped(null);
    change(value + by);
  };
  const type = (text: string) => {
    setTyped(text);
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1) change(number);
  };

  const field = useRef<HTMLInputElement>(null);
  // A number typed before hydration counts.
  useLayoutEffect(() => {
    if (field.current && field.current.value !== String(value)) type(field.current.value);
    // oxlint-disable-next-line react/exhaustive-deps -- once, at hydration
  }, []);
  // The buttons need hydration.
  const stepButton = `icon-button disabled:text-ink/30 noscript:hidden ${useHydrated() ? "" : "invisible"}`;

  return (
    <div
      role="group"
      aria-label="Quantity"
      className={`inline-flex h-12 items-center rounded-full border border-[#8a8d8a] bg-card ${disabled ? "opacity-60" : ""}`}
    >
      <button
        type="button"
        aria-label="Decrease quantity"
        disabled={disabled || value <= 1}
        onClick={() => step(-1)}
        className={stepButton}
      >
        <Minus size={16} aria-hidden="true" />
      </button>
      <input
        ref={field}
        type="number"
        autoComplete="off"
        name="quantity"
        aria-label="Quantity"
        inputMode="numeric"
        required
        min={1}
        value={typed ?? value}
        disabled={disabled}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
        className="size-11 [appearance:textfield] rounded-full bg-transparent text-center font-semibold tabular-nums noscript:w-16 [&::-webkit-inner-spin-button]:appearance-none [&::-webkit-outer-spin-button]:appearance-none"
      />
      <button
        type="button"
        aria-label="Increase quantity"
        disabled={disabled}
        onClick={() => step(1)}
        className={stepButton}
      >
        <Plus size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
