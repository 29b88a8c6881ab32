/** A dot in a product color, without its name. */
export function Swatch({ hex, className = "size-3.5" }: { hex: string | null; className?: string }) {
  return <span aria-hidden="true" className={`swatch ${className}`} style={{ background: hex ?? undefined }} />;
}

export function ColorName({ color, hex }: { color: string; hex: string | null }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm text-ink-soft">
      <Swatch hex={hex} className="size-3 ring-1 ring-ink/15 ring-inset" />
      <span>{color}</span>
    </span>
  );
}
