import type { SubmitEvent } from "react";
import { Link, useFetcher } from "react-router";
import { lineProblem, type CartLine } from "../../../../shop/cart/cart.ts";
import { MAX_LINE_QUANTITY } from "../../../../shop/catalog/stock.ts";
import { formatMoney } from "../../../../shop/money.ts";
import { submitAfterPaint } from "../../../ui/form/submit-after-paint.ts";
import { ColorName } from "../../../ui/product/color-name.tsx";
import { Picture } from "../../../ui/product/picture.tsx";
import { Stepper } from "./stepper.tsx";
import { useQuantity } from "./use-quantity.ts";

/** One product in the cart. Its quantity shows at once; its money waits for the server. */
export function LineItem({ line, priority }: { line: CartLine; priority: boolean }) {
  const { fetcher: update, change, quantity } = useQuantity(line);
  const removal = useFetcher({ key: `cart-remove-${line.id}` });
  const removing = removal.state !== "idle";
  const settling = removing || update.state !== "idle";
  const problem = lineProblem(line);
  const isAtLimit = !problem && quantity >= line.maxQuantity;
  const limit = line.maxQuantity < MAX_LINE_QUANTITY ? `Only ${line.maxQuantity} left` : `Limit ${MAX_LINE_QUANTITY}`;
  const problemId = `problem-${line.id}`;

  function step(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void change(Number(new FormData(event.currentTarget, event.nativeEvent.submitter).get("quantity")));
  }

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
                {formatMoney(line.unitPriceCents)}
                {line.quantity > 1 && " each"}
              </span>
              {isAtLimit && <span>{limit}</span>}
              {line.warrantyYears !== null && <span>{line.warrantyYears}-Year Warranty</span>}
            </p>
            {line.preOrder && <p className="text-sm font-medium">{line.preOrder}</p>}
          </div>
          <p
            aria-busy={settling}
            className={`text-lg font-semibold tabular-nums transition-opacity duration-200 ${settling ? "opacity-45" : ""}`}
          >
            <span className="sr-only">Line total </span>
            {formatMoney(line.unitPriceCents * line.quantity)}
          </p>
        </div>
        {problem && (
          <p id={problemId} className="rounded-[10px] bg-saving-soft px-4 py-2.5 text-sm font-medium text-saving">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <update.Form method="post" action="/cart/update" onSubmit={step}>
            <input type="hidden" name="itemId" value={line.id} />
            <Stepper
              name={line.name}
              quantity={quantity}
              max={line.maxQuantity}
              describedBy={problem ? problemId : undefined}
            />
          </update.Form>
          <removal.Form method="post" action="/cart/remove" preventScrollReset onSubmitCapture={submitAfterPaint}>
            <input type="hidden" name="itemId" value={line.id} />
            <button
              disabled={removing}
              aria-label={`Remove ${line.name}`}
              className="-mr-2 min-h-11 px-2 text-sm font-medium text-ink-soft underline decoration-1 underline-offset-4 hover:text-ink"
            >
              {removing ? "Removing..." : "Remove"}
            </button>
          </removal.Form>
        </div>
      </div>
    </li>
  );
}
