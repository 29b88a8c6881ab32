import { useField } from "@conform-to/react";
import { Control, FieldError, optionList } from "#app/ui/admin/field.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import type { OrderData } from "./load.server.ts";

export type Line = OrderData["lines"][number];

type UnitsProps = {
  order: OrderData;
  most: (line: Line) => number;
  first: "all" | "none" | "ready";
  /** The number to post for the units that were chosen; they themselves by default. */
  posts?: (line: Line, units: number) => number;
  /** Said of a line, also of one of which nothing can be chosen. */
  note?: (line: Line) => string | undefined;
};

/** A quantity of each line, posted as "LINE:UNITS". */
export function Units({ order, most, first, posts = (_line, units) => units, note }: UnitsProps) {
  const [{ initialValue, errors }] = useField<string[]>("units");
  const typed = [initialValue ?? []].flat();
  return order.lines
    .filter((line) => most(line) > 0 || note?.(line))
    .map((line, i) => {
      const units = most(line);
      const error = i === 0 ? errors?.[0] : undefined;
      if (units === 0)
        return (
          <div key={line.id}>
            <p className="font-medium">{line.name}</p>
            <p className="text-ink-soft">{note?.(line)}</p>
            <FieldError id={`${line.id}-error`}>{error}</FieldError>
          </div>
        );
      const options = Array.from({ length: units + 1 }, (_, n) => {
        return [`${line.id}:${posts(line, n)}`, `${n} of ${units}`] as const;
      });
      const startsFull = first === "all" || (first === "ready" && line.waitsFor === null);
      const chosen = options.find(([value]) => typed.includes(value)) ?? options.at(startsFull ? -1 : 0);
      return (
        <Control
          as="select"
          // React leaves a select as it is when only its options or default change.
          key={`${units} ${chosen?.[0]}`}
          name="units"
          label={line.name}
          hint={note?.(line)}
          error={error}
          defaultValue={chosen?.[0]}
          className="w-full max-w-sm"
        >
          {optionList(options)}
        </Control>
      );
    });
}

/** "Ships Dec 20", of a pre-ordered line before its day. */
export const waitWords = ({ waitsFor }: Pick<Line, "waitsFor">): string | undefined =>
  waitsFor ? `Ships ${dayWords(waitsFor)}` : undefined;

/** Units of a parcel that does not hold all that is left: what is pre-ordered stays, unless staff choose it. */
export function PartOfOrder({ order }: { order: OrderData }) {
  const { lines, parcels } = order;
  const isWaiting = lines.some(({ waitsFor }) => waitsFor);
  const fields = <Units order={order} most={({ unitsLeft }) => unitsLeft} first="ready" note={waitWords} />;
  if (isWaiting) return <div className="grid w-full gap-3">{fields}</div>;
  if (lines.reduce((sum, { unitsLeft }) => sum + unitsLeft, 0) <= 1) return null;
  return (
    // Closed again after each parcel.
    <details key={parcels.length} className="w-full">
      <summary className="admin-link w-fit cursor-pointer py-2">Ship part of the order</summary>
      <div className="mt-2 grid gap-3">{fields}</div>
    </details>
  );
}
