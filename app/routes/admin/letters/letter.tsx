import { Link } from "react-router";
import { listProductNames } from "#shop/catalog/back-office/product-list.server.ts";
import { clock } from "#shop/clock.ts";
import { AUDIENCE_WORDS, AUDIENCES, MAX_PACE } from "#shop/letters/letter.ts";
import { countAudience } from "#shop/letters/audience.server.ts";
import { letterSample } from "#shop/letters/letter-emails.server.tsx";
import { getLetter } from "#shop/letters/letters.server.ts";
import { newYorkField } from "#shop/new-york-time.ts";
import { counted } from "#shop/units.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { AdminArea, AdminCheckbox, AdminForm, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { MarkdownToolbar, pressTool } from "#app/ui/admin/markdown-toolbar.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { SaveBar, useSeen, versionOf } from "#app/ui/admin/unsaved-changes.tsx";
import { momentWords } from "#app/ui/admin/when.tsx";
import { ActionMessage, Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { notFound, requireId } from "../guard.server.ts";
import { PICTURE_MENU, PictureMenu } from "../texts/picture-menu.tsx";
import { MarkdownHelp } from "../texts/writing-help.tsx";
import type { Route } from "./+types/letter.ts";
import { LetterPreview } from "./preview.tsx";
import { LetterStatus } from "./status.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const letter = await getLetter(db, requireId(params.letterId));
  if (!letter) throw notFound();
  const [people, products] = await Promise.all([countAudience(db, letter), listProductNames(db)]);
  const { html, text } = letterSample(letter, staffOf(context).email, config());
  return { letter, people, products: products.map(({ id, name }) => ({ id, name })), email: { html, text } };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Loaded = Route.ComponentProps["loaderData"];

function Editor({ loaded }: { loaded: Loaded }) {
  const { letter, products } = useSeen("text", loaded);
  return (
    <Form<Record<string, string>, { over?: number; isScheduled?: true }>
      id="text"
      action="?intent=save"
      key={letter.version}
      messageAt="none"
      className="grid content-start gap-5"
    >
      {({ result }) => (
        <>
          <input type="hidden" name="version" value={versionOf(result) ?? letter.version} />
          <AdminText name="subject" label="Subject" maxLength={120} defaultValue={letter.subject} />
          <AdminArea
            name="markdown"
            label="Text"
            hint="One picture at most. The address of the shop and the link to unsubscribe follow by themselves."
            tools={<MarkdownToolbar field="markdown" pictures={PICTURE_MENU} isPlain={false} />}
            onKeyDown={pressTool}
            rows={16}
            defaultValue={letter.markdown}
            spellCheck
          />
          <MarkdownHelp isEmail />
          <div className="grid gap-5 sm:grid-cols-2">
            <AdminSelect
              name="audience"
              label="To"
              defaultValue={letter.audience}
              options={AUDIENCES.map((audience) => [audience, AUDIENCE_WORDS[audience].name])}
            />
            <AdminSelect
              name="productId"
              label="Product"
              hint="For its owners."
              defaultValue={letter.productId ?? ""}
              options={[["", "None"], ...products.map(({ id, name }) => [id, name] as const)]}
            />
            <AdminText
              name="sendAt"
              type="datetime-local"
              label="Send at"
              hint="New York time. Empty to send it now."
              defaultValue={letter.sendAt ? newYorkField(letter.sendAt) : ""}
            />
            <AdminText
              name="pace"
              label="Letters an hour"
              hint={`Up to ${MAX_PACE.toLocaleString("en-US")}. Emails about orders always go first.`}
              inputMode="numeric"
              maxLength={5}
              defaultValue={letter.pace}
            />
          </div>
          {result?.data?.over !== undefined && (
            <>
              <input type="hidden" name="over" value={result.data.over} />
              <AdminCheckbox name="isOver" label="Save mine over theirs" />
            </>
          )}
          <SaveBar formId="text" result={result?.data?.isScheduled ? undefined : result}>
            <Submit name="do" value="save" busy="Saving…" className="btn btn-primary">
              Save and preview
            </Submit>
            <Submit name="do" value="test" busy="Sending…" className="btn">
              Send a test to myself
            </Submit>
            <Submit name="do" value="send" busy="Scheduling…" className="btn">
              Send letter
            </Submit>
          </SaveBar>
        </>
      )}
    </Form>
  );
}

/** A letter that has been scheduled is not changed anymore. */
function Progress({ letter, people }: Pick<Loaded, "letter" | "people">) {
  const { state, sendAt, audience, recipients, queued, pace } = letter;
  const facts = {
    To: AUDIENCE_WORDS[audience].name,
    "Send at": sendAt ? momentWords(sendAt, clock.now()) : "",
    Pace: `${pace.toLocaleString("en-US")} an hour`,
    Sent:
      state === "scheduled"
        ? `0 of ${people.toLocaleString("en-US")}`
        : `${queued.toLocaleString("en-US")} of ${recipients.toLocaleString("en-US")}`,
  };
  return (
    <dl className="grid max-w-md grid-cols-[auto_1fr] gap-x-6 gap-y-2 [&>dt]:text-ink-soft">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export default function LetterScreen({ loaderData }: Route.ComponentProps) {
  const { letter, people, email } = loaderData;
  const { id, state, subject } = letter;
  const isDraft = state === "draft";
  const answer = useActionResult<{ isScheduled?: true }>("text");
  const isOnItsWay = state === "scheduled" || state === "sending";
  return (
    <>
      <p className="mb-1">
        <Link to="/admin/letters" className="admin-link">
          Letters
        </Link>
      </p>
      <PageHead
        title={subject}
        note={
          <span className="flex flex-wrap gap-x-3">
            <LetterStatus state={state} />
            {isDraft && <span>{`${counted(people, "person", "people")} would get it`}</span>}
          </span>
        }
      />
      <div className="grid gap-x-10 gap-y-10 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-10">
          {isDraft ? <Editor key={id} loaded={loaderData} /> : <Progress letter={letter} people={people} />}
          {state === "scheduled" && answer?.data?.isScheduled && <ActionMessage result={answer} />}
          {isDraft && <PictureMenu />}
          {/* The forms stay mounted, so that each can show its result. */}
          <AdminForm intent="stop" messageAt="none">
            {({ result }) =>
              isOnItsWay ? (
                <>
                  <p className="text-ink-soft">
                    {state === "scheduled"
                      ? "A stopped letter is a draft again."
                      : "What has been sent can’t be taken back."}
                  </p>
                  <Submit className="btn btn-danger">Stop letter</Submit>
                </>
              ) : (
                result && <ActionMessage result={result} />
              )
            }
          </AdminForm>
          {isDraft && (
            <Section title="Delete">
              <AdminForm intent="remove">
                <AdminCheckbox name="sure" label="Yes, delete this draft" />
                <Submit className="btn btn-danger">Delete draft</Submit>
              </AdminForm>
            </Section>
          )}
        </div>
        <LetterPreview {...email} />
      </div>
    </>
  );
}
