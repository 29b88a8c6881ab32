/** Specs as rows of a name and a value. Without JavaScript they are lines of text, which is what the form sends. */
import { useState } from "react";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { AdminArea, FieldError, useAdminField } from "#app/ui/admin/field.tsx";

type SpecRow = { label: string; value: string };

const UNITS = "Names ending in hours, months, years, lb, in, ft, L, F or dB show that unit.";

const rowsOf = (text: string): SpecRow[] =>
  text.split("\n").map((line) => {
    const at = line.indexOf(":");
    return at < 0
      ? { label: line.trim(), value: "" }
      : { label: line.slice(0, at).trim(), value: line.slice(at + 1).trim() };
  });

const textOf = (rows: SpecRow[]) =>
  rows.map(({ label, value }) => (label || value ? `${label}: ${value}` : "")).join("\n");

export function SpecsField({ defaultValue }: { defaultValue: string }) {
  const { error, value } = useAdminField("specs", defaultValue);
  const [rows, setRows] = useState(() => rowsOf(String(value)));
  const [before] = useState(() => textOf(rows));
  if (!useHydrated()) {
    return (
      <AdminArea
        name="specs"
        label="Specs"
        hint={`One per line: name, colon, value. ${UNITS}`}
        defaultValue={defaultValue}
        rows={Math.min(16, rows.length + 1)}
        spellCheck={false}
      />
    );
  }
  const change = (index: number, changed: Partial<SpecRow>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)));
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? "specs-error" : "specs-hint"}>
      <legend className="mb-2 text-[15px] font-semibold">Specs</legend>
      <input type="hidden" name="specs" value={textOf(rows)} data-changed={textOf(rows) === before ? undefined : ""} />
      {rows.map(({ label, value: typed }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
        <div
          key={index}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 max-sm:pb-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
        >
          <input
            aria-label={`Name of spec ${index + 1}`}
            value={label}
            onChange={({ target }) => change(index, { label: target.value })}
            maxLength={60}
            spellCheck={false}
            className="admin-field max-sm:col-span-2"
          />
          <input
            aria-label={`Value of spec ${index + 1}`}
            value={typed}
            onChange={({ target }) => change(index, { value: target.value })}
            maxLength={200}
            className="admin-field"
          />
          <button
            type="button"
            aria-label={`Remove spec ${index + 1}`}
            onClick={() => setRows(rows.filter((_, at) => at !== index))}
            className="btn px-2.5!"
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        onClick={() => setRows([...rows, { label: "", value: "" }])}
        className="btn justify-self-start"
      >
        Add spec
      </button>
      <p id="specs-hint" className="text-ink-soft">
        {UNITS}
      </p>
      <FieldError id="specs-error">{error}</FieldError>
    </fieldset>
  );
}
