import { Minus, Plus } from "lucide-react";

type StepperProps = { name: string; quantity: number; max: number; describedBy?: string };

/** Two submit buttons that carry the next quantity, so that it works before and without JavaScript. */
export function Stepper({ name, quantity, max, describedBy }: StepperProps) {
  return (
    <div
      role="group"
      aria-label={`Quantity of ${name}`}
      aria-describedby={describedBy}
      className="inline-flex items-center rounded-full border border-[#8a8d8a] bg-card"
    >
      <button
        name="quantity"
        value={Math.max(1, Math.min(quantity - 1, max))}
        disabled={quantity <= 1 || max === 0}
        aria-label="Decrease quantity"
        className="icon-button disabled:text-ink/30"
      >
        <Minus size={16} aria-hidden="true" />
      </button>
      <output aria-label="Quantity" className="w-7 text-center font-semibold tabular-nums">
        {quantity}
      </output>
      <button
        name="quantity"
        value={quantity + 1}
        disabled={quantity >= max}
        aria-label="Increase quantity"
        className="icon-button disabled:text-ink/30"
      >
        <Plus size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
