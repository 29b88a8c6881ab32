import { mark, wordmark } from "./mark.ts";

/** The mark and the name; letters take the text color. */
export function Wordmark({ className = "h-6" }: { className?: string }) {
  return (
    <svg
      viewBox={`0 0 ${wordmark.width} ${wordmark.height}`}
      role="img"
      aria-label="Polara"
      className={`w-auto ${className}`}
      fill="none"
    >
      <path className="fill-leaf" fillRule="evenodd" d={mark.path} />
      <path className="stroke-current" strokeWidth={wordmark.stroke} d={wordmark.letters} />
    </svg>
  );
}
