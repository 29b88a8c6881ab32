import { Link } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { savedReplySchema } from "#shop/support/contact-form.ts";
import { listSavedReplies, removeSavedReply, saveReply } from "#shop/support/thread/saved-replies.server.ts";
import { Submit, useActionResult } from "#app/ui/form/form.tsx";
import { AdminArea, AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { done, refused } from "#app/http/form.server.ts";
import { actions, handle } from "../action.server.ts";
import type { Route } from "./+types/saved.ts";

export async function loader() {
  return { saved: await listSavedReplies(db) };
}

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const schema = savedReplySchema.extend({
  key: z.union([z.literal("").transform(() => null), z.uuid()]).catch(null),
  version: z.string().catch(""),
});

const REFUSALS = {
  changed: {
    message: "This reply was changed in the meantime. Your version is still here: check the other, then save again.",
  },
  "title-taken": { message: "", errors: { title: "Another saved reply has this title" } },
};

export const action = actions({
  save: handle(schema, async (action) => {
    const { key: id, ...fields } = action.value;
    const saved = await saveReply(db, action.by, { id, ...fields });
    if (saved.ok) return done(action, "Saved.", { clears: id === null });
    const { message, ...rest } = REFUSALS[saved.reason];
    return refused(action, message, rest);
  }),
  remove: handle(z.object({ key: z.uuid() }), async (action) => {
    await removeSavedReply(db, action.by, action.value.key);
    return done(action, "Deleted.");
  }),
});

type Saved = { id: string; title: string; body: string; version: string };

function SavedForm({ saved }: { saved?: Saved }) {
  return (
    <AdminForm intent="save" of={saved?.id ?? "new"} className="grid justify-items-start gap-3">
      <input type="hidden" name="key" value={saved?.id ?? ""} />
      <input type="hidden" name="version" value={saved?.version ?? ""} />
      <AdminText name="title" label="Title" defaultValue={saved?.title} maxLength={80} className="w-full max-w-md" />
      <AdminArea
        name="body"
        label="Message"
        hint="{name} is replaced with the customer's first name."
        rows={6}
        defaultValue={saved?.body}
        className="w-full"
      />
      <Submit className={`btn ${saved ? "" : "btn-primary"}`}>{saved ? "Save" : "Add reply"}</Submit>
    </AdminForm>
  );
}

/** Folded below its title; open again with the answer. */
function SavedReply({ saved }: { saved: Saved }) {
  const answer = useActionResult(`save-${saved.id}`);
  return (
    <li className="border-t border-line">
      <details open={answer !== undefined || undefined}>
        <summary className="flex min-h-13 list-none items-center justify-between gap-4 font-medium">
          <span>{saved.title}</span>
          <span className="btn">Edit</span>
        </summary>
        <div className="grid gap-3 pb-5">
          <SavedForm saved={saved} />
          <AdminForm intent="remove" of={saved.id}>
            <input type="hidden" name="key" value={saved.id} />
            <Submit className="btn btn-danger">Delete</Submit>
          </AdminForm>
        </div>
      </details>
    </li>
  );
}

export default function SavedRepliesScreen({ loaderData: { saved } }: Route.ComponentProps) {
  return (
    <div className="max-w-3xl">
      <PageHead title="Saved replies" note={saved.length}>
        <Link to="/admin/messages" className="btn">
          All messages
        </Link>
      </PageHead>
      {saved.length === 0 && (
        <EmptyState>No saved replies yet. Add the answers you send often, then insert them into any reply.</EmptyState>
      )}
      <ul>
        {saved.map((one) => (
          <SavedReply key={one.id} saved={one} />
        ))}
      </ul>
      <section className="mt-8 grid gap-3 border-t border-line pt-5">
        <h2>Add saved reply</h2>
        <SavedForm />
      </section>
    </div>
  );
}
