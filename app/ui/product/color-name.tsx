import { Swatch } from "./swatch.tsx";

/** A product color by swatch and name. */
export function ColorName({ color, hex }: { color: string; hex: string | null }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm text-ink-soft">
      <Swatch hex={hex} className="size-3 ring-1 ring-ink/15 ring-inset" />
      {color}
    </span>
  );
}
