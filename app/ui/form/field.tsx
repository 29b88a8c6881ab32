import type { ComponentProps, ReactNode } from "react";

type FieldProps = {
  id: string;
  label: string;
  /** Shown under the field, and read with it. */
  error?: string;
  errorId: string;
  optional?: boolean;
  hint?: string;
  className?: string;
};

type Described = { "aria-invalid": true | undefined; "aria-describedby": string | undefined };

function Frame({
  id,
  label,
  error,
  errorId,
  optional,
  hint,
  className = "",
  children,
}: FieldProps & { children: (described: Described) => ReactNode }) {
  const hintId = `${id}-hint`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 flex justify-between gap-3 text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-ink-soft">Optional</span>}
      </label>
      {children({ "aria-invalid": error ? true : undefined, "aria-describedby": describedBy || undefined })}
      {hint && (
        <p id={hintId} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}

const control =
  "block min-h-12 w-full rounded-[10px] border bg-card px-4 text-base outline-offset-1 transition-colors duration-150 " +
  "border-[#8a8d8a] hover:border-ink aria-invalid:border-error aria-invalid:outline-error";

/** A text field: label above, error under it. */
export function TextField({
  id,
  label,
  error,
  errorId,
  optional,
  hint,
  className,
  ...input
}: FieldProps & ComponentProps<"input">) {
  return (
    <Frame {...{ id, label, error, errorId, optional, hint, className }}>
      {(described) => <input id={id} required={!optional} className={control} {...input} {...described} />}
    </Frame>
  );
}

/** A text field of several lines. */
export function TextArea({
  id,
  label,
  error,
  errorId,
  optional,
  hint,
  className,
  ...textarea
}: FieldProps & ComponentProps<"textarea">) {
  return (
    <Frame {...{ id, label, error, errorId, optional, hint, className }}>
      {(described) => (
        <textarea id={id} required={!optional} className={`${control} py-3`} rows={6} {...textarea} {...described} />
      )}
    </Frame>
  );
}

/** A native select that starts on its placeholder. */
export function SelectField({
  id,
  label,
  error,
  errorId,
  optional,
  hint,
  className,
  placeholder,
  children,
  ...select
}: FieldProps & ComponentProps<"select"> & { placeholder: string }) {
  return (
    <Frame {...{ id, label, error, errorId, optional, hint, className }}>
      {(described) => (
        <span className="relative block">
          <select
            id={id}
            required={!optional}
            className={`${control} appearance-none pr-11`}
            {...select}
            {...described}
          >
            <option value="">{placeholder}</option>
            {children}
          </select>
          <svg
            viewBox="0 0 12 8"
            width="12"
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 right-4 -translate-y-1/2 fill-none stroke-current stroke-[1.75]"
          >
            <path d="m1 1.5 5 5 5-5" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </span>
      )}
    </Frame>
  );
}
