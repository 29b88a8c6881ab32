import { useState } from "react";
import { useFormMetadata } from "@conform-to/react";
import { MAX_LINE_QUANTITY } from "#shop/catalog/stock.ts";
import { FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { lineFields, LINES, MAX_LINES } from "./fields.ts";

const SHOWN = 3;

type LinesProps = {
  /** Each with its price and what is left, which the browser shows with its name. */
  products: { name: string; words: string }[];
  mayDiscount: boolean;
};

/** Products by name, of which the browser lists those that match. An answer always has an empty line more. */
export function Lines({ products, mayDiscount }: LinesProps) {
  const [added, setAdded] = useState(0);
  const typed = useFormMetadata().initialValue ?? {};
  const filled = LINES.findLast((place) => Boolean((typed as Record<string, unknown>)[lineFields(place).product]));
  const shown = Math.min(Math.max(SHOWN, (filled ?? -1) + 2) + added, MAX_LINES);
  return (
    <div className="grid max-w-3xl gap-2">
      <div aria-hidden="true" className={`grid gap-2 text-ink-soft ${columnsOf(mayDiscount)}`}>
        <span>Product</span>
        <span>Quantity</span>
        {mayDiscount && <span>Own price</span>}
      </div>
      {LINES.slice(0, shown).map((place) => (
        <Line key={place} place={place} mayDiscount={mayDiscount} />
      ))}
      <datalist id="products">
        {products.map(({ name, words }) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </datalist>
      {shown < MAX_LINES && (
        <button
          type="button"
          className="btn justify-self-start noscript:hidden"
          onClick={() => setAdded((count) => count + 1)}
        >
          Add a line
        </button>
      )}
    </div>
  );
}

const columnsOf = (mayDiscount: boolean) => (mayDiscount ? "grid-cols-[1fr_4.5rem_7rem]" : "grid-cols-[1fr_4.5rem]");

function Line({ place, mayDiscount }: Pick<LinesProps, "mayDiscount"> & { place: number }) {
  const names = lineFields(place);
  const nth = place + 1;
  return (
    <div className={`grid items-start gap-2 ${columnsOf(mayDiscount)}`}>
      <LineInput name={names.product} label={`Product ${nth}`} list="products" />
      <LineInput
        name={names.quantity}
        label={`Quantity ${nth}`}
        type="number"
        min={1}
        max={MAX_LINE_QUANTITY}
        initial="1"
      />
      {mayDiscount && <LineInput name={names.price} label={`Own price ${nth}`} inputMode="decimal" />}
    </div>
  );
}

type LineInputProps = React.ComponentProps<"input"> & { name: string; label: string; initial?: string };

function LineInput({ name, label, initial = "", ...input }: LineInputProps) {
  const { error, typed = "", wasSubmitted } = useAdminField(name);
  const id = `${name}-error`;
  return (
    <div className="grid gap-1">
      <input
        {...input}
        name={name}
        aria-label={label}
        defaultValue={wasSubmitted ? typed : initial}
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        className="admin-field"
      />
      <FieldError id={id}>{error}</FieldError>
    </div>
  );
}
