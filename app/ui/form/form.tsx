import {
  FormProvider,
  getFormProps,
  useForm,
  type DefaultValue,
  type FieldMetadata,
  type Submission,
} from "@conform-to/react";
import { useEffect, useRef, type ReactNode } from "react";
import { AnsweredForm, useActionResult, type FormState, type PlainFormProps } from "./plain-form.tsx";

export { ActionMessage, Submit, useActionResult, useDocumentResult, useIsPending } from "./plain-form.tsx";

type Values = Record<string, unknown>;

type FieldState<Input extends Values, Data> = FormState<Data> & {
  fields: Required<{ [Name in keyof Input]: FieldMetadata<Input[Name], Input, string[]> }>;
  values: Partial<Record<keyof Input, unknown>>;
};

type FormProps<Input extends Values, Data> = Omit<PlainFormProps<Data>, "children" | "noValidate" | "onSubmit"> & {
  /** Validates in the browser, by the action's schema. */
  validate?: (form: FormData) => Submission<unknown, string[], Input>;
  defaultValue?: DefaultValue<NoInfer<Input>>;
  children: ReactNode | ((state: FieldState<Input, Data>) => ReactNode);
};

/** Form with fields: shows the errors of each, preserves typed values, and starts over after a success that clears. */
export function Form<Input extends Values = Values, Data = unknown>({
  validate,
  defaultValue,
  children,
  ...plain
}: FormProps<Input, Data>) {
  const { id, answerId = id } = plain;
  const answer = useActionResult<Data>(answerId);
  const [form, fields] = useForm<Input, Input>({
    id,
    lastResult: answer?.submission,
    defaultValue,
    // Forms without a browser schema are validated by the server only, on submit.
    shouldValidate: "onSubmit",
    shouldRevalidate: validate ? "onInput" : "onSubmit",
    onValidate: validate && (({ formData }) => validate(formData)),
  });
  useValidationAfterBlur(id, validate && form.validate);
  useTypedBeforeHydration(id);
  useDefaultsAfterReset(id, form.key);

  return (
    <FormProvider context={form.context}>
      <AnsweredForm<Data> {...plain} {...getFormProps(form)} answer={answer}>
        {(state) =>
          typeof children === "function"
            ? children({ ...state, fields: fields as FieldState<Input, Data>["fields"], values: form.value ?? {} })
            : children
        }
      </AnsweredForm>
    </FormProvider>
  );
}

/**
 * Validates a field once it is left and the press that leaves it is over. An error takes room: between mousedown and
 * mouseup it would move what is pressed away from the pointer, and no click would come of it.
 */
function useValidationAfterBlur(id: string, validate: ((field: { name: string }) => void) | undefined) {
  const latest = useRef(validate);
  useEffect(() => void (latest.current = validate));
  useEffect(() => {
    const stop = new AbortController();
    const form = document.forms.namedItem(id);
    const left = new Set<string>();
    let isPressed = false;
    const validateLeft = () => {
      isPressed = false;
      for (const name of form?.isConnected ? left : []) latest.current?.({ name });
      left.clear();
    };
    const afterClick = () => setTimeout(validateLeft);
    const listen = { capture: true, signal: stop.signal };
    document.addEventListener("mousedown", () => (isPressed = true), listen);
    document.addEventListener("mouseup", afterClick, listen);
    // A drag ends without a mouseup.
    document.addEventListener("dragend", afterClick, listen);
    form?.addEventListener(
      "focusout",
      ({ target }) => {
        const { name, ariaInvalid } = target as HTMLInputElement;
        // An error that shows may be the server's, and stays until its field changes.
        if (!name || ariaInvalid === "true") return;
        left.add(name);
        // A removed field loses the focus while React hears no submit, and the browser would send the validation.
        if (!isPressed) queueMicrotask(validateLeft);
      },
      listen,
    );
    return () => stop.abort();
  }, [id]);
}

/** Fields filled in before hydration are read as current input. */
function useTypedBeforeHydration(id: string) {
  useEffect(() => {
    const form = document.forms.namedItem(id);
    form
      ?.querySelector("input:not([type=hidden]), select, textarea")
      ?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [id]);
}

/** Conform's reset, which gives the form a new key, empties fields with a default of their own. */
function useDefaultsAfterReset(id: string, key: string | undefined) {
  useEffect(() => {
    if (key === undefined) return;
    const form = document.forms.namedItem(id);
    // Conform would reset again.
    form?.addEventListener("reset", (event) => event.stopPropagation(), { once: true });
    form?.reset();
  }, [id, key]);
}
