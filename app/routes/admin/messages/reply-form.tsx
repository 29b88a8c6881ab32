import { useRef, type FormEvent, type KeyboardEvent, type RefObject } from "react";
import { Form, Link } from "react-router";
import { fillSavedReply } from "#shop/support/contact-form.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { paragraph } from "#app/ui/admin/markdown-edits.ts";
import { typeInto } from "#app/ui/admin/markdown-toolbar.tsx";
import { FormKey } from "#app/ui/admin/form-key.tsx";
import { UnsavedChanges } from "#app/ui/admin/unsaved-changes.tsx";
import { AdminArea, AdminForm, Control, optionList } from "#app/ui/admin/field.tsx";
import type { Route } from "./+types/thread.ts";

type Loaded = Route.ComponentProps["loaderData"];

type InsertProps = { saved: Loaded["saved"]; name: string; area: RefObject<HTMLDivElement | null> };

/** Inserts a saved reply at the cursor, as a paragraph; without JavaScript the page reloads with it. */
function Insert({ saved, name, area }: InsertProps) {
  const select = useRef<HTMLFormElement>(null);
  if (saved.length === 0) {
    return (
      <p className="text-ink-soft">
        <Link to="/admin/messages/saved" className="admin-link">
          Create saved replies
        </Link>{" "}
        for answers you send often.
      </p>
    );
  }
  const insert = (event: FormEvent) => {
    const chosen = saved.find(({ id }) => id === new FormData(select.current!).get("saved"));
    const field = area.current?.querySelector("textarea");
    event.preventDefault();
    if (!chosen || !field) return;
    typeInto(field, paragraph(fillSavedReply(chosen.body, name))(field));
  };
  return (
    <Form ref={select} method="get" onSubmit={insert} className="flex flex-wrap items-end gap-2">
      <Control as="select" name="saved" label="Saved reply" className="w-56">
        {optionList(saved.map(({ id, title }) => [id, title]))}
      </Control>
      <button type="submit" className="btn">
        Insert
      </button>
    </Form>
  );
}

type ReplyFormProps = Pick<Loaded, "thread" | "hasInbox" | "replyId" | "saved" | "begins" | "next">;

function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const { form } = event.currentTarget;
  form?.requestSubmit(form.querySelector<HTMLButtonElement>(".btn-primary"));
}

export function ReplyForm({ thread, hasInbox, replyId, saved, begins, next }: ReplyFormProps) {
  const { id, name, email, seen } = thread;
  const isOpen = thread.status === "open";
  const area = useRef<HTMLDivElement>(null);
  return (
    <section aria-labelledby="reply-title" className="grid gap-3 border-t border-line pt-5">
      <h2 id="reply-title">Reply</h2>
      <Insert saved={saved} name={name} area={area} />
      <AdminForm intent="reply" of={id} className="grid gap-3">
        <div ref={area}>
          <AdminArea
            name="body"
            label={`Message to ${name}`}
            hint={
              <>
                <span>{`Replies go to ${email}, from the support address. Answers ${hasInbox ? "join this conversation" : "go to the support mailbox"}.`}</span>
                <span className="pointer-coarse:hidden">{` Ctrl+Enter sends${isOpen ? " and closes" : ""}.`}</span>
              </>
            }
            rows={9}
            defaultValue={begins}
            onKeyDown={sendByKey}
          />
        </div>
        <FormKey key={id} name="replyId" fresh={replyId} />
        <input type="hidden" name="seen" value={seen} />
        <div className="flex flex-wrap items-center gap-2">
          {isOpen && (
            <Submit name="closes" value="yes" className="btn btn-primary">
              Send and close
            </Submit>
          )}
          <Submit className={`btn ${isOpen ? "" : "btn-primary"}`}>Send</Submit>
          {next && (
            <Link to={`/admin/messages/${next}`} className="btn">
              Next message
            </Link>
          )}
          <UnsavedChanges formId={`reply-${id}`} />
        </div>
      </AdminForm>
    </section>
  );
}
