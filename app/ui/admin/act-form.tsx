/** A form that does one thing to one row, and says beside itself what happened. It works without JavaScript, too. */
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from "react";
import { useActionData, useFetcher } from "react-router";
import type { ActResult } from "./act-result.ts";

type ActFormProps = {
  act: string;
  /** The page's own address: its action does the act. */
  path: string;
  /** Which of several forms with the same act: it comes back with the result. */
  rowKey?: string;
  className?: string;
  /** Its fields are empty again once it is done. */
  clears?: boolean;
  /** For a file. */
  encType?: "multipart/form-data";
  children: ReactNode | ((state: { isPending: boolean; result: ActResult | undefined }) => ReactNode);
};

const ResultContext = createContext<ActResult | undefined>(undefined);

/** The result of the form around it. */
export const useActResult = () => useContext(ResultContext);

const isOurs = (value: unknown, act: string, key: string): value is ActResult =>
  typeof value === "object" &&
  value !== null &&
  "act" in value &&
  value.act === act &&
  "key" in value &&
  value.key === key;

export function ActForm({ act, path, rowKey = "", className = "", clears = false, encType, children }: ActFormProps) {
  const fetcherKey = `${path} ${act} ${rowKey}`;
  const fetcher = useFetcher<ActResult>({ key: fetcherKey });
  const posted = useActionData<unknown>();
  const answer = fetcher.data ?? posted;
  // The router forgets the answer where the form that sent it has given way to this one, elsewhere on the page.
  const [kept, setKept] = useState({ fetcherKey, answer });
  if (kept.fetcherKey !== fetcherKey || (answer !== undefined && answer !== kept.answer)) {
    setKept({ fetcherKey, answer });
  }
  const candidate = answer ?? (kept.fetcherKey === fetcherKey ? kept.answer : undefined);
  const result = isOurs(candidate, act, rowKey) ? candidate : undefined;
  const isPending = fetcher.state !== "idle";
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!result) return;
    if (result.ok) {
      if (clears) form.current?.reset();
      return;
    }
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [result, clears]);
  return (
    <ResultContext value={result}>
      <fetcher.Form
        ref={form}
        method="post"
        action={`${path}${path.includes("?") ? "&" : "?"}act=${act}`}
        encType={encType}
        noValidate
        className={className}
      >
        {rowKey !== "" && <input type="hidden" name="key" value={rowKey} />}
        {typeof children === "function" ? children({ isPending, result }) : children}
        <ActMessage result={result} />
      </fetcher.Form>
    </ResultContext>
  );
}

/** What happened, read out when it comes. */
export function ActMessage({ result }: { result: ActResult | undefined }) {
  return (
    <p
      role={result && !result.ok ? "alert" : "status"}
      className={`empty:hidden ${result?.ok ? "text-good" : "text-error"} font-medium`}
    >
      {result?.message}
    </p>
  );
}
