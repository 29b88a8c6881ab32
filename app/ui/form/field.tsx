import type { FieldMetadata } from "@conform-to/react";
import type { ComponentProps, ReactNode } from "react";
import { Textarea } from "./textarea.tsx";

export type FormField = Pick<FieldMetadata, "id" | "name" | "errorId" | "errors" | "initialValue">;

type FieldProps = { field: FormField; label: string; optional?: boolean; hint?: string; className?: string };

type Attributes = Pick<ComponentProps<"input">, "name" | "aria-invalid" | "aria-describedby"> & {
  id: string;
  defaultValue: string | undefined;
};

function Frame({
  field: { id, name, errorId, errors, initialValue },
  label,
  optional,
  hint,
  className = "",
  children,
}: FieldProps & { children: (attributes: Attributes) => ReactNode }) {
  const error = errors?.[0];
  const hintId = `${id}-hint`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 flex justify-between gap-3 text-sm font-medium">
        <span>{label}</span>
        {optional && <span className="font-normal text-ink-soft">Optional</span>}
      </label>
      {children({
        id,
        name: name || undefined,
        defaultValue: initialValue as string | undefined,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
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

export function TextField({ field, label, optional, hint, className, ...input }: FieldProps & ComponentProps<"input">) {
  return (
    <Frame {...{ field, label, optional, hint, className }}>
      {(attributes) => <input required={!optional} className={control} {...attributes} {...input} />}
    </Frame>
  );
}

type TextAreaProps = FieldProps & ComponentProps<"textarea">;

export function TextArea({ field, label, optional, hint, className, ...textarea }: TextAreaProps) {
  return (
    <Frame {...{ field, label, optional, hint, className }}>
      {(attributes) => (
        <Textarea required={!optional} className={`${control} py-3`} rows={6} {...attributes} {...textarea} />
      )}
    </Frame>
  );
}

export function SelectField({
  field,
  label,
  optional,
  hint,
  className,
  placeholder,
  children,
  ...select
}: FieldProps & ComponentProps<"select"> & { placeholder: string }) {
  return (
    <Frame {...{ field, label, optional, hint, className }}>
      {(attributes) => (
        <span className="relative block">
          <select required={!optional} className={`${control} appearance-none pr-11`} {...attributes} {...select}>
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
