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
  /** Label of its button, or of one for each file by the file's name in the address. */
  label: string | Record<string, string>;
  /** Reason of a disabled download. */
  why?: string | null;
  /** Messages of other refusals than for a code. */
  problems?: Record<string, string>;
};

const filesOf = (action: string, labels: Record<string, string>) =>
  Object.entries(labels).map(([file, words]) => [`${action}&file=${file}`, words] as const);

/** A plain form, because only a document can be a download. A refused one leads back, with its reason in the address. */
export function DownloadForm({ action, title, note, label, why = null, problems = {} }: DownloadProps) {
  const [query] = useSearchParams();
  const refusal = query.get("export") ?? "";
  const codeProblem = CODE_PROBLEMS[refusal];
  const files = typeof label === "string" ? [[action, label] as const] : filesOf(action, label);
  // A code that was asked for goes with the file that was refused.
  const refused = files.find(([address]) => address.endsWith(`&file=${query.get("file")}`)) ?? files[0];
  return (
    <form
      id="export"
      method="post"
      noValidate
      action={refused?.[0]}
      onSubmit={({ currentTarget }) => currentTarget.querySelector("dialog")?.close()}
      className="grid justify-items-start gap-2"
    >
      {codeProblem && <CodeDialog problem={codeProblem} />}
      <h2>{title}</h2>
      <p className="max-w-prose text-ink-soft">{note}</p>
      <p className="flex flex-wrap gap-2">
        {files.map(([address, words]) => (
          <button key={address} type="submit" formAction={address} disabled={why !== null} className="btn">
            {words}
          </button>
        ))}
      </p>
      {why && <p className="text-ink-soft">{why}</p>}
      {refusal && !codeProblem && (
        <p role="alert" className="font-medium text-error">
          {problems[refusal] ?? "The file could not be created."}
        </p>
      )}
    </form>
  );
}
