/** Fields of the back office: a label above, what is wrong under it. Inside an ActForm they know its result. */
import { createElement, useId, type ComponentProps } from "react";
import { useActResult } from "./act-form.tsx";

type FieldProps = { name: string; label: string; hint?: string; hideLabel?: boolean; className?: string };

type Tag = "input" | "textarea" | "select";
type ControlProps<As extends Tag> = FieldProps & ComponentProps<As>;

/** What was typed comes back where the act was refused. */
function Control<As extends Tag>({
  as: As,
  name,
  label,
  hint,
  hideLabel,
  className = "",
  defaultValue,
  ...rest
}: { as: As } & ControlProps<As>) {
  const id = useId();
  const result = useActResult();
  const error = result?.errors?.[name];
  const control = {
    id,
    name,
    className: "admin-field",
    defaultValue: result?.typed?.[name] ?? defaultValue,
    ...rest,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined,
  };
  return (
    <div className={`grid content-start gap-1 ${className}`}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {createElement<object>(As, control)}
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

export const AdminText = (props: ControlProps<"input">) => <Control as="input" {...props} />;
export const AdminArea = (props: ControlProps<"textarea">) => <Control as="textarea" rows={4} {...props} />;
export const AdminSelect = (props: ControlProps<"select">) => <Control as="select" {...props} />;

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
