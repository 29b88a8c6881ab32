import { bowlPath, lettersPath, lettersStroke, lidPath, wordmarkBox } from "./mark.ts";

/** The bowl from the front, and the name. The letters follow the text color. */
export function Wordmark({ className = "h-6" }: { className?: string }) {
  return (
    <svg
      viewBox={`0 0 ${wordmarkBox.width} ${wordmarkBox.height}`}
      role="img"
      aria-label="Polara"
      className={`w-auto ${className}`}
      fill="none"
    >
      <path className="fill-leaf" fillRule="evenodd" d={lidPath + bowlPath} />
      <path className="stroke-current" strokeWidth={lettersStroke} d={lettersPath} />
    </svg>
  );
}
