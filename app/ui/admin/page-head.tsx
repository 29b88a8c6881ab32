/** The head of a screen: what it is, how much there is of it, and what can be done to all of it. */
import type { ReactNode } from "react";
import { brand } from "../../../shop/brand.ts";

type PageHeadProps = { title: string; note?: ReactNode; children?: ReactNode };

export function PageHead({ title, note, children }: PageHeadProps) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <title>{`${title} | ${brand.name}`}</title>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h1>{title}</h1>
        {note && <p className="text-ink-soft tabular-nums">{note}</p>}
      </div>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}

/** For a list without rows: what to do first. */
export function EmptyList({ children }: { children: ReactNode }) {
  return <p className="max-w-prose py-8 text-ink-soft">{children}</p>;
}
