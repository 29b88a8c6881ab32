import { Link } from "react-router";
import { notices } from "#shop/content/notice.ts";

/** Notices above the header, part of the document, so that nothing moves when scripts begin. */
export function NoticeBar() {
  const shown = notices();
  if (shown.length === 0) return null;
  return (
    <aside aria-label="Notices" className="no-print bg-leaf-light">
      {shown.map(({ text, to, label }) => (
        <p key={text} className="page flex flex-wrap items-center justify-center gap-x-4 py-1 text-center text-[15px]">
          <span className="py-1.5 font-medium">{text}</span>
          {to && label && (
            <Link to={to} reloadDocument className="text-link inline-flex min-h-9 items-center pointer-coarse:min-h-11">
              {label}
            </Link>
          )}
        </p>
      ))}
    </aside>
  );
}
