/** From page to page of a list, by where it goes on: the address keeps the filters. */
import { Link, useSearchParams } from "react-router";

/** `next` says where the next page begins, null on the last one. */
export function Pager({ next }: { next: string | null }) {
  const [query] = useSearchParams();
  const isFirst = !query.has("after");
  const href = (after: string | null) => {
    const other = new URLSearchParams(query);
    other.delete("act");
    if (after === null) other.delete("after");
    else other.set("after", after);
    return `?${other}`;
  };
  if (isFirst && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2 py-4">
      {!isFirst && (
        <Link to={href(null)} className="act">
          First page
        </Link>
      )}
      {next !== null && (
        <Link to={href(next)} className="act" rel="next">
          Next page
        </Link>
      )}
    </nav>
  );
}
