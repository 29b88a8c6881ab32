/** Back office table: columns as data, one link per row, checkboxes for bulk actions. */
import { useEffect, useRef, type ChangeEvent, type ReactNode } from "react";
import { useField } from "@conform-to/react";
import { Link, useLocation, useSearchParams } from "react-router";

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Makes this column the row's link. */
  href?: (row: Row) => string;
  isNumber?: boolean;
  className?: string;
  /**
   * Phones show rows as cards of one line a cell: "label" puts the header before the value, "hidden" drops the cell,
   * "inline" shares its line, and "fact" is both.
   */
  phone?: "label" | "hidden" | "inline" | "fact";
  /** Below 1280 px "wide" columns make room, and "narrow" ones say the same in less. */
  at?: "wide" | "narrow";
};

/** Rows below a heading of their own. */
export type Group<Row> = { key: string; head: ReactNode; rows: Row[] };

/** A heading is as wide as the first columns, which every width shows. */
const GROUP_COLUMNS = 3;

type AdminTableProps<Row> = {
  label: string;
  columns: (Column<Row> | false)[];
  rows: Row[];
  /** The rows, parted. */
  groups?: Group<Row>[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Checkboxes, which post the keys of selected rows under this name, and a bar of actions while some are selected. */
  selection?: { name: string; label: (row: Row) => string; bar: ReactNode } | undefined;
  /** Keeps the grid on phones, for numbers that are compared. */
  isGrid?: boolean;
  /** Shown without rows: the first step to take. Tables that always have rows need none. */
  empty?: ReactNode;
};

export function AdminTable<Row>({
  label,
  columns,
  rows,
  groups,
  rowKey,
  selection,
  isGrid,
  empty,
}: AdminTableProps<Row>) {
  if (rows.length === 0) return <EmptyState>{empty}</EmptyState>;
  const shown = columns.filter((column) => column !== false);
  // Scrollable regions without links must be focusable.
  const region = shown.some(({ href }) => href) ? {} : { role: "region", "aria-label": label, tabIndex: 0 };
  const table = (
    <div {...region} className="admin-scroll">
      <table aria-label={label} className={`admin-table ${isGrid ? "" : "admin-cards"}`}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" aria-label="Select" className="admin-select">
                <label className="flex min-h-9 items-center justify-center gap-2 max-sm:justify-end max-sm:pr-3.5 pointer-coarse:min-h-11 noscript:hidden">
                  <span className="sm:sr-only">{`Select all ${rows.length}`}</span>
                  <input type="checkbox" onChange={selectAll} className="size-4.5 accent-leaf" />
                </label>
              </th>
            )}
            {shown.map(({ header, isNumber, at }) => (
              <th key={header} scope="col" className={`${isNumber ? "number" : ""} ${at ? WIDTHS[at] : ""}`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {(groups ?? [{ key: "rows", head: null, rows }]).map((group) => (
          <tbody key={group.key} id={group.head ? group.key : undefined} className="scroll-mt-16">
            {group.head && (
              <tr className="admin-group">
                <th scope="rowgroup" colSpan={GROUP_COLUMNS}>
                  {group.head}
                </th>
              </tr>
            )}
            {group.rows.map((row) => (
              <tr key={rowKey(row)}>
                {selection && (
                  <td className="admin-select">
                    <RowBox name={selection.name} value={String(rowKey(row))} label={selection.label(row)} />
                  </td>
                )}
                {shown.map((column) => (
                  <Cell key={column.header} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
  return selection ? <Selectable bar={selection.bar}>{table}</Selectable> : table;
}

const keepSelection = (selected: string[]) => history.replaceState({ ...history.state, selected }, "");

/** Keeps the selection with the page in the browser's history until its form starts over, so that Back shows it again. */
function Selectable({ bar, children }: { bar: ReactNode; children: ReactNode }) {
  const table = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    const { selected = [] } = (history.state ?? {}) as { selected?: string[] };
    for (const box of boxesOf(table.current!)) if (selected.includes(box.value)) box.checked = true;
    showAll(table.current!);
    const form = table.current!.closest("form");
    const forget = () => keepSelection([]);
    form?.addEventListener("reset", forget);
    return () => form?.removeEventListener("reset", forget);
  }, [key]);
  const keep = () => keepSelection(boxesOf(table.current!).flatMap(({ checked, value }) => (checked ? [value] : [])));
  return (
    <div className="admin-selectable">
      <div ref={table} onChange={keep}>
        {children}
      </div>
      <div role="group" aria-label="Selected" className="admin-bar">
        {bar}
      </div>
    </div>
  );
}

const PHONE = { label: "", hidden: "max-sm:hidden", inline: "admin-inline", fact: "admin-inline" } as const;
const WIDTHS = { wide: "sm:max-xl:hidden", narrow: "xl:hidden" } as const;

/** Stays checked after a refusal. */
function RowBox({ name, value, label }: { name: string; value: string; label: string }) {
  const [{ initialValue }] = useField<string[]>(name);
  return (
    <label className="flex h-7.5 w-11 items-center justify-center pointer-coarse:h-11">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={[initialValue ?? []].flat().includes(value)}
        aria-label={label}
        onChange={({ currentTarget }) => showAll(currentTarget.closest("table")!)}
        className="size-4.5 accent-leaf"
      />
    </label>
  );
}

const boxesOf = (table: Element) => [...table.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];

function selectAll({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
  for (const box of boxesOf(currentTarget.closest("table")!)) box.checked = currentTarget.checked;
}

/** Shows in the header whether all rows are selected. */
function showAll(table: Element): void {
  const [all, ...boxes] = boxesOf(table);
  if (all) all.checked = boxes.every(({ checked }) => checked);
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { header, cell, href, isNumber, className = "", phone, at } = column;
  const attributes = {
    className: `${isNumber ? "number" : ""} ${phone ? PHONE[phone] : ""} ${at ? WIDTHS[at] : ""} ${className}`,
    ...((phone === "label" || phone === "fact") && { "data-label": header }),
  };
  if (!href) return <td {...attributes}>{cell(row)}</td>;
  return (
    <th scope="row" {...attributes}>
      <Link to={href(row)} className="admin-link admin-row-link">
        {cell(row)}
      </Link>
    </th>
  );
}

export function EmptyState({ children }: { children: ReactNode }) {
  return <p className="max-w-prose py-8 text-ink-soft">{children}</p>;
}

/** Query of the filters alone. */
export function filtersOf(query: URLSearchParams): URLSearchParams {
  const filters = new URLSearchParams(query);
  for (const name of ["after", "trail", "intent", "export", "file"]) filters.delete(name);
  return filters;
}

/** Keyset pagination: `next` is null on the last page, `trail` leads back. */
export function Pager({ next }: { next: string | null }) {
  const [query] = useSearchParams();
  const after = query.get("after");
  const trail = query.getAll("trail");
  const href = (start: string | undefined, before: string[]) => {
    const other = filtersOf(query);
    if (start) other.set("after", start);
    for (const each of before) other.append("trail", each);
    return `?${other}`;
  };
  if (!after && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2 py-4">
      {after && (
        <Link to={href(trail.at(-1), trail.slice(0, -1))} className="btn" rel="prev">
          Previous
        </Link>
      )}
      {next !== null && (
        <Link to={href(next, after ? [...trail, after] : [])} className="btn" rel="next">
          Next
        </Link>
      )}
    </nav>
  );
}

/** Formats "1,000+". */
export const countLabel = (count: number, hasMore = false): string =>
  count.toLocaleString("en-US") + (hasMore ? "+" : "");

const CURRENT = "data-current";

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog") !== null;

function walk(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".admin-table tbody tr:has(a):not(.admin-group)")];
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row.hasAttribute(CURRENT));
  const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  rows[at]?.removeAttribute(CURRENT);
  next?.setAttribute(CURRENT, "");
  // Focus moves along, so Enter opens the row and screen readers announce it.
  next?.querySelector<HTMLElement>("a")?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Table shortcuts: J and K move, X selects, Enter opens. */
export function useTableKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "j") walk(1);
      else if (event.key === "k") walk(-1);
      else if (event.key === "x") {
        document.querySelector<HTMLElement>(`.admin-table tr[${CURRENT}] input[type=checkbox]`)?.click();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
