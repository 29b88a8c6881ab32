import { Link } from "react-router";
import { brand } from "#shop/brand.ts";
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

/** The wordmark as the way home, aligned with the edge of the page. */
export function HomeLink({
  className = "",
  size = "h-[min(--spacing(6.5),8.2vw)]",
}: {
  className?: string;
  size?: string;
}) {
  return (
    <Link
      to="/"
      aria-label={`${brand.name}, home`}
      className={`-ml-2 inline-flex min-h-11 items-center px-2 ${className}`}
    >
      <Wordmark className={size} />
    </Link>
  );
}
