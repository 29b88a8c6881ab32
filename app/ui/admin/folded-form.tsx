import type { ComponentProps, ReactNode } from "react";
import { AdminForm } from "./field.tsx";

type FoldedFormProps = Omit<ComponentProps<typeof AdminForm>, "children"> & {
  label: string;
  /** Classes of the button that unfolds it. */
  style?: string;
  isFolded?: boolean;
  children: ReactNode;
};

/**
 * The form of an action, folded below its name unless it is next; open again after a refusal. Without children it stays, so
 * that its result shows.
 */
export function FoldedForm({ label, style = "btn", isFolded = true, children, ...form }: FoldedFormProps) {
  return (
    <AdminForm {...form}>
      {({ result }) =>
        isFolded && children ? (
          <details className="w-full" open={result?.ok === false || undefined}>
            <summary className={`list-none ${style}`}>{label}</summary>
            <div className="mt-3 mb-2 grid justify-items-start gap-3 border-l-2 border-line pl-4">{children}</div>
          </details>
        ) : (
          children && <div className="grid w-full justify-items-start gap-3">{children}</div>
        )
      }
    </AdminForm>
  );
}
