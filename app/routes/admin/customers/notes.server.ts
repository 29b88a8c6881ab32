/** The forms about a person: a note and tags, of accounts and guests alike. */
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { addTag, MAX_TAGS, removeTag, saveNote } from "#shop/customers/customer-note.server.ts";
import { requiredLine } from "#shop/text.ts";
import { done, refused } from "#app/http/form.server.ts";
import { fieldError, handle, type Action } from "../action.server.ts";
import { MAX_NOTE, MAX_TAG } from "./notes.tsx";

type Person = { email: string; subject: string };

const noteSchema = z.object({
  note: z
    .string()
    .trim()
    .max(MAX_NOTE, `At most ${MAX_NOTE} characters`)
    .regex(/^[^\0]*$/, "Enter text"),
  was: z.string(),
});

const tagSchema = z.object({ tag: requiredLine("Tag", MAX_TAG, "Enter a tag") });

// Browsers send line breaks as CR LF.
const plain = (text: string) => text.replaceAll("\r\n", "\n");

export const GONE = "This account no longer exists.";

/** Handlers of the intents note, tag and untag; `personOf` returns null if the person is gone. */
export function aboutPerson(personOf: (action: Action) => Promise<Person | null>) {
  const onPerson =
    <Value>(run: (action: Action<Value>, person: Person) => Promise<unknown>) =>
    async (action: Action<Value>) => {
      const person = await personOf(action);
      return person ? run(action, person) : refused(action, GONE);
    };
  return {
    note: handle(
      noteSchema,
      onPerson(async (action, person) => {
        const { note, was } = { note: plain(action.value.note), was: plain(action.value.was) };
        const result = await saveNote(db, action.by, person, { note, was });
        if (result.ok) return done(action, "Saved.", { data: note });
        const { now } = result;
        const change = now ? `changed in the meantime to “${now}”` : "deleted in the meantime";
        const end = now ? "to replace the other" : "to keep it";
        return refused(action, `This note was ${change}. Yours is not saved yet. Edit it, or save again ${end}.`, {
          data: now,
        });
      }),
    ),
    tag: handle(
      tagSchema,
      onPerson(async (action, person) => {
        const { ok } = await addTag(db, action.by, person, action.value.tag);
        return ok ? done(action, "") : fieldError(action, "tag", `At most ${MAX_TAGS} tags. Remove one first`);
      }),
    ),
    untag: handle(
      tagSchema,
      onPerson(async (action, person) => {
        await removeTag(db, action.by, person, action.value.tag);
        return done(action, "");
      }),
    ),
  };
}
