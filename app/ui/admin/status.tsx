/** A status is a dot with a word. Color only where something needs a hand or is done. */
const TONES = {
  late: "bg-saving",
  soon: "bg-copper",
  done: "bg-good",
  open: "bg-ink",
  quiet: "bg-[#b9b8b2]",
} as const;

export type Tone = keyof typeof TONES;

export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${tone === "late" ? "text-saving" : ""}`}>
      <span aria-hidden="true" className={`size-2 rounded-full forced-color-adjust-none ${TONES[tone]}`} />
      {children}
    </span>
  );
}
