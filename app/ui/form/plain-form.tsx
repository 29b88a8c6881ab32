import {
  createContext,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { PrefetchPageLinks, useActionData, useFetcher, useLocation } from "react-router";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { notifyError } from "#app/ui/feedback/toast.ts";
import { CONNECTION_LOST, cookiesBlocked, FORM_ID, isActionResult, type ActionResult } from "./action-result.ts";

/** The result of a plain form post. The router forgets its copy as soon as news reload the data of the page. */
export function useDocumentResult(): unknown {
  const { key } = useLocation();
  const [arrival] = useState({ document: useActionData<unknown>(), key });
  return key === arrival.key ? arrival.document : undefined;
}

/** The last result of a form, from its fetcher or from the document after a plain form post. */
export function useActionResult<Data = unknown>(id: string): ActionResult<Data> | undefined {
  const fetcher = useFetcher<ActionResult<Data>>({ key: id });
  const document = useDocumentResult();
  if (fetcher.data) return fetcher.data;
  const isOurs = isActionResult(document) && (!document.formId || document.formId === id);
  return isOurs ? (document as ActionResult<Data>) : undefined;
}

export type FormState<Data = unknown> = { sent: FormData | undefined; result: ActionResult<Data> | undefined };

export type PlainFormProps<Data = unknown> = {
  /** Unique on the page, also among list rows. */
  id: string;
  /** Shared by forms whose result shows elsewhere on the page. */
  answerId?: string;
  /** Route of the action; defaults to the page's own. */
  action?: string;
  encType?: "multipart/form-data";
  /** Shown if the shop did not answer; a toast if it has a title. */
  failure?: { title?: string; message: string };
  messageAt?: "start" | "end" | "none";
  /** Feature that needs a cookie: "the cart". A browser that blocks cookies says so and sends nothing. */
  needsCookie?: string;
  /** Submits the latest values again after the pending response; otherwise a press during submission is ignored. */
  sendsLast?: boolean;
  children: ReactNode | ((state: FormState<Data>) => ReactNode);
} & Pick<ComponentProps<"form">, "aria-label" | "aria-labelledby" | "className" | "noValidate" | "onSubmit" | "target">;

const SentContext = createContext<FormData | undefined>(undefined);

/** Pending state of a form, for parts of the page outside of it. */
export const useIsPending = (id: string) => useFetcher({ key: id }).state !== "idle";

/** Form of every write: works without JavaScript and submits once at a time. Form adds validation of its fields. */
export function PlainForm<Data = unknown>(form: PlainFormProps<Data>) {
  return <AnsweredForm {...form} answer={useActionResult<Data>(form.answerId ?? form.id)} />;
}

/**
 * A form whose result is read by its parent. The router's fetchers are read as of now, so two components that render
 * at different times would show an answer in two steps.
 */
export function AnsweredForm<Data = unknown>({
  id,
  answerId = id,
  encType,
  failure = { message: CONNECTION_LOST },
  messageAt = "start",
  sendsLast = false,
  needsCookie,
  onSubmit,
  answer,
  children,
  ...attributes
}: PlainFormProps<Data> & { answer: ActionResult<Data> | undefined }) {
  const fetcher = useFetcher<ActionResult<Data>>({ key: answerId });
  const next = useRef<{ values: FormData; action: string | undefined }>(undefined);
  const isSending = useRef(false);
  const wasSent = useRef(false);
  const [sent, setSent] = useState<FormData>();

  async function send(event: SubmitEvent<HTMLFormElement>) {
    onSubmit?.(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (needsCookie && !navigator.cookieEnabled) return notifyError(cookiesBlocked(needsCookie));
    if (isSending.current && !sendsLast) return;
    const { currentTarget: form, nativeEvent } = event;
    const { submitter } = nativeEvent as globalThis.SubmitEvent;
    const values = new FormData(form, submitter);
    next.current = {
      values,
      action: (submitter?.getAttribute("formaction") ?? form.getAttribute("action")) || undefined,
    };
    setSent(values);
    if (isSending.current) return;
    isSending.current = true;
    wasSent.current = true;
    while (next.current) {
      const latest = next.current;
      next.current = undefined;
      await fetcher.submit(latest.values, { method: "post", action: latest.action, encType });
    }
    isSending.current = false;
    startTransition(() => setSent(undefined));
  }

  const isFailure = answer !== undefined && !answer.ok && !answer.message && !hasFieldErrors(answer);
  const result = isFailure ? { ...answer, ...failure } : answer;
  const failedToast = isFailure && fetcher.data ? failure.title : undefined;
  useEffect(() => {
    if (failedToast && wasSent.current) notifyError(failure.message, failedToast);
  }, [answer, failedToast, failure.message]);

  // Toasts need JavaScript, so a document shows the message inline.
  const message = result && (!result.title || !fetcher.data) && messageAt !== "none" && (
    <ActionMessage result={result} />
  );
  return (
    <SentContext value={sent}>
      <fetcher.Form id={id} method="post" encType={encType} noValidate onSubmit={send} {...attributes}>
        <input type="hidden" name={FORM_ID} value={answerId} />
        {messageAt === "start" && message}
        {typeof children === "function" ? children({ sent, result }) : children}
        {messageAt === "end" && message}
      </fetcher.Form>
    </SentContext>
  );
}

const hasFieldErrors = ({ submission }: ActionResult) => Object.keys(submission?.error ?? {}).length > 0;

/** Message of an action result: a success as a status, a refusal as an alert. */
export function ActionMessage({ result }: { result: ActionResult }) {
  const { ok, title, message } = result;
  if (!message) return null;
  const text = title ? `${title}${title.endsWith("!") ? "" : "."} ${message}` : message;
  if (ok)
    return (
      <p role="status" className="rounded-card bg-leaf-light px-5 py-4 font-medium">
        {text}
      </p>
    );
  return (
    <Alert focusFor={!hasFieldErrors(result) && result} className="px-5 py-4 outline-none">
      {text}
    </Alert>
  );
}

/**
 * Prefetches the modules of routes whose actions other pages call. The router reloads the page if a module fails to
 * load, so a browser that goes offline would lose the page.
 */
export function FormRoutes({ actions }: { actions: string[] }) {
  const isHydrated = useHydrated();
  return isHydrated && actions.map((action) => <PrefetchPageLinks key={action} page={action} />);
}

type SubmitProps = {
  /** Value of `intent` for the action, in forms with several buttons. */
  intent?: string;
  /** Label while submitting. */
  busy?: ReactNode;
} & ComponentProps<"button">;

/** Submit button that stays focusable while submitting. */
export function Submit({
  intent,
  name = intent && "intent",
  value = intent,
  busy,
  className = "button button-primary",
  children,
  ...button
}: SubmitProps) {
  const sent = useContext(SentContext);
  const isBusy = sent !== undefined && (!name || sent.get(name) === value);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      aria-disabled={sent !== undefined || undefined}
      className={className}
      {...button}
    >
      {isBusy ? (busy ?? children) : children}
    </button>
  );
}
