import { Minus, Plus } from "lucide-react";
import { useState } from "react";

type QuantityProps = {
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max: number;
  disabled?: boolean;
  label?: string;
};

/** How many: typed, or stepped with − and +. As a form control it is called `quantity`. */
export function Quantity({ value, onChange, min = 1, max, disabled = false, label = "Quantity" }: QuantityProps) {
  // What is being typed need not be a number yet.
  const [typed, setTyped] = useState<string | null>(null);

  const step = (by: number) => {
    setTyped(null);
    onChange(Math.min(max, Math.max(min, value + by)));
  };
  const type = (text: string) => {
    setTyped(text);
    const number = Number(text);
    if (text !== "" && Number.isInteger(number) && number >= min && number <= max) onChange(number);
  };

  return (
    <div
      role="group"
      aria-label={label}
      className={`inline-flex h-12 items-center rounded-full border border-[#8a8d8a] bg-card ${disabled ? "opacity-60" : ""}`}
    >
      <button
        type="button"
        aria-label="Decrease quantity"
        disabled={disabled || value <= min}
        onClick={() => step(-1)}
        className="icon-button disabled:text-ink/30 noscript:hidden"
      >
        <Minus size={16} aria-hidden="true" />
      </button>
      <input
        type="number"
        name="quantity"
        aria-label={label}
        inputMode="numeric"
        required
        min={min}
        max={Math.max(min, max)}
        value={typed ?? value}
        disabled={disabled}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(null)}
        className="size-11 [appearance:textfield] rounded-full bg-transparent text-center font-semibold tabular-nums noscript:w-16 [&::-webkit-inner-spin-button]:appearance-none [&::-webkit-outer-spin-button]:appearance-none"
      />
      <button
        type="button"
        aria-label="Increase quantity"
        disabled={disabled || value >= max}
        onClick={() => step(1)}
        className="icon-button disabled:text-ink/30 noscript:hidden"
      >
        <Plus size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
