/** Forms of the back office and their fields. */
import { createElement, useId, type ComponentProps, type ReactNode } from "react";
import { useField } from "@conform-to/react";
import { Form } from "#app/ui/form/form.tsx";

type AdminFormProps = {
  intent: string;
  /** Row or record of the form, for its id. */
  of?: string;
  className?: string;
} & Pick<ComponentProps<typeof Form>, "children" | "encType" | "messageAt">;

/** Form of an intent of the page's own action. */
export function AdminForm({ intent, of = "", className = "grid justify-items-start gap-2", ...form }: AdminFormProps) {
  const props = { id: `${intent}-${of}`, action: `?intent=${intent}`, className, ...form };
  return <Form messageAt="end" {...props} />;
}

type Tag = "input" | "textarea" | "select";
type ControlProps<As extends Tag> = {
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  className?: string;
} & ComponentProps<As>;

const describedBy = (id: string, hint: unknown, error: unknown) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

/** A field outside a Conform form, as in a filter. */
export function Control<As extends Tag>({
  as,
  label,
  hint,
  error,
  className = "",
  ...rest
}: { as: As } & ControlProps<As>) {
  const id = useId();
  const control = {
    id,
    className: "admin-field",
    ...rest,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": describedBy(id, hint, error),
  };
  return (
    <div className={`grid content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {createElement<object>(as, control)}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

function Notes({ id, hint, error }: { id: string; hint: string | undefined; error: string | undefined }) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="text-ink-soft">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </>
  );
}

export function FieldError({ id, children }: { id: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <p id={id} className="font-medium text-error">
      {children}
    </p>
  );
}

export type Option = readonly [value: string | number, label: string];

export const optionList = (options: readonly Option[]): ReactNode =>
  options.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

/** Error and value of a field in the surrounding form. */
export function useAdminField(name: string, defaultValue?: unknown) {
  const [field, form] = useField<string, Record<string, unknown>>(name);
  const typed = typeof field.initialValue === "string" ? field.initialValue : undefined;
  const wasSubmitted = Object.keys(form.initialValue ?? {}).length > 0;
  return { error: field.errors?.[0], typed, wasSubmitted, value: wasSubmitted ? (typed ?? "") : defaultValue };
}

function FormControl<As extends Tag>({ defaultValue, ...props }: { as: As } & ControlProps<As>) {
  const { error, value } = useAdminField(props.name, defaultValue);
  // React leaves a select as it is when only its default changes.
  const key = props.as === "select" ? String(value) : undefined;
  return createElement(Control<As>, { ...props, key, error, defaultValue: value } as { as: As } & ControlProps<As>);
}

export const AdminText = (props: ControlProps<"input">) => <FormControl as="input" {...props} />;
export const AdminArea = (props: ControlProps<"textarea">) => <FormControl as="textarea" rows={4} {...props} />;
export const AdminSelect = ({ options, ...props }: ControlProps<"select"> & { options: readonly Option[] }) => (
  <FormControl as="select" {...props}>
    {optionList(options)}
  </FormControl>
);

type CheckboxProps = { name: string; label: string; hint?: string; isChecked?: boolean; isDisabled?: boolean };

export function AdminCheckbox({ name, label, hint, isChecked = false, isDisabled }: CheckboxProps) {
  const id = useId();
  const { error, typed, wasSubmitted } = useAdminField(name);
  return (
    <div>
      <label htmlFor={id} className="flex min-h-9 items-center gap-2.5 font-medium pointer-coarse:min-h-11">
        <input
          id={id}
          type="checkbox"
          name={name}
          defaultChecked={wasSubmitted ? typed === "on" : isChecked}
          disabled={isDisabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, hint, error)}
          className="size-4.5 accent-leaf"
        />
        {label}
      </label>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

const CODE = {
  name: "code",
  label: "Authentication code",
  hint: "From your authenticator app. You will not be asked again for 10 minutes.",
  autoComplete: "one-time-code",
  inputMode: "numeric",
  maxLength: 10,
  className: "max-w-56",
} as const;

/** Authenticator code, required for sensitive actions so that an unattended browser cannot run them. */
export function CodeField({ isFresh }: { isFresh: boolean }) {
  const { error } = useAdminField(CODE.name);
  // A page that was opened with a recent code is refused once that code is older.
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- a field that appears with its error is the one to fill in.
  return isFresh && !error ? null : <AdminText {...CODE} autoFocus={Boolean(error)} />;
}

type DownloadProps = {
  action: string;
  title: string;
  note: string;
  label: string;
  isFresh: boolean;
  /** Reason of a disabled download. */
  why?: string | null;
  /** Reason that the last download was refused. */
  problem?: string | null | undefined;
};

/** A plain form, because only a document can be a download. */
export function DownloadForm({ action, title, note, label, isFresh, why = null, problem }: DownloadProps) {
  return (
    <form id="export" method="post" noValidate action={action} className="grid justify-items-start gap-2">
      <h2>{title}</h2>
      <p className="max-w-prose text-ink-soft">{note}</p>
      {!isFresh && why === null && <Control as="input" {...CODE} />}
      <button type="submit" disabled={why !== null} className="btn">
        {label}
      </button>
      {why && <p className="text-ink-soft">{why}</p>}
      {problem && (
        <p role="alert" className="font-medium text-error">
          {problem}
        </p>
      )}
    </form>
  );
}

export const WRONG_CODE = "That code is missing, incorrect or already used. Codes change every 30 seconds.";
