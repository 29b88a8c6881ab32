import type { ReactNode } from "react";

type ActionFoldProps = {
  label: string;
  style: string;
  isFolded: boolean;
  isRefused: boolean;
  children: ReactNode;
};

/** The fields and the button of an action, folded below its name unless they are next; open again after a refusal. */
export function ActionFold({ label, style, isFolded, isRefused, children }: ActionFoldProps) {
  if (!isFolded) return <div className="grid w-full justify-items-start gap-3">{children}</div>;
  return (
    <details className="w-full" open={isRefused || undefined}>
      <summary className={`list-none ${style}`}>{label}</summary>
      <div className="mt-3 mb-2 grid justify-items-start gap-3 border-l-2 border-line pl-4">{children}</div>
    </details>
  );
}
