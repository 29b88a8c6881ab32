/** Folded help below the fields of a text. */
import { useEffect, useRef, type MouseEvent } from "react";
import { typeInto } from "#app/ui/admin/markdown-toolbar.tsx";

type Field = HTMLInputElement | HTMLTextAreaElement;

const takesWords = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");

/** The field of the form that was typed in last, or its text. */
function useLastField(formId: string) {
  const last = useRef<Field>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (takesWords(target) && target.form?.id === formId) last.current = target;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [formId]);
  return () => (last.current?.isConnected ? last.current : document.querySelector<Field>(`#${formId} textarea`));
}

const stay = (event: MouseEvent) => event.preventDefault();

type Words = [name: string, value: string][];

/** Names in braces, which a press inserts into the field that was typed in last; `own` are those of this text alone. */
export function Placeholders({ words, own }: { words: Words; own: Words }) {
  const lastField = useLastField("text");
  const insert = (text: string) => {
    const field = lastField();
    if (!field) return;
    const [from, to] = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
    typeInto(field, { from, to, text, start: from + text.length, end: from + text.length });
  };
  const listed = (shown: Words) => (
    <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-2">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>
            <button type="button" onMouseDown={stay} onClick={() => insert(`{${name}}`)} className="admin-link">
              <code>{`{${name}}`}</code>
            </button>
          </dt>
          <dd className="text-ink-soft">{value}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      {own.length > 0 && (
        <section aria-label="Placeholders of this email" className="pb-2">
          <p className="font-medium">Placeholders of this email</p>
          {listed(own)}
          {own.some(([name]) => name === "firstName") && (
            <p className="mt-1 text-ink-soft">An email to a guest says “there” in place of the first name.</p>
          )}
        </section>
      )}
      <details>
        <summary className="min-h-9 font-medium pointer-coarse:min-h-11">Placeholders</summary>
        <p className="text-ink-soft">
          Names in braces stand for what the settings say.{" "}
          <span className="noscript:hidden">Press one to insert it where you last typed.</span>
        </p>
        {listed(words)}
      </details>
    </>
  );
}

export const MarkdownHelp = ({ isEmail }: { isEmail: boolean }) => (
  <details>
    <summary className="min-h-9 font-medium pointer-coarse:min-h-11">Writing help</summary>
    <ul className="grid gap-1.5 text-ink-soft">
      <li>A blank line starts a new paragraph.</li>
      <li>
        <code>## Heading</code>, <code>### Smaller heading</code>; <code>{"## Heading {#its-address}"}</code> names it
        for links.
      </li>
      <li>
        <code>**bold**</code>, <code>_italic_</code>, <code>- item</code>, <code>1. step</code>,{" "}
        <code>{"> quote"}</code>
      </li>
      <li>
        <code>[words](/support)</code>, or an address with https:// or mailto:
      </li>
      {!isEmail && (
        <>
          <li>
            <code>![what it shows](lifestyle-week)</code>, a picture of the shop by its name
          </li>
          <li>
            Tables have lines such as <code>| Apple | Cold |</code>, below a first line and <code>| --- | --- |</code>.
          </li>
        </>
      )}
    </ul>
  </details>
);
