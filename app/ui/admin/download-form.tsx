import { useSearchParams } from "react-router";
import { CODE_NEEDED } from "#app/ui/form/action-result.ts";
import { CodeDialog } from "./field.tsx";

const CODE_PROBLEMS: Record<string, string> = {
  code: CODE_NEEDED,
  "wrong-code": "That code is incorrect or already used. Codes change every 30 seconds.",
};

type DownloadProps = {
  action: string;
  title: string;
  note: string;
  label: string;
  /** Reason of a disabled download. */
  why?: string | null;
  /** Messages of other refusals than for a code. */
  problems?: Record<string, string>;
};

/** A plain form, because only a document can be a download. A refused one leads back, with its reason in the address. */
export function DownloadForm({ action, title, note, label, why = null, problems = {} }: DownloadProps) {
  const [query] = useSearchParams();
  const refusal = query.get("export") ?? "";
  const codeProblem = CODE_PROBLEMS[refusal];
  return (
    <form
      id="export"
      method="post"
      noValidate
      action={action}
      onSubmit={({ currentTarget }) => currentTarget.querySelector("dialog")?.close()}
      className="grid justify-items-start gap-2"
    >
      {codeProblem && <CodeDialog problem={codeProblem} />}
      <h2>{title}</h2>
      <p className="max-w-prose text-ink-soft">{note}</p>
      <button type="submit" disabled={why !== null} className="btn">
        {label}
      </button>
      {why && <p className="text-ink-soft">{why}</p>}
      {refusal && !codeProblem && (
        <p role="alert" className="font-medium text-error">
          {problems[refusal] ?? "The file could not be created."}
        </p>
      )}
    </form>
  );
}
