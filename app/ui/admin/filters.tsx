/** Filters of a list: native controls in a GET form, so they are part of the URL. */
import { Form, Link, useSearchParams } from "react-router";
import { Control, optionList, type Option } from "./field.tsx";
import { filtersOf } from "./table.tsx";

export type FilterField = { name: string; label: string; className?: string } & (
  | { type: "search" | "text" | "date" }
  | {
      options: readonly Option[];
      /** Value without a filter; defaults to the first option. */
      initial?: string;
    }
);

type FiltersProps = {
  fields: FilterField[];
  more?: FilterField[];
  /** Query parameter that filtering leaves as it is. */
  preserves?: string;
};

function Field({ field, value }: { field: FilterField; value: string | null }) {
  const { name, label, className = "" } = field;
  if ("options" in field) {
    return (
      <Control
        as="select"
        name={name}
        label={label}
        defaultValue={value ?? field.initial}
        className={`min-w-32 flex-1 sm:w-40 sm:flex-none ${className}`}
      >
        {optionList(field.options)}
      </Control>
    );
  }
  const width = field.type === "search" ? "w-full sm:w-64" : "w-40";
  return (
    <Control
      as="input"
      name={name}
      type={field.type}
      label={label}
      defaultValue={value ?? ""}
      autoComplete="off"
      maxLength={100}
      className={`${width} ${className}`}
    />
  );
}

export function Filters({ fields, more = [], preserves }: FiltersProps) {
  const [query] = useSearchParams();
  const isSet = (field: FilterField) => {
    const value = query.get(field.name) ?? "";
    return value !== "" && !("options" in field && value === (field.initial ?? field.options[0]?.[0]));
  };
  const preserved = preserves ? query.get(preserves) : null;
  const inputs = (list: FilterField[]) =>
    list.map((field) => <Field key={field.name} field={field} value={query.get(field.name)} />);
  return (
    <Form
      method="get"
      role="search"
      key={filtersOf(query).toString()}
      className="mb-4 flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      {preserves && preserved && <input type="hidden" name={preserves} value={preserved} />}
      {inputs(fields)}
      <button type="submit" className="btn">
        Filter
      </button>
      {[...fields, ...more].some(isSet) && (
        <Link to={preserves && preserved ? `?${new URLSearchParams({ [preserves]: preserved })}` : "?"} className="btn">
          Clear
        </Link>
      )}
      {more.length > 0 && (
        <details open={more.some(isSet)} className="open:w-full">
          <summary className="btn list-none">More filters</summary>
          <div className="mt-2 flex flex-wrap items-end gap-x-3 gap-y-2">{inputs(more)}</div>
        </details>
      )}
    </Form>
  );
}
