import { useState } from "react";
import { Link } from "react-router";
import { AdminArea, AdminForm, AdminText, optionList } from "#app/ui/admin/field.tsx";
import { Submit, useActionResult } from "#app/ui/form/form.tsx";
import { Part } from "./history.tsx";

export const MAX_NOTE = 2_000;
export const MAX_TAG = 40;

type NotesProps = {
  /** The id of the account, or the email of a guest. */
  of: string;
  /** The part of the address that names a guest. */
  query?: string;
  note: string;
  tags: string[];
  allTags: string[];
};

export const tagPath = (tag: string): string => `/admin/customers?${new URLSearchParams({ tag })}`;

/** Edits the note as opened or last answered here, so that a colleague's is replaced only once it was shown. */
export function Notes({ of, query = "", note, tags, allTags }: NotesProps) {
  const [was, setWas] = useState(note);
  const answered = useActionResult<string>(`note-${of}`)?.data;
  if (answered !== undefined && answered !== was) setWas(answered);
  const to = (intent: string) => ({ intent, of, action: `?intent=${intent}${query}` });
  return (
    <>
      <Part title="Note">
        <AdminForm {...to("note")} className="mt-1 grid justify-items-start gap-2">
          <input type="hidden" name="was" value={was} />
          <AdminArea
            name="note"
            label="For the staff"
            hint="The customer gets it if they ask for their data."
            defaultValue={was}
            rows={3}
            maxLength={MAX_NOTE}
            className="w-full"
          />
          <Submit className="btn">Save note</Submit>
        </AdminForm>
      </Part>
      <Part title="Tags">
        {tags.length > 0 && (
          <ul aria-label="Tags" className="mt-1">
            {tags.map((tag) => (
              <li key={tag} className="border-t border-line py-1.5">
                <AdminForm {...to("untag")} of={`${of}-${tag}`} className="flex items-center justify-between gap-4">
                  <Link to={tagPath(tag)} className="admin-link">
                    {tag}
                  </Link>
                  <input type="hidden" name="tag" value={tag} />
                  <Submit className="btn" aria-label={`Remove tag ${tag}`}>
                    Remove
                  </Submit>
                </AdminForm>
              </li>
            ))}
          </ul>
        )}
        {/* A tag that was added leaves an empty field. */}
        <AdminForm key={tags.join()} {...to("tag")} className="mt-1 flex flex-wrap items-start gap-2">
          <AdminText name="tag" label="New tag" list="tags" maxLength={MAX_TAG} autoComplete="off" className="grow" />
          <Submit className="btn mt-6">Add tag</Submit>
          <datalist id="tags">{optionList(allTags.map((tag) => [tag, tag]))}</datalist>
        </AdminForm>
      </Part>
    </>
  );
}
