/** Answers that are written once and sent often. */
import { data, Link, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { db } from "../../../database.server.ts";
import { savedReplySchema } from "../../../../shop/support/thread/saved-reply.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { actingOf } from "../../../session/staff.server.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminArea, AdminText } from "../../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import { done, invalid, readAct, refused } from "../act.server.ts";
import type { Route } from "./+types/saved.ts";

const PATH = "/admin/messages/saved";

export const headers = privateHeaders;
/** What a colleague did meanwhile must be seen, too. */
export const shouldRevalidate = () => true;

const savedReplies = () => import("../../../../shop/support/thread/saved-replies.server.ts");

export async function loader() {
  const { listSavedReplies } = await savedReplies();
  return data({ saved: await listSavedReplies(db) }, { headers: NO_STORE });
}

export const action = ({ request, context }: Route.ActionArgs) => act(request, context);
export const clientAction = actInBrowser;

const schema = savedReplySchema.extend({
  key: z.union([z.literal("").transform(() => null), z.uuid()]).catch(null),
  version: z.string().catch(""),
});

const REFUSALS = {
  changed: { message: "A colleague has changed it meanwhile. Yours is still here: look at theirs, then save again." },
  "title-taken": { message: "", errors: { title: "There is one with this title" } },
};

async function act(request: Request, context: Readonly<RouterContextProvider>) {
  const asked = await readAct(request, ["title", "body", "version"]);
  const { removeSavedReply, saveReply } = await savedReplies();
  if (asked.name === "remove") {
    const key = z.uuid().safeParse(asked.key);
    if (key.success) await removeSavedReply(db, actingOf(context), key.data);
    return done(asked, "Removed.");
  }
  const read = schema.safeParse({ ...Object.fromEntries(asked.form), key: asked.key });
  if (!read.success) return invalid(asked, read.error);
  const { key: id, ...fields } = read.data;
  const saved = await saveReply(db, actingOf(context), { id, ...fields });
  if (saved.ok) return done(asked, "Saved.");
  const { message, ...rest } = REFUSALS[saved.reason];
  return refused(asked, message, rest);
}

type Saved = { id: string; title: string; body: string; version: string };

function SavedForm({ saved }: { saved?: Saved }) {
  return (
    <ActForm act="save" path={PATH} rowKey={saved?.id} className="grid justify-items-start gap-3">
      <input type="hidden" name="version" value={saved?.version ?? ""} />
      <AdminText name="title" label="Title" defaultValue={saved?.title} maxLength={80} className="w-full max-w-md" />
      <AdminArea
        name="body"
        label="Text"
        hint="{name} becomes the first name of whoever wrote."
        rows={6}
        defaultValue={saved?.body}
        className="w-full"
      />
      <button type="submit" className={`act ${saved ? "" : "act-next"}`}>
        {saved ? "Save" : "Add"}
      </button>
    </ActForm>
  );
}

export default function SavedRepliesScreen({ loaderData: { saved } }: Route.ComponentProps) {
  return (
    <div className="max-w-3xl">
      <PageHead title="Saved replies" note={saved.length}>
        <Link to="/admin/messages" className="act">
          All messages
        </Link>
      </PageHead>
      {saved.length === 0 && (
        <EmptyList>
          None yet. Write down what you answer often: it can be put into any answer and changed there.
        </EmptyList>
      )}
      <ul>
        {saved.map((one) => (
          <li key={one.id} className="border-t border-line">
            <details>
              <summary className="flex min-h-13 list-none items-center justify-between gap-4 font-medium">
                {one.title}
                <span className="act">Change</span>
              </summary>
              <div className="grid gap-3 pb-5">
                <SavedForm saved={one} />
                <ActForm act="remove" path={PATH} rowKey={one.id}>
                  <button type="submit" className="act act-danger">
                    Remove
                  </button>
                </ActForm>
              </div>
            </details>
          </li>
        ))}
      </ul>
      <section className="mt-8 grid gap-3 border-t border-line pt-5">
        <h2>Add one</h2>
        <SavedForm key={saved.length} />
      </section>
    </div>
  );
}
