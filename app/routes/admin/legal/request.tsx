import { Link } from "react-router";
import { clock } from "#shop/clock.ts";
import { policyText } from "#shop/policy-text.ts";
import { z } from "#shop/zod.ts";
import { deleteSchema } from "#shop/accounts/account-forms.ts";
import {
  closeRequest,
  extendRequest,
  hasData,
  needsOtherProver,
  noteRequest,
  proveRequest,
  readRequest,
  type RequestResult,
  beforeErasing,
  eraseRequested,
} from "#shop/privacy/requests.server.ts";
import { CHANNEL_WORDS, KIND_WORDS, LAW_NAMES, noteField, PROOF_WORDS, REQUEST_PROOFS } from "#shop/privacy/request.ts";
import { db } from "#platform/database.server.ts";
import { consumeStaffMail, staffMay, staffOf } from "#app/session/staff.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { actions, fieldError, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/request.ts";
import { CloseForm, EraseForm, ExtendForm, FileForm, NoteForm, ProofForm } from "./request-forms.tsx";
import { RequestStatus } from "./route.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const found = await readRequest(db, requireId(params.requestId));
  if (!found) throw notFound();
  const { emailHash: _hash, ...request } = found;
  const { staffId } = staffOf(context);
  const isErasure = request.kind === "deletion" && request.state === "open" && request.email !== null;
  return {
    request,
    before: isErasure ? await beforeErasing(db, request.email!) : null,
    needsErasure: isErasure && (await hasData(db, request.email!)),
    mayExport: staffMay(context, "customers:export"),
    mayErase: staffMay(context, "customers:erase"),
    needsOther: await needsOtherProver(db, found, staffId),
    now: clock.now(),
  };
}

const REFUSALS: Record<Extract<RequestResult, { ok: false }>["reason"], string> = {
  "not-found": "This request no longer exists.",
  closed: "This request is already closed. Nothing was changed.",
  extended: "The deadline was already extended.",
  "other-kind": "This request is of a different type. Nothing was changed.",
  "own-request": "You added this request, so another team member must verify it.",
  "not-proven": "Verify identity first.",
  "not-erased":
    "Nothing was deleted yet. An owner deletes the customer data above, which closes this request. To decline it, choose Refused.",
  "is-staff": "This person is on the team. An owner must disable them under Staff first.",
  unsettled:
    "Something is still owed to this customer: a return is open, a replacement or a refund is due, a package is lost or refused, or a payment is being charged or disputed. Settle it on the order, then try again.",
};

const outcome = (action: Action, result: RequestResult, message: string) =>
  result.ok ? done(action, message, { clears: true }) : refused(action, REFUSALS[result.reason]);

type Permit = NonNullable<Awaited<ReturnType<typeof consumeStaffMail>>["permit"]>;

/** Runs a change that emails the customer. */
async function withEmail(action: Action, run: (permit: Permit) => Promise<RequestResult>, message: string) {
  const request = await readRequest(db, action.id);
  if (!request?.email) return refused(action, REFUSALS.closed);
  const { permit } = await consumeStaffMail(action.context, request.email);
  return permit ? outcome(action, await run(permit), message) : refused(action, TOO_MANY_EMAILS, { status: 429 });
}

const proofSchema = z.object({ proof: z.enum(REQUEST_PROOFS, { error: "Choose how identity was verified" }) });
const noteSchema = z.object({ note: noteField("Enter a note") });
const extendSchema = z.object({ reason: noteField("Enter the reason: it is sent to the customer") });
const closeSchema = z.object({
  outcome: z.enum(["done", "refused"], { error: "Choose an outcome" }),
  answer: z.union([z.literal("").transform(() => null), noteField("")]).default(null),
});

async function close(action: Action<z.output<typeof closeSchema>>) {
  const { outcome: state, answer } = action.value;
  const request = await readRequest(db, action.id);
  if (!answer && request && !(request.kind === "data" && state === "done"))
    return fieldError(action, "answer", "Enter the answer: it is sent to the customer");
  if (!answer) return outcome(action, await closeRequest(db, action.by, action.id, { state }), "Closed.");
  return withEmail(
    action,
    (permit) => closeRequest(db, action.by, action.id, { state, answer: { text: answer, permit } }),
    "Closed. The customer was answered by email.",
  );
}

export const action = actions({
  prove: handle(proofSchema, async (action) =>
    outcome(action, await proveRequest(db, action.by, action.id, action.value.proof), "Identity verified."),
  ),
  note: handle(noteSchema, async (action) =>
    outcome(action, await noteRequest(db, action.by, action.id, action.value.note), "Note added."),
  ),
  close: handle(closeSchema, close),
  extend: handle(extendSchema, (action) =>
    withEmail(
      action,
      (permit) => extendRequest(db, action.by, action.id, action.value.reason, permit),
      "Deadline extended. The customer was notified by email.",
    ),
  ),
  erase: handle(
    deleteSchema,
    (action) =>
      withEmail(
        action,
        (permit) => eraseRequested(db, action.by, action.id, permit),
        "Deleted. A confirmation was sent by email.",
      ),
    { isSensitive: true },
  ),
});

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Request = Route.ComponentProps["loaderData"]["request"];

function Facts({ request, now }: { request: Request; now: Date }) {
  const { law, channel, receivedAt, dueAt, closedAt, proof, note, extensionReason, answer, staffName, state } = request;
  return (
    <aside className="grid content-start gap-2" aria-label="About this request">
      <RequestStatus {...{ state, dueAt, now }} />
      <p>
        Received <When at={receivedAt} isDay />
        <span>{` by ${CHANNEL_WORDS[channel].toLowerCase()}`}</span>
      </p>
      <p>
        <span>{`${closedAt ? "Closed" : "Due"} `}</span>
        <When at={closedAt ?? dueAt} isDay={!closedAt} />
        <span>{` under the ${LAW_NAMES[law]}`}</span>
      </p>
      <p>{proof ? PROOF_WORDS[proof] : "Identity not verified"}</p>
      {staffName && <p>{`Last handled by ${staffName}`}</p>}
      {extensionReason && <p className="wrap-anywhere whitespace-pre-wrap text-ink-soft">{extensionReason}</p>}
      {note && <p className="wrap-anywhere whitespace-pre-wrap text-ink-soft">{note}</p>}
      {answer && <p className="wrap-anywhere whitespace-pre-wrap text-ink-soft">{`Answered: ${answer}`}</p>}
    </aside>
  );
}

const keptFor = (kind: Request["kind"]) =>
  kind === "arbitration-opt-out"
    ? `It stays here while this person has an account or an order, and at least ${policyText.transactionYears}.`
    : "The request stays here for as long as messages are kept.";
const ERASED = "This customer's data was deleted. Only a keyed hash of the email remains, which no one can read.";

export default function RequestScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { request, before, needsErasure, mayExport, mayErase, needsOther, now } = loaderData;
  const why = (isAllowed: boolean) => {
    if (!isAllowed) return "Only an owner can do this.";
    return request.proof ? null : "Verify identity first.";
  };
  const isOpen = request.state === "open";
  return (
    <>
      <PageHead title={KIND_WORDS[request.kind]} note={request.email ?? "Deleted"}>
        {request.email && (
          <Link to={`/admin/customers/by-email?email=${encodeURIComponent(request.email)}`} className="btn">
            View customer
          </Link>
        )}
        <Link to="/admin/legal" className="btn">
          All requests
        </Link>
      </PageHead>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid content-start gap-8">
          {!isOpen && actionData && <p role="status">{(actionData as ActionResult).message}</p>}
          {!isOpen && (
            <p className="max-w-prose text-ink-soft">{request.email ? `Closed. ${keptFor(request.kind)}` : ERASED}</p>
          )}
          {isOpen && (
            <>
              <ProofForm {...request} needsOther={needsOther} />
              {request.kind === "data" && <FileForm id={request.id} why={why(mayExport)} />}
              {before && <EraseForm id={request.id} why={why(mayErase)} before={before} />}
              <CloseForm {...request} needsErasure={needsErasure} />
              <ExtendForm {...request} />
              <NoteForm {...request} />
            </>
          )}
        </div>
        <Facts request={request} now={now} />
      </div>
    </>
  );
}
