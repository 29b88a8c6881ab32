/** The bar of a long form, with a notice of unsaved changes, and a question before they are lost. */
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { useBeforeUnload, useBlocker, useNavigate, type Location } from "react-router";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { ActionMessage, useActionResult, useIsPending } from "#app/ui/form/form.tsx";
import { Dialog } from "#app/ui/overlay/dialog.tsx";

const EVENTS = ["input", "click", "reset"];

/** The result of `read`, now, after each input and after a reset; null before hydration. */
export function useFormState<Value>(formId: string, read: (form: HTMLFormElement) => Value): Value | null {
  const [value, setValue] = useState<Value | null>(null);
  useEffect(() => {
    // A frame later, scripts have filled in what follows from the input.
    const readSoon = () =>
      requestAnimationFrame(() => {
        const form = document.forms.namedItem(formId);
        if (form) setValue(read(form));
      });
    const listen = ({ target }: Event) => {
      if (((target as HTMLInputElement).form ?? (target as HTMLElement)).id === formId) readSoon();
    };
    readSoon();
    for (const event of EVENTS) document.addEventListener(event, listen, { capture: true });
    return () => {
      for (const event of EVENTS) document.removeEventListener(event, listen, { capture: true });
    };
  }, [formId, read]);
  return value;
}

export const isChanged = (form: HTMLFormElement): boolean =>
  [...form.elements].some((field) => {
    // Fields without a name are not sent.
    if (!field.getAttribute("name")) return false;
    // Fields with a state of their own have it as their default, too.
    if ((field as HTMLElement).dataset.changed !== undefined) return true;
    if (field instanceof HTMLSelectElement)
      return [...field.options].some((one) => one.selected !== one.defaultSelected);
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLInputElement)) return false;
    return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  });

/** Version that a refused form was based on. */
export const versionOf = (result: ActionResult | undefined): string | undefined => {
  const version = result?.ok === false ? result.submission?.initialValue?.version : undefined;
  return typeof version === "string" ? version : undefined;
};

/** The data as opened or last saved in a form, so that changes by others never enter it. */
export function useSeen<Loaded>(formId: string, loaded: Loaded): Loaded {
  const answer = useActionResult(formId);
  const isPending = useIsPending(formId);
  const [seen, setSeen] = useState(loaded);
  const [handled, setHandled] = useState(answer);
  if (!isPending && answer !== handled) {
    setHandled(answer);
    if (answer?.ok) setSeen(loaded);
  }
  return seen;
}

type Address = Pick<Location, "pathname" | "search">;

const isSame = (one: Address | undefined, other: Address) =>
  one?.pathname === other.pathname && one.search === other.search;

type SaveBarProps = { formId: string; result: ActionResult | undefined; children: ReactNode };

/** The answer and the buttons of a long form, always in sight. */
export function SaveBar({ formId, result, children }: SaveBarProps) {
  const hasChanges = useFormState(formId, isChanged);
  // A code is asked for in a dialog.
  const hasRefusedFields = result?.ok === false && !result.message && !result.submission?.error?.code;
  return (
    <div className="save-bar sticky bottom-0 z-10 grid gap-3 border-t border-line bg-paper py-3">
      {result && !(result.ok && hasChanges) && (
        <ActionMessage result={hasRefusedFields ? { ...result, message: "A few fields need fixing." } : result} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <UnsavedChanges formId={formId} />
      </div>
    </div>
  );
}

/** Never asks while the form is being saved, which may end in a redirect. */
export function UnsavedChanges({ formId }: { formId: string }) {
  const hasChanges = useFormState(formId, isChanged);
  const isRefused = useActionResult(formId)?.ok === false;
  const isPending = useIsPending(formId);
  // A refusal has what was typed as its defaults. Without JavaScript, nobody saw what was typed.
  const [wasUnsaved, setWasUnsaved] = useState(true);
  const isUnsaved = hasChanges === true || (isRefused && wasUnsaved);
  if (isPending && wasUnsaved !== isUnsaved) setWasUnsaved(isUnsaved);
  return (
    <>
      <p role="status" className="text-ink-soft">
        {isUnsaved ? "Unsaved changes" : ""}
      </p>
      {isUnsaved && !isPending && <LeaveGuard />}
    </>
  );
}

/**
 * Mounted only while there is something to lose, since the router has one blocker at a time and a page may have several
 * forms. Asks by itself: the router drops what it has blocked with each reload of the page's data, which news cause.
 */
function LeaveGuard() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Location>();
  const left = useRef<Location>(undefined);
  useBlocker(({ currentLocation, nextLocation }) => {
    if (isSame(currentLocation, nextLocation) || isSame(left.current, nextLocation)) return false;
    setAsked(nextLocation);
    return true;
  });
  useBeforeUnload((event) => event.preventDefault());
  const leave = (to: Location) => {
    left.current = to;
    void navigate(to);
  };
  return asked && <LeaveQuestion onClose={() => setAsked(undefined)} onLeave={() => leave(asked)} />;
}

function LeaveQuestion({ onClose, onLeave }: Record<"onClose" | "onLeave", () => void>) {
  const ref = useRef<HTMLDialogElement>(null);
  const title = useId();
  return (
    <Dialog ref={ref} opensOnMount aria-labelledby={title} onClose={onClose} className="admin-dialog">
      <h2 id={title}>Leave without saving?</h2>
      <p className="text-ink-soft">Your changes on this page will be lost.</p>
      <div className="flex gap-2">
        <button type="button" onClick={() => ref.current?.close()} className="btn btn-primary">
          Keep editing
        </button>
        <button type="button" onClick={onLeave} className="btn">
          Leave
        </button>
      </div>
    </Dialog>
  );
}
