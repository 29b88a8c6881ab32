/** How a product leaves the shop: for good where nobody ordered it, else it retires. */
import { useId } from "react";
import { ActForm, useActResult } from "../../../../ui/admin/act-form.tsx";

type RetireProps = { path: string; product: { isOrdered: boolean; isRetired: boolean } };

function Sure() {
  const id = useId();
  const error = useActResult()?.errors?.sure;
  return (
    <div>
      <label htmlFor={id} className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11">
        <input
          id={id}
          type="checkbox"
          name="sure"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="size-4.5 accent-leaf"
        />
        Delete it for good, with its stock, and out of carts and wishlists
      </label>
      {error && (
        <p id={`${id}-error`} className="font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}

export function Retire({ path, product: { isOrdered, isRetired } }: RetireProps) {
  return (
    <section aria-labelledby="retire" className="grid gap-3">
      <h2 id="retire">Out of the shop</h2>
      {isRetired ? (
        <ActForm act="unretire" path={path} className="grid justify-items-start gap-2">
          <p className="text-ink-soft">Its page says that it is no longer sold. No list shows it, nobody can buy it.</p>
          <button type="submit" className="act">
            List it again
          </button>
        </ActForm>
      ) : (
        <ActForm act="retire" path={path} className="grid justify-items-start gap-2">
          <p className="text-ink-soft">
            A retired product leaves all lists and cannot be bought. Its page stays, for those who have one.
          </p>
          <button type="submit" className="act">
            Retire
          </button>
        </ActForm>
      )}
      {isOrdered ? (
        <p className="text-ink-soft">It was ordered, so it cannot be deleted.</p>
      ) : (
        <ActForm act="delete" path={path} className="grid justify-items-start gap-2">
          <Sure />
          <button type="submit" className="act act-danger">
            Delete
          </button>
        </ActForm>
      )}
    </section>
  );
}
