/** A dot in a product color; its name stands beside it or in the link around it. */
export function Swatch({ hex, className = "size-3.5" }: { hex: string | null; className?: string }) {
  return <span aria-hidden="true" className={`swatch ${className}`} style={{ background: hex ?? undefined }} />;
}
