/** One row of controls above a list: native fields in a GET form, so filters are part of the URL. */
import { useId, type ReactNode } from "react";
import { Form, Link, useSearchParams } from "react-router";
import { Control, FieldError, optionList, type Option } from "./field.tsx";
import { filtersOf } from "./table.tsx";

export type FilterField = {
  name: string;
  label: string;
  className?: string;
  /** Value without a filter; defaults to the first option. */
  initial?: string;
  error?: string | undefined;
} & ({ type: "search" | "text" | "date" } | { options: readonly Option[] });

type FiltersProps = {
  fields: FilterField[];
  /** Fields in a menu. */
  more?: FilterField[];
  /** Query parameter that filtering leaves as it is. */
  preserves?: string;
  /** In the row before the fields, such as views. */
  children?: ReactNode;
};

const initialOf = (field: FilterField) => field.initial ?? ("options" in field ? field.options[0]?.[0] : "");

type FieldProps = { field: FilterField; value: string | null };

/** In the row a field is named inside itself; only a date has its label beside it. */
function RowField({ field, value }: FieldProps) {
  const { name, label, className = "" } = field;
  if ("options" in field) {
    const initial = initialOf(field);
    const options = field.options.map(
      ([each, words]) => [each, each === initial ? `${label}: ${words}` : words] as const,
    );
    return (
      <select
        name={name}
        aria-label={label}
        defaultValue={value ?? initial}
        className={`admin-field w-auto max-w-48 max-sm:max-w-full max-sm:flex-1 ${className}`}
      >
        {optionList(options)}
      </select>
    );
  }
  const input = {
    name,
    type: field.type,
    defaultValue: value ?? initialOf(field),
    autoComplete: "off",
    maxLength: 100,
  };
  if (field.type === "date") {
    const error = `${name}-error`;
    const isWrong = field.error !== undefined;
    return (
      <div className="grid gap-1">
        <label className="flex items-center gap-2">
          <span className="text-ink-soft">{label}</span>
          <input
            {...input}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? error : undefined}
            className={`admin-field w-auto ${className}`}
          />
        </label>
        {isWrong && (
          <div className="w-0 min-w-full">
            <FieldError id={error}>{field.error}</FieldError>
          </div>
        )}
      </div>
    );
  }
  return (
    <input {...input} aria-label={label} placeholder={label} className={`admin-field w-56 max-sm:grow ${className}`} />
  );
}

function MenuField({ field, value }: FieldProps) {
  const { name, label } = field;
  if ("options" in field) {
    return (
      <Control as="select" name={name} label={label} defaultValue={value ?? initialOf(field)}>
        {optionList(field.options)}
      </Control>
    );
  }
  return <Control as="input" name={name} type={field.type} label={label} defaultValue={value ?? ""} maxLength={100} />;
}

export function Filters({ fields, more = [], preserves, children }: FiltersProps) {
  const [query] = useSearchParams();
  const menu = useId();
  const isSet = (field: FilterField) => {
    const value = query.get(field.name) ?? "";
    return value !== "" && !("options" in field && value === initialOf(field));
  };
  const preserved = preserves ? query.get(preserves) : null;
  const chosen = more.filter(isSet).length;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      {children}
      <Form
        method="get"
        role="search"
        key={filtersOf(query).toString()}
        className="flex min-w-0 flex-wrap items-start gap-2 max-sm:w-full"
      >
        {preserves && preserved && <input type="hidden" name={preserves} value={preserved} />}
        {fields.map((field) => (
          <RowField key={field.name} field={field} value={query.get(field.name)} />
        ))}
        {more.length > 0 ? (
          <>
            <button type="button" popoverTarget={menu} className="btn">
              Filters{chosen > 0 && <span className="tabular-nums text-ink-soft">{chosen}</span>}
            </button>
            <div id={menu} popover="auto" className="admin-menu">
              <div className="grid w-64 gap-3">
                {more.map((field) => (
                  <MenuField key={field.name} field={field} value={query.get(field.name)} />
                ))}
                <button type="submit" className="btn btn-primary">
                  Filter
                </button>
              </div>
            </div>
          </>
        ) : (
          <button type="submit" className="btn">
            Filter
          </button>
        )}
        {[...fields, ...more].some(isSet) && (
          <Link
            to={preserves && preserved ? `?${new URLSearchParams({ [preserves]: preserved })}` : "?"}
            className="btn"
          >
            Clear
          </Link>
        )}
      </Form>
    </div>
  );
}
