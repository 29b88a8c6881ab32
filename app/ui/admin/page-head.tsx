import { useId, type ReactNode } from "react";
import { brand } from "#shop/brand.ts";

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

type SectionProps = { title: string; className?: string; children: ReactNode };

export function Section({ title, className = "gap-3", children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`grid min-w-0 content-start ${className}`}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

const TONES = {
  late: "bg-saving",
  soon: "bg-copper",
  done: "bg-good",
  open: "bg-ink",
  quiet: "bg-[#b9b8b2]",
} as const;

export type Tone = keyof typeof TONES;

/** A dot and a word. Color marks only what needs attention or is complete. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tone === "late" ? "text-saving" : ""}`}>
      <span aria-hidden="true" className={`size-2 rounded-full forced-color-adjust-none ${TONES[tone]}`} />
      <span>{children}</span>
    </span>
  );
}
