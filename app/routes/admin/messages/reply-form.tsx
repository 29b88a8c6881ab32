/** Where an answer is written, from nothing or from one that is saved. */
import { useRef, type FormEvent, type RefObject } from "react";
import { Form, Link } from "react-router";
import { fillSavedReply } from "../../../../shop/support/thread/fill-saved-reply.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminArea, AdminSelect } from "../../../ui/admin/field.tsx";

type Saved = { id: string; title: string; body: string };

/** Puts a saved answer where the cursor stands; without JavaScript the page comes back with it. */
function Insert({ saved, name, area }: { saved: Saved[]; name: string; area: RefObject<HTMLDivElement | null> }) {
  const select = useRef<HTMLFormElement>(null);
  if (saved.length === 0) {
    return (
      <p className="text-ink-soft">
        What you answer often can be{" "}
        <Link to="/admin/messages/saved" className="admin-link">
          saved
        </Link>
        .
      </p>
    );
  }
  const insert = (event: FormEvent) => {
    const chosen = saved.find(({ id }) => id === new FormData(select.current!).get("saved"));
    const field = area.current?.querySelector("textarea");
    event.preventDefault();
    if (!chosen || !field) return;
    field.setRangeText(fillSavedReply(chosen.body, name), field.selectionStart, field.selectionEnd, "end");
    field.focus();
  };
  return (
    <Form ref={select} method="get" onSubmit={insert} className="flex flex-wrap items-end gap-2">
      <AdminSelect name="saved" label="Saved reply" className="w-56">
        {saved.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </AdminSelect>
      <button type="submit" className="act">
        Insert
      </button>
    </Form>
  );
}

type ReplyFormProps = {
  path: string;
  name: string;
  email: string;
  isOpen: boolean;
  /** How many replies stand above. */
  seen: number;
  /** How many of them are one's own. */
  own: number;
  replyId: string;
  saved: Saved[];
  /** What the answer begins with. */
  begins: string;
};

export function ReplyForm({ path, name, email, isOpen, seen, own, replyId, saved, begins }: ReplyFormProps) {
  const area = useRef<HTMLDivElement>(null);
  return (
    <section aria-labelledby="reply-title" className="grid gap-3 border-t border-line pt-5">
      <h2 id="reply-title">Answer</h2>
      <Insert saved={saved} name={name} area={area} />
      <ActForm act="reply" path={path} className="grid gap-3">
        <div ref={area}>
          <AdminArea
            // Empty once one's own answer has gone out; a colleague's leaves what is typed.
            key={own}
            name="body"
            label={`To ${name}`}
            hint={`Mailed to ${email} from the support address. A reply to it comes to the support inbox.`}
            rows={9}
            defaultValue={begins}
          />
        </div>
        <input type="hidden" name="replyId" value={replyId} />
        <input type="hidden" name="seen" value={seen} />
        <div className="flex flex-wrap gap-2">
          {isOpen && (
            <button type="submit" name="closes" value="yes" className="act act-next">
              Send and close
            </button>
          )}
          <button type="submit" className={`act ${isOpen ? "" : "act-next"}`}>
            {isOpen ? "Send, keep open" : "Send"}
          </button>
        </div>
      </ActForm>
    </section>
  );
}
