/** Specs as rows of a name, a value and its unit. Without JavaScript they are lines of text, which is what the form sends. */
import { useEffect, useRef, useState, type ComponentProps } from "react";
import { SPEC_UNITS } from "#shop/catalog/product.ts";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { AdminArea, FieldError, optionList, useAdminField } from "#app/ui/admin/field.tsx";

/** The unit is the last word of a name in the text, such as the "hours" of "battery life hours: 48". */
type SpecRow = { label: string; unit: string; value: string };

const HINT = `One per line: name, colon, value. Names ending in ${Object.keys(SPEC_UNITS).join(", ")} show that unit.`;

function rowOf(line: string): SpecRow {
  const [, name = line, value = ""] = /^([^:]*):(.*)$/.exec(line) ?? [];
  const [, before, last = ""] = /^(.+) (\S+)$/.exec(name.trim()) ?? [];
  const unit = Object.hasOwn(SPEC_UNITS, last) ? last : "";
  const label = unit && before ? before : name.trim();
  return { label: label.charAt(0).toUpperCase() + label.slice(1), unit, value: value.trim() };
}

const lineOf = ({ label, unit, value }: SpecRow) =>
  label || value ? `${label && `${label} ${unit}`.trim()}: ${value}` : "";
const textOf = (rows: SpecRow[]) => rows.map(lineOf).join("\n");

type RowProps = { row: SpecRow; number: number; onChange: (changed: Partial<SpecRow>) => void; onRemove: () => void };

function Row({ row, number, onChange, onRemove }: RowProps) {
  const field = (name: keyof SpecRow): ComponentProps<"input"> & ComponentProps<"select"> => ({
    value: row[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
    className: `admin-field ${name === "label" ? "max-sm:col-span-3" : ""}`,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_100px_auto] gap-2 max-sm:pb-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_100px_auto]">
      <input aria-label={`Name of spec ${number}`} maxLength={50} spellCheck={false} {...field("label")} />
      <input aria-label={`Value of spec ${number}`} maxLength={200} {...field("value")} />
      <select aria-label={`Unit of spec ${number}`} {...field("unit")}>
        {optionList([["", "–"], ...Object.entries(SPEC_UNITS)])}
      </select>
      <button type="button" aria-label={`Remove spec ${number}`} onClick={onRemove} className="btn px-2.5!">
        Remove
      </button>
    </div>
  );
}

/** Folded, because it is long, unless it has an error. */
export function SpecsField({ defaultValue }: { defaultValue: string }) {
  const { error, errors, value } = useAdminField("specs", defaultValue);
  const [rows, setRows] = useState(() => String(value).split("\n").map(rowOf));
  const [before] = useState(() => textOf(rows));
  const isHydrated = useHydrated();
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!errors) return;
    summary.current?.closest("details")?.setAttribute("open", "");
    // The form cannot focus the hidden field.
    summary.current?.focus();
  }, [errors]);
  const names = rows.flatMap(({ label }) => label || []).join(", ");
  return (
    <details open={error ? true : undefined} className="min-w-0 border-t border-line pt-3">
      <summary ref={summary} className="min-h-9 py-2 pointer-coarse:min-h-11">
        <h2 className="inline">Specs</h2>
        <span className="block truncate text-ink-soft">{names || "None yet"}</span>
      </summary>
      {isHydrated ? (
        <fieldset className="grid gap-2 pt-2" aria-describedby={error && "specs-error"}>
          <legend className="sr-only">Specs</legend>
          <FieldError id="specs-error">{error}</FieldError>
          <input
            type="hidden"
            name="specs"
            value={textOf(rows)}
            data-changed={textOf(rows) === before ? undefined : ""}
          />
          {rows.map((row, index) => (
            <Row
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
              key={index}
              row={row}
              number={index + 1}
              onChange={(changed) => setRows(rows.with(index, { ...row, ...changed }))}
              onRemove={() => setRows(rows.toSpliced(index, 1))}
            />
          ))}
          <button
            type="button"
            onClick={() => setRows([...rows, { label: "", unit: "", value: "" }])}
            className="btn justify-self-start"
          >
            Add spec
          </button>
        </fieldset>
      ) : (
        <AdminArea
          name="specs"
          label="Specs"
          hint={HINT}
          defaultValue={defaultValue}
          rows={Math.min(16, rows.length + 1)}
          spellCheck={false}
        />
      )}
    </details>
  );
}
