/** Forms of the back office and their fields. */
import { createElement, useId, useLayoutEffect, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { useField } from "@conform-to/react";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { CODE_NEEDED, type ActionResult } from "#app/ui/form/action-result.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { Textarea } from "#app/ui/form/textarea.tsx";
import { Dialog } from "#app/ui/overlay/dialog.tsx";

type AdminFormProps = {
  intent: string;
  /** Row or record of the form, for its id. */
  of?: string;
  className?: string;
} & Pick<ComponentProps<typeof Form>, "action" | "children" | "encType" | "messageAt">;

/** Form of an intent of the page's own action. Asks for a code if the action needs one. */
export function AdminForm({
  intent,
  of = "",
  className = "grid justify-items-start gap-2",
  children,
  ...form
}: AdminFormProps) {
  const props = { id: `${intent}-${of}`, action: `?intent=${intent}`, className, ...form };
  return (
    <Form messageAt="end" {...props}>
      {(state) => (
        <>
          <CodeQuestion result={state.result} />
          {typeof children === "function" ? children(state) : children}
        </>
      )}
    </Form>
  );
}

type Tag = "input" | "textarea" | "select";
type ControlProps<As extends Tag> = {
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Between the label and the field. */
  tools?: ReactNode;
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
  tools,
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
  const field =
    as === "textarea" ? (
      <Textarea {...(control as ComponentProps<typeof Textarea>)} />
    ) : (
      createElement<object>(as, control)
    );
  return (
    <div className={`grid content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {tools ? (
        <div>
          {tools}
          {field}
        </div>
      ) : (
        field
      )}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

function Notes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
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

/** Error and value of a field in the surrounding form. Each refusal has a new list of errors. */
export function useAdminField(name: string, defaultValue?: unknown) {
  const [field, form] = useField<string, Record<string, unknown>>(name);
  const typed = typeof field.initialValue === "string" ? field.initialValue : undefined;
  const wasSubmitted = Object.keys(form.initialValue ?? {}).length > 0;
  const { errors } = field;
  const chosen: unknown[] = [field.initialValue ?? []].flat();
  return {
    errors,
    error: errors?.[0],
    typed,
    chosen,
    wasSubmitted,
    value: wasSubmitted ? (typed ?? "") : defaultValue,
  };
}

function FormControl<As extends Tag>({ defaultValue, ...props }: { as: As } & ControlProps<As>) {
  const { error, value } = useAdminField(props.name, defaultValue);
  // React leaves a select as it is when only its default changes.
  const key = props.as === "select" ? String(value) : undefined;
  return createElement(Control<As>, { ...props, key, error: props.error ?? error, defaultValue: value } as {
    as: As;
  } & ControlProps<As>);
}

export const AdminText = (props: ControlProps<"input">) => <FormControl as="input" {...props} />;
export const AdminArea = (props: ControlProps<"textarea">) => <FormControl as="textarea" rows={4} {...props} />;
export const AdminSelect = ({ options, ...props }: ControlProps<"select"> & { options: readonly Option[] }) => (
  <FormControl as="select" {...props}>
    {optionList(options)}
  </FormControl>
);

type CheckboxProps = {
  name: string;
  /** Value of one of several boxes of one name. */
  value?: string;
  label: string;
  hint?: string;
  isChecked?: boolean;
  isDisabled?: boolean;
};

export function AdminCheckbox({ name, value = "on", label, hint, isChecked = false, isDisabled }: CheckboxProps) {
  const id = useId();
  const { error, chosen, wasSubmitted } = useAdminField(name);
  return (
    <div>
      <label htmlFor={id} className="flex min-h-9 items-center gap-2.5 font-medium pointer-coarse:min-h-11">
        <input
          id={id}
          type="checkbox"
          name={name}
          value={value}
          defaultChecked={wasSubmitted ? chosen.includes(value) : isChecked}
          disabled={isDisabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, hint, error)}
          className="size-4.5 shrink-0 accent-leaf"
        />
        <span>{label}</span>
      </label>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** Asks for the code without which an action was refused, until there is another answer or the dialog is closed. */
export function CodeQuestion({ result }: { result: ActionResult | undefined }) {
  const [closed, setClosed] = useState<ActionResult>();
  const problem = result?.submission?.error?.code?.[0];
  if (!problem || result === closed) return null;
  return <CodeDialog problem={problem} onClose={() => setClosed(result)} />;
}

/**
 * Asks for an authenticator code, which protected actions need so that an unattended browser cannot run them. It is part
 * of the form, which is sent once more with all that was typed, and comes first in it, because Enter presses the first
 * button of a form. Without JavaScript it is open in the page.
 */
export function CodeDialog({ problem, onClose }: { problem: string; onClose?: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const title = useId();
  const isHydrated = useHydrated();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.removeAttribute("open");
    dialog?.showModal();
    // Gives the focus back to the button that was pressed.
    return () => dialog?.close();
  }, []);
  return (
    <Dialog ref={ref} open aria-labelledby={title} onClose={onClose} className="admin-dialog">
      <h2 id={title}>Confirm that it’s you</h2>
      <Control
        as="input"
        name="code"
        label="Authentication code"
        hint={`${CODE_NEEDED}. You will not be asked again for 10 minutes.`}
        error={problem === CODE_NEEDED ? undefined : problem}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- without JavaScript; an opened dialog focuses its field.
        autoFocus={!isHydrated}
      />
      <div className="flex gap-2">
        <Submit className="btn btn-primary">Continue</Submit>
        <button type="button" onClick={() => ref.current?.close()} className="btn noscript:hidden">
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
