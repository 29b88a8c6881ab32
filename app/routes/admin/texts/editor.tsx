/** The form in which a text is written. */
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { AdminArea, AdminCheckbox, AdminText } from "#app/ui/admin/field.tsx";
import { MarkdownToolbar, pressTool } from "#app/ui/admin/markdown-toolbar.tsx";
import { SaveBar, useFormState, useSeen, versionOf } from "#app/ui/admin/unsaved-changes.tsx";
import { momentWords } from "#app/ui/admin/when.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import type { Route } from "./+types/text.ts";
import { Fields } from "./fields.tsx";
import { PreviewButton } from "./live-preview.tsx";
import { PICTURE_MENU } from "./picture-menu.tsx";
import { MarkdownHelp, Placeholders } from "./writing-help.tsx";

type Loaded = Route.ComponentProps["loaderData"];
type Answer = { over?: number; isPublished?: boolean };

export const hasPictures = ({ group, key, markdown }: Loaded): boolean =>
  markdown !== null && group !== "Emails" && key !== "faq";

const isLater = (form: HTMLFormElement): boolean => {
  const typed = new FormData(form);
  const day = typed.get("effectiveOn");
  return !!typed.get("publishAt") || (typeof day === "string" && day > newYorkDay(clock.now()));
};

/** Without JavaScript its word cannot follow the field. */
function PublishButton() {
  const schedules = useFormState("text", isLater) === true;
  return (
    <Submit name="do" value="publish" busy="Saving…" className="btn btn-primary">
      <span className="noscript:hidden">{schedules ? "Schedule" : "Publish"}</span>
      <span className="hidden noscript:inline">Publish or schedule</span>
    </Submit>
  );
}

export function Editor({ loaded, problem }: { loaded: Loaded; problem: string | null }) {
  const seen = useSeen("text", loaded);
  const { newest, opened, markdown, used, group, path, words, placeholders } = seen;
  const isEmail = group === "Emails";
  const isPlain = seen.key === "faq";
  return (
    <Form<Record<string, string>, Answer>
      id="text"
      action="?intent=save"
      key={`${newest}-${opened}`}
      messageAt="none"
      className="grid content-start gap-5"
      {...(group === "Posts" && { encType: "multipart/form-data" })}
    >
      {({ result }) => (
        <>
          <input type="hidden" name="version" value={versionOf(result) ?? newest} />
          <Fields loaded={seen} wrong={Object.keys(result?.submission?.error ?? {})} />
          {markdown !== null && (
            <AdminArea
              name="markdown"
              label={isEmail ? "Opening lines" : "Text"}
              hint={
                isEmail
                  ? "Below the heading, before what the email says, which may begin with a greeting. May be empty."
                  : used
              }
              error={problem ?? undefined}
              tools={
                <MarkdownToolbar
                  field="markdown"
                  pictures={hasPictures(seen) ? PICTURE_MENU : null}
                  isPlain={isPlain}
                />
              }
              onKeyDown={pressTool}
              rows={Math.min(40, Math.max(14, Math.ceil(markdown.length / 75)))}
              defaultValue={markdown}
              spellCheck
            />
          )}
          <div className="grid gap-1">
            {markdown !== null && <MarkdownHelp isEmail={isEmail} />}
            <Placeholders words={words} own={placeholders} />
          </div>
          {group === "Legal texts" ? (
            <LegalDay effectiveOn={seen.effectiveOn} />
          ) : (
            <AdminText
              name="publishAt"
              type="datetime-local"
              label="Publish at"
              hint="New York time. Empty to publish now."
              defaultValue={seen.publishAt}
              className="max-w-64"
            />
          )}
          {seen.scheduled && (
            <>
              <input type="hidden" name="planned" value={seen.scheduled.version} />
              <AdminCheckbox
                name="replaces"
                label={`In place of version ${seen.scheduled.version}, scheduled ${momentWords(seen.scheduled.at, clock.now())}`}
                isChecked
              />
            </>
          )}
          {result?.data?.over !== undefined && (
            <>
              <input type="hidden" name="over" value={result.data.over} />
              <AdminCheckbox name="isOver" label={`Save mine on top of version ${result.data.over}`} />
            </>
          )}
          <SaveBar formId="text" result={result}>
            <PublishButton />
            <Submit name="do" value="draft" busy="Saving…" className="btn">
              Save draft
            </Submit>
            <Submit name="do" value="preview" className="btn hidden noscript:inline-flex">
              Save draft and preview
            </Submit>
            <PreviewButton isEmail={isEmail} />
            {result?.data?.isPublished && path && (
              <a href={path} className="btn">
                View
              </a>
            )}
          </SaveBar>
        </>
      )}
    </Form>
  );
}

function LegalDay({ effectiveOn }: Pick<Loaded, "effectiveOn">) {
  return (
    <>
      <AdminText
        name="effectiveOn"
        type="date"
        label="Takes effect on"
        hint="Starting at midnight in New York. Orders keep the version that was in force. Leave empty for today."
        defaultValue={effectiveOn}
        className="max-w-64"
      />
      <AdminCheckbox name="isAnnounced" label="Announce it in the notice bar until then" isChecked />
    </>
  );
}
