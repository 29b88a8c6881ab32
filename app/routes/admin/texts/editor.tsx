/** The form in which a text is written. */
import { useState } from "react";
import { MIN_PICTURE_WIDTH } from "#shop/catalog/back-office/product-form.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { AdminArea, AdminCheckbox, AdminSelect, AdminText, FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { UnsavedChanges } from "#app/ui/admin/unsaved-changes.tsx";
import { Form, Submit, useActionResult, useIsPending } from "#app/ui/form/form.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import type { Route } from "./+types/text.ts";

type Loaded = Route.ComponentProps["loaderData"];
type Changed = { over: number };

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
        JPEG, PNG, WebP or AVIF, at least {MIN_PICTURE_WIDTH} pixels wide. Shown three to two.
      </p>
      <FieldError id="post-picture-error">{error}</FieldError>
    </div>
  );
}

function Field({ field, categories }: { field: Loaded["fields"][number]; categories: string[] }) {
  const { name, label, value, isLong } = field;
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
  if (name === "related") {
    return (
      <AdminArea
        name={name}
        label="Products below"
        hint="URL handles, one per line, at most three."
        rows={3}
        defaultValue={value}
      />
    );
  }
  const Control = isLong ? AdminArea : AdminText;
  return <Control name={name} label={label} defaultValue={value} {...(isLong && { rows: 3 })} />;
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
  const { newest, opened, fields, markdown, categories, group } = seen;
  return (
    <Form<Record<string, string>, Changed>
      id="text"
      action="?intent=save"
      key={`${newest}-${opened}`}
      messageAt="end"
      className="grid content-start gap-5"
      {...(group === "Posts" && { encType: "multipart/form-data" })}
    >
      {({ result }) => (
        <>
          <input type="hidden" name="version" value={versionOf(result) ?? newest} />
          {fields.map((field) => (
            <Field key={field.name} field={field} categories={categories} />
          ))}
          {markdown !== null && (
            <AdminArea
              name="markdown"
              label={group === "Emails" ? "Opening lines" : "Text"}
              {...(group === "Emails" && { hint: "Below the heading, before what the email says. May be empty." })}
              rows={Math.min(40, Math.max(14, Math.ceil(markdown.length / 75)))}
              defaultValue={markdown}
              spellCheck
            />
          )}
          {group === "Legal texts" ? (
            <LegalDay />
          ) : (
            <AdminText
              name="publishAt"
              type="datetime-local"
              label="Publish at"
              hint="New York time. Empty to publish now."
              className="max-w-64"
            />
          )}
          {result?.data && (
            <>
              <input type="hidden" name="over" value={result.data.over} />
              <AdminCheckbox name="isOver" label={`Save mine on top of version ${result.data.over}`} />
            </>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <Submit name="do" value="publish" busy="Saving…" className="btn btn-primary">
              Publish
            </Submit>
            <Submit name="do" value="draft" className="btn">
              Save draft
            </Submit>
            <Submit name="do" value="preview" className="btn">
              Save draft and preview
            </Submit>
            <UnsavedChanges formId="text" />
          </div>
        </>
      )}
    </Form>
  );
}

function LegalDay() {
  return (
    <>
      <AdminText
        name="effectiveOn"
        type="date"
        label="Takes effect on"
        hint="From midnight in New York. Orders keep the version that was in force. Empty for today."
        className="max-w-64"
      />
      <AdminCheckbox name="isAnnounced" label="Announce it in the notice bar until then" isChecked />
    </>
  );
}
