/** The form in which a text is written. */
import { useState, type ReactNode } from "react";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { MAX_DESCRIPTION, MIN_DESCRIPTION } from "#shop/content/text-fields.ts";
import { MIN_PICTURE_WIDTH } from "#shop/catalog/back-office/product-form.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { AdminArea, AdminCheckbox, AdminSelect, AdminText, FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { MarkdownToolbar, pressTool } from "#app/ui/admin/markdown-toolbar.tsx";
import { SaveBar, useFormState } from "#app/ui/admin/unsaved-changes.tsx";
import { momentWords } from "#app/ui/admin/when.tsx";
import { Form, Submit, useActionResult, useIsPending } from "#app/ui/form/form.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import type { Route } from "./+types/text.ts";
import { PreviewButton } from "./live-preview.tsx";
import { MarkdownHelp, Placeholders } from "./writing-help.tsx";

type Loaded = Route.ComponentProps["loaderData"];
type Answer = { over?: number; isPublished?: boolean };

/** Version that a refused form was based on. */
const versionOf = (result: ActionResult | undefined): string | undefined => {
  const version = result?.ok === false ? result.submission?.initialValue?.version : undefined;
  return typeof version === "string" ? version : undefined;
};

function PictureField({ name }: { name: string }) {
  const { error } = useAdminField("pictures");
  return (
    <div className="grid gap-1">
      {name && <Picture name={name} alt="" sizes="240px" imgClassName="aspect-3/2 w-60 rounded-lg object-cover" />}
      <label htmlFor="post-picture" className="font-medium">
        {name ? "Another picture" : "Picture"}
      </label>
      <input
        id="post-picture"
        type="file"
        name="pictures"
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-describedby="post-picture-hint"
        aria-invalid={error ? true : undefined}
        className="admin-field py-1.5 file:mr-3 file:rounded-full file:border file:border-line file:bg-paper file:px-3"
      />
      <p id="post-picture-hint" className="text-ink-soft">
        JPEG, PNG, WebP or AVIF, at least {MIN_PICTURE_WIDTH} pixels wide. Shown three to two, in the preview once it is
        saved.
      </p>
      <FieldError id="post-picture-error">{error}</FieldError>
    </div>
  );
}

const charactersIn = (form: HTMLFormElement): number =>
  (form.elements.namedItem("description") as HTMLInputElement).value.trim().length;

function DescriptionField({ value }: { value: string }) {
  const count = useFormState("text", charactersIn) ?? value.length;
  const needed = count < MIN_DESCRIPTION ? `, ${MIN_DESCRIPTION - count} more` : "";
  return (
    <AdminArea
      name="description"
      label="Description"
      hint={`For search results: ${MIN_DESCRIPTION} to ${MAX_DESCRIPTION} characters${needed}.`}
      rows={3}
      defaultValue={value}
    />
  );
}

/** Three products, chosen by name; one that is no longer sold keeps its URL handle. */
function ProductsBelow({ value, products }: { value: string; products: Loaded["products"] }) {
  const slugs = value.split("\n").filter(Boolean);
  const known = new Set(products.map(({ slug }) => slug));
  const options = [
    ["", "None"] as const,
    ...slugs.filter((slug) => !known.has(slug)).map((slug) => [slug, slug] as const),
    ...products.map(({ slug, name }) => [slug, name] as const),
  ];
  return (
    <fieldset className="grid gap-3 sm:grid-cols-3">
      <legend className="sr-only">Products below</legend>
      {[0, 1, 2].map((index) => (
        <AdminSelect
          key={index}
          name={`related-${index}`}
          label={`Product below ${index + 1}`}
          defaultValue={slugs[index] ?? ""}
          options={options}
        />
      ))}
    </fieldset>
  );
}

type FieldProps = { field: Loaded["fields"][number]; loaded: Loaded };

function Field({ field, loaded: { categories, products, group } }: FieldProps) {
  const { name, label, value, isLong, used } = field;
  if (name === "picture") {
    return (
      <>
        <input type="hidden" name="picture" value={value} />
        <PictureField name={value} />
      </>
    );
  }
  if (name === "category") {
    return <AdminSelect name={name} label={label} defaultValue={value} options={categories.map((one) => [one, one])} />;
  }
  if (name === "date") {
    return (
      <AdminText
        name={name}
        label="Date shown"
        type="date"
        hint="Empty for the day of publication."
        defaultValue={value}
      />
    );
  }
  if (name === "until") {
    return (
      <AdminText
        name={name}
        label="Until"
        type="datetime-local"
        hint="New York time. Empty to show it until you withdraw it."
        defaultValue={value}
        className="max-w-64"
      />
    );
  }
  if (name === "subject") {
    return <AdminText name={name} label="Subject" hint="{subject} is the shop’s own subject." defaultValue={value} />;
  }
  if (name === "related") return <ProductsBelow value={value} products={products} />;
  if (name === "description" && group === "Posts") return <DescriptionField value={value} />;
  const Control = isLong ? AdminArea : AdminText;
  return <Control name={name} label={label} hint={used} defaultValue={value} {...(isLong && { rows: 3 })} />;
}

type PartProps = { name: string; isOpen: boolean; isRefused: boolean; children: ReactNode };

/** The fields of a part of the page, folded below its name; open again after a refusal of one of them. */
function Part({ name, isOpen, isRefused, children }: PartProps) {
  const [opensFirst] = useState(isOpen);
  return (
    <details open={opensFirst || isRefused} className="border-t border-line pt-3">
      <summary className="min-h-9 font-semibold pointer-coarse:min-h-11">{name}</summary>
      <div className="mt-2 grid gap-5 pb-2">{children}</div>
    </details>
  );
}

/** The fields of the whole page, then those of each part. */
function Fields({ loaded, wrong }: { loaded: Loaded; wrong: string[] }) {
  const { fields } = loaded;
  const parts = new Set(fields.flatMap(({ part }) => part ?? []));
  const fieldsOf = (shown: string | null) =>
    fields
      .filter(({ part }) => part === shown)
      .map((field) => <Field key={field.name} field={field} loaded={loaded} />);
  return (
    <>
      {fieldsOf(null)}
      {[...parts].map((part, index) => (
        <Part
          key={part}
          name={part}
          isOpen={index === 0}
          isRefused={fields.some((field) => field.part === part && wrong.includes(field.name))}
        >
          {fieldsOf(part)}
        </Part>
      ))}
    </>
  );
}

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

/** Edits the text as opened or last saved here, so that versions of others never enter the form. */
export function Editor({ loaded }: { loaded: Loaded }) {
  const answer = useActionResult("text");
  const isPending = useIsPending("text");
  const [seen, setSeen] = useState(loaded);
  const [handled, setHandled] = useState(answer);
  if (!isPending && answer !== handled) {
    setHandled(answer);
    if (answer?.ok) setSeen(loaded);
  }
  const { newest, opened, markdown, used, group, path, words } = seen;
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
              hint={isEmail ? "Below the heading, before what the email says. May be empty." : used}
              tools={<MarkdownToolbar field="markdown" hasPictures={!isEmail && !isPlain} isPlain={isPlain} />}
              onKeyDown={pressTool}
              rows={Math.min(40, Math.max(14, Math.ceil(markdown.length / 75)))}
              defaultValue={markdown}
              spellCheck
            />
          )}
          <div className="grid gap-1">
            {markdown !== null && <MarkdownHelp />}
            <Placeholders words={words} />
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
          {seen.scheduled && group !== "Legal texts" && (
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
        hint="From midnight in New York. Orders keep the version that was in force. Empty for today."
        defaultValue={effectiveOn}
        className="max-w-64"
      />
      <AdminCheckbox name="isAnnounced" label="Announce it in the notice bar until then" isChecked />
    </>
  );
}
