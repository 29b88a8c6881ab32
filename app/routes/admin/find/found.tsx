/** What was found: on the page of a search, and in the box that Ctrl K opens. */
import { Link } from "react-router";

export type Found = { title: string; items: { path: string; label: string; detail: string }[] }[];

type FoundListProps = { typed: string; found: Found; onLeave?: () => void };

export function FoundList({ typed, found, onLeave }: FoundListProps) {
  const hits = found.filter(({ items }) => items.length > 0);
  if (typed.trim() === "") {
    return (
      <p className="py-2 text-ink-soft">
        An order's number, how a name or an email begins, a product, words of a message.
      </p>
    );
  }
  if (hits.length === 0) return <p className="py-2 text-ink-soft">Nothing begins like that.</p>;
  return (
    <div className="grid gap-4 py-2">
      {hits.map(({ title, items }) => (
        <section key={title}>
          <h2 className="text-ink-soft">{title}</h2>
          <ul>
            {items.map(({ path, label, detail }) => (
              <li key={path}>
                <Link
                  to={path}
                  onClick={onLeave}
                  className="flex min-h-11 items-center justify-between gap-4 rounded-lg px-2 hover:bg-leaf-light focus-visible:bg-leaf-light"
                >
                  <span className="truncate font-medium">{label}</span>
                  <span className="truncate text-ink-soft">{detail}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
