import type { ReactNode } from "react";

type PrintSheetProps = { back: string; backLabel: string; children: ReactNode };

/** A page for the printer: the sheet, and above it on screens the way back and a button. */
export function PrintSheet({ back, backLabel, children }: PrintSheetProps) {
  return (
    <div className="page pt-8 pb-24 lg:pt-14">
      <div className="no-print mx-auto mb-6 flex max-w-[800px] flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <a href={back} className="text-link inline-flex min-h-11 items-center">
          {backLabel}
        </a>
        <button type="button" onClick={() => print()} className="button button-primary noscript:hidden">
          Print
        </button>
      </div>
      <article className="receipt mx-auto max-w-[800px] rounded-card bg-card p-6 sm:p-12">{children}</article>
    </div>
  );
}
