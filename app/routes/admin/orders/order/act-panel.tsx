/** One act on an order: open where it is the next one, else behind its name; where it is off, why stands beside it. */
import type { ReactNode } from "react";
import { ActForm } from "../../../../ui/admin/act-form.tsx";

type ActPanelProps = {
  act: string;
  orderId: string;
  /** The newest event that the page knows of. */
  seen: number;
  /** What the button says. */
  label: string;
  /** Why it is off. Undefined: the role may not do it, and nothing of it is shown. */
  why: string | null | undefined;
  isNext?: boolean;
  isDanger?: boolean;
  /** Its fields are always shown. */
  isOpen?: boolean;
  /** Fields before the button. Without any, the button stands alone. */
  children?: ReactNode;
};

export function ActPanel({
  act,
  orderId,
  seen,
  label,
  why,
  isNext = false,
  isDanger = false,
  isOpen = false,
  children,
}: ActPanelProps) {
  if (why === undefined) return null;
  return (
    <ActForm act={act} path={`/admin/orders/${orderId}`} clears={isOpen} className="grid justify-items-start gap-2">
      {({ isPending, result }) => {
        if (why !== null) return <OffButton label={label} why={why} />;
        const button = (
          <button
            type="submit"
            disabled={isPending}
            className={`act ${isNext ? "act-next" : ""} ${isDanger ? "act-danger" : ""}`}
          >
            {label}
          </button>
        );
        const fields = (
          <>
            <input type="hidden" name="seen" value={seen} />
            {children}
          </>
        );
        if (isNext || isOpen || !children) {
          return (
            <div className="grid w-full justify-items-start gap-3">
              {fields}
              {button}
            </div>
          );
        }
        return (
          <details className="w-full" open={result?.ok === false || undefined}>
            <summary className={`act list-none ${isDanger ? "act-danger" : ""}`}>{label}</summary>
            <div className="mt-3 mb-2 grid justify-items-start gap-3 border-l-2 border-line pl-4">
              {fields}
              {button}
            </div>
          </details>
        );
      }}
    </ActForm>
  );
}

/** A button that is off says why. */
function OffButton({ label, why }: { label: string; why: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <button type="button" disabled className="act">
        {label}
      </button>
      <span className="text-ink-soft">{why}</span>
    </div>
  );
}
