/** Fields of the back office: a label above, what is wrong under it. Inside an ActForm they know its result. */
import { useId, type ComponentProps, type ReactNode } from "react";
import { useActResult } from "./act-form.tsx";

type FieldProps = { name: string; label: string; hint?: string; hideLabel?: boolean; className?: string };

function useField(name: string) {
  const id = useId();
  const result = useActResult();
  const error = result?.errors?.[name];
  const typed = result?.typed?.[name];
  return { id, error, typed };
}

function Frame({
  id,
  label,
  hint,
  hideLabel,
  error,
  className = "",
  children,
}: Omit<FieldProps, "name"> & { id: string; error: string | undefined; children: ReactNode }) {
  return (
    <div className={`grid content-start gap-1 ${className}`}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-ink-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}

const described = (id: string, hint: string | undefined, error: string | undefined) => ({
  "aria-invalid": error ? (true as const) : undefined,
  "aria-describedby": [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined,
});

export function AdminText({
  name,
  label,
  hint,
  hideLabel,
  className,
  defaultValue,
  ...input
}: FieldProps & ComponentProps<"input">) {
  const { id, error, typed } = useField(name);
  return (
    <Frame {...{ id, label, hint, hideLabel, error, className }}>
      <input
        id={id}
        name={name}
        className="admin-field"
        defaultValue={typed ?? defaultValue}
        {...input}
        {...described(id, hint, error)}
      />
    </Frame>
  );
}

export function AdminArea({
  name,
  label,
  hint,
  hideLabel,
  className,
  defaultValue,
  ...area
}: FieldProps & ComponentProps<"textarea">) {
  const { id, error, typed } = useField(name);
  return (
    <Frame {...{ id, label, hint, hideLabel, error, className }}>
      <textarea
        id={id}
        name={name}
        rows={4}
        className="admin-field"
        defaultValue={typed ?? defaultValue}
        {...area}
        {...described(id, hint, error)}
      />
    </Frame>
  );
}

export function AdminSelect({
  name,
  label,
  hint,
  hideLabel,
  className,
  defaultValue,
  children,
  ...select
}: FieldProps & ComponentProps<"select">) {
  const { id, error, typed } = useField(name);
  return (
    <Frame {...{ id, label, hint, hideLabel, error, className }}>
      <select
        id={id}
        name={name}
        className="admin-field"
        defaultValue={typed ?? defaultValue}
        {...select}
        {...described(id, hint, error)}
      >
        {children}
      </select>
    </Frame>
  );
}

/** Asks for a code where the session is not fresh: for acts that an open browser alone must not be able to do. */
export function CodeField({ isFresh }: { isFresh: boolean }) {
  if (isFresh) return null;
  return (
    <AdminText
      name="code"
      label="Code of your app"
      hint="This asks who is there. For ten minutes after it you are not asked again."
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={10}
      className="max-w-56"
    />
  );
}
