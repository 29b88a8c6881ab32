/** One request: its clock, how it is known who asks, and what carries it out. */
import { data, Link, useSearchParams } from "react-router";
import { DELETE_WORD } from "../../../../shop/accounts/delete-word.ts";
import { LAW_DAYS } from "../../../../shop/privacy/request-clock.ts";
import { db } from "../../../database.server.ts";
import { CHANNEL_WORDS, KIND_WORDS, LAW_NAMES, PROOF_WORDS, REQUEST_PROOFS } from "../../../../shop/privacy/request.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffMay, staffOf } from "../../../session/staff.server.ts";
import { ActForm, ActMessage } from "../../../ui/admin/act-form.tsx";
import type { ActResult } from "../../../ui/admin/act-result.ts";
import { AdminArea, AdminSelect } from "../../../ui/admin/field.tsx";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/request.ts";
import { EraseForm, FileForm } from "./carry-out.tsx";
import { RequestStatus } from "./request-table.tsx";

export const headers = privateHeaders;
/** What a colleague did meanwhile must be seen, too. */
export const shouldRevalidate = () => true;

const nothingHere = () => data(null, { status: 404 });

export async function loader({ params: { requestId }, context }: Route.LoaderArgs) {
  if (!isId(requestId)) throw nothingHere();
  const [{ readRequest }, { beforeErasing }] = await Promise.all([
    import("../../../../shop/privacy/requests.server.ts"),
    import("../../../../shop/privacy/fulfill-request.server.ts"),
  ]);
  const found = await readRequest(db, requestId);
  if (!found) throw nothingHere();
  const { emailHash: _hash, ...request } = found;
  const isErasure = request.kind === "deletion" && request.state === "open" && request.email !== null;
  return data(
    {
      request,
      furtherDays: LAW_DAYS[request.law].extension,
      word: DELETE_WORD,
      before: isErasure ? await beforeErasing(db, request.email!) : null,
      mayExport: staffMay(context, "customers:export"),
      mayErase: staffMay(context, "customers:erase"),
      isFresh: staffOf(context).isFresh,
      now: new Date(),
    },
    { headers: NO_STORE },
  );
}

export async function action({ params: { requestId }, request, context }: Route.ActionArgs) {
  if (!isId(requestId)) throw nothingHere();
  const { requestAct } = await import("./acts.server.ts");
  return requestAct(request, context, requestId);
}

export const clientAction = actInBrowser;

type Request = Route.ComponentProps["loaderData"]["request"];

function ProofForm({ request: { proof }, path }: { request: Request; path: string }) {
  return (
    <ActForm act="prove" path={path} className="grid gap-2">
      <h2>Is it they who ask?</h2>
      <p className="max-w-prose text-ink-soft">
        Anybody can type anybody&apos;s email into a form. Write to the address and wait for the answer.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <AdminSelect name="proof" label="How you know" defaultValue={proof ?? ""} className="w-64">
          <option value="">Not known yet</option>
          {REQUEST_PROOFS.map((one) => (
            <option key={one} value={one}>
              {PROOF_WORDS[one]}
            </option>
          ))}
        </AdminSelect>
        <button type="submit" className={`act ${proof ? "" : "act-next"}`}>
          Note
        </button>
      </div>
    </ActForm>
  );
}

function CloseForm({ path }: { path: string }) {
  return (
    <ActForm act="close" path={path} className="grid justify-items-start gap-2">
      <h2>Close it</h2>
      <AdminSelect name="outcome" label="What came of it" className="w-64">
        <option value="done">They have their answer</option>
        <option value="refused">Refused, and told why</option>
      </AdminSelect>
      <AdminArea name="note" label="Note" rows={2} className="w-full max-w-prose" />
      <button type="submit" className="act">
        Close
      </button>
    </ActForm>
  );
}

function ExtendForm({ request, days, path }: { request: Request; days: number; path: string }) {
  const { law, extendedAt } = request;
  if (extendedAt) {
    return (
      <section className="grid gap-2">
        <h2>More time</h2>
        <p className="text-ink-soft">
          Taken <When at={extendedAt} />. The law allows it once.
        </p>
      </section>
    );
  }
  return (
    <ActForm act="extend" path={path} className="grid justify-items-start gap-2">
      <h2>More time</h2>
      <AdminArea
        name="reason"
        label="Why"
        hint={`Mailed to them. The ${LAW_NAMES[law]} allows ${days} more days, once.`}
        rows={2}
        className="w-full max-w-prose"
      />
      <button type="submit" className="act">
        Take the time and tell them
      </button>
    </ActForm>
  );
}

function Facts({ request, now }: { request: Request; now: Date }) {
  const { law, channel, receivedAt, dueAt, closedAt, proof, note, extensionReason, staffName, state } = request;
  return (
    <aside className="grid content-start gap-2" aria-label="About this request">
      <RequestStatus {...{ state, dueAt, now }} />
      <p>
        Came <When at={receivedAt} />, {CHANNEL_WORDS[channel].toLowerCase()}
      </p>
      <p>
        {closedAt ? "Closed" : "Due"} <When at={closedAt ?? dueAt} />, by the {LAW_NAMES[law]}
      </p>
      <p>{proof ? PROOF_WORDS[proof] : "Not known yet who asks"}</p>
      {staffName && <p>Last handled by {staffName}</p>}
      {extensionReason && <p className="wrap-anywhere whitespace-pre-wrap text-ink-soft">{extensionReason}</p>}
      {note && <p className="wrap-anywhere whitespace-pre-wrap text-ink-soft">{note}</p>}
    </aside>
  );
}

export default function RequestScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { request, before, furtherDays, word, mayExport, mayErase, isFresh, now } = loaderData;
  const [query] = useSearchParams();
  const path = `/admin/privacy/${request.id}`;
  const isOpen = request.state === "open";
  return (
    <>
      <PageHead title={KIND_WORDS[request.kind]} note={request.email ?? "Erased"}>
        {request.email && (
          <Link to={`/admin/customers/by-email?email=${encodeURIComponent(request.email)}`} className="act">
            What there is of them
          </Link>
        )}
        <Link to="/admin/privacy" className="act">
          All requests
        </Link>
      </PageHead>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid content-start gap-8">
          {!isOpen && <ActMessage result={actionData as ActResult | undefined} />}
          {!isOpen && (
            <p className="max-w-prose text-ink-soft">
              {request.email
                ? "Answered. What they asked stays here for the time that messages are kept."
                : "The person is erased. Of their email a keyed hash stays, from which nobody can read it."}
            </p>
          )}
          {isOpen && (
            <>
              <ProofForm request={request} path={path} />
              {request.kind === "data" && (
                <FileForm
                  {...{ path, isFresh }}
                  may={mayExport}
                  isProven={request.proof !== null}
                  problem={query.get("file")}
                />
              )}
              {before && (
                <EraseForm {...{ path, isFresh, before, word }} may={mayErase} isProven={request.proof !== null} />
              )}
              <CloseForm path={path} />
              <ExtendForm request={request} days={furtherDays} path={path} />
              <ActForm act="note" path={path} className="grid justify-items-start gap-2">
                <h2>Note</h2>
                <AdminArea
                  key={request.note}
                  name="note"
                  label="Add to the note"
                  rows={2}
                  className="w-full max-w-prose"
                />
                <button type="submit" className="act">
                  Add
                </button>
              </ActForm>
            </>
          )}
        </div>
        <Facts request={request} now={now} />
      </div>
    </>
  );
}
