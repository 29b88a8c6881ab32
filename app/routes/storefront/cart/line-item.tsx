import { Minus, Plus } from "lucide-react";
import { Link } from "react-router";
import { PlainForm, Submit, useIsPending } from "#app/ui/form/plain-form.tsx";
import { CART_MESSAGES } from "#app/ui/order/cart-messages.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { ColorName } from "#app/ui/product/swatch.tsx";
import { type CartLine, lineProblem } from "#shop/cart/cart.ts";
import { MAX_LINE_QUANTITY } from "#shop/catalog/stock.ts";
import { formatMoney } from "#shop/money.ts";

const UPDATE_FAILED = { title: "Error", message: CART_MESSAGES.update };
const REMOVE_FAILED = { title: "Error", message: CART_MESSAGES.remove };

/** Optimistic quantity; amounts wait for the server. */
export function LineItem({ line, priority }: { line: CartLine; priority: boolean }) {
  const quantityForm = `quantity-${line.id}`;
  const removeForm = `remove-${line.id}`;
  const removing = useIsPending(removeForm);
  const settling = useIsPending(quantityForm) || removing;
  const problem = lineProblem(line);
  const isAtLimit = !problem && line.quantity >= line.maxQuantity;
  const limit = line.maxQuantity < MAX_LINE_QUANTITY ? `Only ${line.maxQuantity} left` : `Limit ${MAX_LINE_QUANTITY}`;
  const problemId = `problem-${line.id}`;

  return (
    <li
      className={`grid grid-cols-[88px_1fr] gap-x-4 gap-y-4 py-6 transition-opacity duration-200 sm:grid-cols-[136px_1fr] sm:gap-x-7 sm:py-8 ${removing ? "opacity-45" : ""}`}
    >
      <Link to={`/product/${line.slug}`} tabIndex={-1} aria-hidden="true" className="block">
        <Picture
          name={line.thumbnail ?? ""}
          alt=""
          sizes="(min-width: 640px) 136px, 88px"
          priority={priority}
          imgClassName="aspect-square w-full rounded-card object-cover"
        />
      </Link>
      <div className="grid content-between gap-4">
        <div className="flex items-start justify-between gap-4">
          <div className="grid justify-items-start gap-1.5">
            <h2 className="text-lg leading-snug font-semibold">
              <Link
                to={`/product/${line.slug}`}
                className="-my-[11px] inline-block py-[11px] underline-offset-4 hover:underline"
              >
                {line.name}
              </Link>
            </h2>
            {line.colorVariant && <ColorName color={line.colorVariant} hex={line.colorHex} />}
            <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft tabular-nums">
              <span>
                <span className="sr-only">Unit price </span>
                <span>{`${formatMoney(line.unitPriceCents)}${line.quantity > 1 ? " each" : ""}`}</span>
              </span>
              {isAtLimit && <span>{limit}</span>}
              {line.warrantyYears !== null && <span>{`${line.warrantyYears}-Year Warranty`}</span>}
            </p>
            {line.preOrder && <p className="text-sm font-medium">{line.preOrder}</p>}
          </div>
          <p
            aria-busy={settling}
            className={`text-lg font-semibold tabular-nums transition-opacity duration-200 ${settling ? "opacity-45" : ""}`}
          >
            <span className="sr-only">Line total </span>
            <span>{formatMoney(line.unitPriceCents * line.quantity)}</span>
          </p>
        </div>
        {problem && (
          <p id={problemId} className="rounded-[10px] bg-saving-soft px-4 py-2.5 text-sm font-medium text-saving">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <PlainForm id={quantityForm} action="/cart/update" failure={UPDATE_FAILED} sendsLast>
            {({ sent }) => (
              <>
                <input type="hidden" name="itemId" value={line.id} />
                <Stepper
                  name={line.name}
                  quantity={Number(sent?.get("quantity") ?? line.quantity)}
                  max={line.maxQuantity}
                  describedBy={problem ? problemId : undefined}
                />
              </>
            )}
          </PlainForm>
          <PlainForm id={removeForm} action="/cart/remove" failure={REMOVE_FAILED}>
            <input type="hidden" name="itemId" value={line.id} />
            <Submit
              busy="Removing..."
              aria-label={`Remove ${line.name}`}
              className="min-h-11 px-3 text-sm font-medium text-ink-soft underline decoration-1 underline-offset-4 hover:text-ink"
            >
              Remove
            </Submit>
          </PlainForm>
        </div>
      </div>
    </li>
  );
}

type StepperProps = { name: string; quantity: number; max: number; describedBy?: string };

/** Submit buttons that carry the next quantity, so that they work without JavaScript. */
function Stepper({ name, quantity, max, describedBy }: StepperProps) {
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
