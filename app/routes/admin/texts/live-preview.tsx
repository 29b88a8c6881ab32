/** The text on its page as it is being typed: beside the form, on narrower screens a layer above it. */
import { useEffect, useState } from "react";
import { CONNECTION_LOST } from "#app/ui/form/action-result.ts";
import { useFormState } from "#app/ui/admin/unsaved-changes.tsx";
import type { Preview } from "./preview.ts";
import { SampleFrame } from "./sample-frame.tsx";
import type { Sample } from "./state.server.ts";

const PAUSE_MS = 400;

/** A picture is too large to be sent with each word. */
const typedIn = (form: HTMLFormElement): string =>
  String(
    new URLSearchParams(
      [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
  );

/** The shop’s answer to the typed text. A text that cannot be shown leaves the last one that could. */
export function usePreview(textKey: string, samples: Sample[]): Required<Preview> {
  const path = `/admin/texts/${textKey}/preview`;
  const typed = useFormState("text", typedIn);
  const [preview, setPreview] = useState<Required<Preview>>({ problems: [], problem: null, samples });
  useEffect(() => {
    if (typed === null) return;
    const leaving = new AbortController();
    const show = (next: Preview) => leaving.signal.aborted || setPreview((before) => ({ ...before, ...next }));
    const ask = async () => {
      const body = new URLSearchParams(typed);
      const response = await fetch(`${path}?intent=preview`, { method: "POST", body, signal: leaving.signal });
      show((await response.json()) as Preview);
    };
    const timer = setTimeout(() => void ask().catch(() => show({ problems: [CONNECTION_LOST] })), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [typed, path]);
  return preview;
}

/** Opens the preview where it is not beside the form. */
export const PreviewButton = ({ isEmail }: { isEmail: boolean }) => (
  <button type="button" popoverTarget="preview" className={`btn xl:hidden ${isEmail ? "" : "noscript:hidden"}`}>
    Preview
  </button>
);

type LivePreviewProps = { preview: Required<Preview>; isEmail: boolean };

export function LivePreview({ preview: { problems, problem, samples }, isEmail }: LivePreviewProps) {
  return (
    <section
      id="preview"
      popover="auto"
      aria-labelledby="preview-title"
      className={`inset-0 m-0 h-dvh max-h-none w-screen max-w-none flex-col gap-3 border-0 bg-paper p-4 open:flex xl:sticky xl:inset-auto xl:top-4 xl:flex xl:h-[calc(100dvh-2rem)] xl:w-auto xl:p-0 ${isEmail ? "" : "noscript:hidden"}`}
    >
      <header className="flex flex-wrap items-center gap-2">
        <h2 id="preview-title" className="mr-auto max-xl:sr-only">
          Preview
        </h2>
        <button type="button" popoverTarget="preview" popoverTargetAction="hide" className="btn btn-primary xl:hidden">
          Back to writing
        </button>
        {!isEmail && (
          <button
            type="submit"
            form="text"
            name="do"
            value="preview"
            onClick={({ currentTarget }) => currentTarget.closest("section")?.hidePopover()}
            className="btn"
          >
            Save draft and open page
          </button>
        )}
      </header>
      <div role="status">
        {problem && <p className="font-medium text-error xl:hidden">{problem}</p>}
        {problems.length > 0 && (
          <>
            <p className="font-medium text-error">This cannot be shown yet:</p>
            <ul className="list-disc pl-5">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="flex min-h-0 grow flex-col gap-5 overflow-y-auto" tabIndex={isEmail ? 0 : undefined}>
        {samples.map((sample) => (
          <SampleFrame key={sample.name} {...sample} className={isEmail ? "h-140 shrink-0" : "grow"} />
        ))}
      </div>
    </section>
  );
}
