import type { ReactNode } from "react";

type SectionProps = { id: string; title: string; intro: ReactNode; children: ReactNode };

/** One matter of the settings: what it is about on the left, what can be done about it on the right. */
export function Section({ id, title, intro, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-24 gap-x-16 gap-y-5 border-t border-line py-9 first:border-t-0 first:pt-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.9fr)] lg:py-12"
    >
      <div>
        <h2 id={`${id}-title`} className="text-xl font-semibold lg:text-2xl">
          {title}
        </h2>
        <p className="mt-2.5 max-w-[44ch] text-ink-soft">{intro}</p>
      </div>
      <div className="rounded-card bg-card p-5 sm:p-8">{children}</div>
    </section>
  );
}
