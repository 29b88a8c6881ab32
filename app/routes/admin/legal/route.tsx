/** Privacy requests with their deadlines, and the last run of data retention. */
import { Link } from "react-router";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import {
  requestSchema,
  CHANNEL_WORDS,
  KIND_WORDS,
  LAW_NAMES,
  PRIVACY_LAWS,
  urgency,
  LAW_DAYS,
} from "#shop/privacy/request.ts";
import {
  listClosedRequests,
  listOpenRequests,
  recordOptOut,
  registerRequest,
  REQUESTS_PAGE,
  type ListedRequest,
} from "#shop/privacy/requests.server.ts";
import { lastRetention } from "#shop/privacy/retention.server.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import type { z } from "#shop/zod.ts";
import { consumeStaffMail } from "#app/session/staff.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminArea, AdminForm, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { done, refused } from "#app/http/form.server.ts";
import { actions, fieldError, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/route.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after");
  const isLater = isId(after);
  const [open, found, last] = await Promise.all([
    isLater ? [] : listOpenRequests(db),
    listClosedRequests(db, isLater ? after : undefined),
    lastRetention(db),
  ]);
  const closed = found.slice(0, REQUESTS_PAGE);
  const next = found.length > REQUESTS_PAGE ? closed.at(-1)!.id : null;
  const now = clock.now();
  const rows = (list: ListedRequest[]) => list.map(({ emailHash: _hash, ...row }) => ({ ...row, now }));
  const given = (name: string) => (searchParams.get(name) ?? "").slice(0, 320);
  const today = newYorkDay(now);
  const typed = { email: given("email"), kind: given("kind"), on: given("on") || today };
  return { open: rows(open), closed: rows(closed), next, last, typed, isLater, today };
}

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export const action = actions({
  register: handle(requestSchema, async (action) => {
    if (action.value.kind === "arbitration-opt-out") return record(action);
    const { isNew } = await registerRequest(db, action.by, action.value, config().secret);
    const message = isNew ? "Request added." : "This person already has an open request of this type. See it above.";
    return done(action, message, { clears: true });
  }),
});

async function record(action: Action<z.output<typeof requestSchema>>) {
  const { email } = action.value;
  const { permit } = await consumeStaffMail(action.context, email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const result = await recordOptOut(db, action.by, action.value, config().secret, permit);
  if (result.ok) return done(action, `Recorded. A confirmation was sent to ${email}.`, { clears: true });
  if (result.reason === "known") return fieldError(action, "email", "This person opted out before", 409);
  const late = `Too late: they had until ${dayText(result.until)}, counted from their first purchase. Tell them in a reply`;
  return fieldError(action, "receivedOn", late, 409);
}

export function RequestStatus({ state, dueAt, now }: { state: ListedRequest["state"]; dueAt: Date; now: Date }) {
  if (state === "done") return <Status tone="done">Completed</Status>;
  if (state === "refused") return <Status tone="quiet">Refused</Status>;
  const tone = urgency(dueAt, now);
  return <Status tone={tone}>{tone === "late" ? "Overdue" : tone === "soon" ? "Due soon" : "Open"}</Status>;
}

type Row = Route.ComponentProps["loaderData"]["open"][number];

const columns = (isOpen: boolean): Column<Row>[] => [
  {
    header: "Request",
    cell: ({ kind }) => KIND_WORDS[kind],
    href: ({ id }) => `/admin/legal/${id}`,
    className: "whitespace-nowrap",
  },
  {
    header: "Email",
    cell: ({ email }) => email ?? <span className="text-ink-soft">Deleted</span>,
    className: "max-w-64 truncate",
  },
  { header: "Status", cell: (row) => <RequestStatus {...row} /> },
  {
    header: isOpen ? "Due" : "Closed",
    cell: ({ closedAt, dueAt }) => <When at={closedAt ?? dueAt} isDay={!closedAt} />,
    className: "whitespace-nowrap",
    phone: "label",
  },
  { header: "Law", cell: ({ law }) => LAW_NAMES[law] },
  { header: "Received", cell: ({ receivedAt }) => <When at={receivedAt} isDay />, phone: "label" },
  {
    header: "Handled by",
    cell: ({ staffName }) => staffName ?? <span className="text-ink-soft">No one yet</span>,
    className: "sm:max-w-36 sm:truncate",
    phone: "label",
  },
];

type FormProps = Pick<Route.ComponentProps["loaderData"], "typed" | "today">;

function Register({ typed, today }: FormProps) {
  return (
    <section id="register" aria-labelledby="register-title" className="mt-8 max-w-3xl">
      <h2 id="register-title">Add request</h2>
      <AdminForm intent="register" className="mt-3 grid justify-items-start gap-3">
        <div className="grid w-full items-start gap-3 sm:grid-cols-2">
          <AdminText name="email" type="email" label="Email" defaultValue={typed.email} autoComplete="off" />
          <AdminSelect
            name="kind"
            label="Request type"
            defaultValue={typed.kind}
            options={Object.entries(KIND_WORDS)}
          />
          <AdminSelect
            name="law"
            label="Law"
            hint="If unsure, the CCPA; for someone in Europe, the GDPR. An arbitration opt-out has none."
            options={PRIVACY_LAWS.toReversed().map((law) => [law, `${LAW_NAMES[law]}, ${LAW_DAYS[law].answer} days`])}
          />
          <AdminSelect name="channel" label="Received by" options={Object.entries(CHANNEL_WORDS)} />
          <AdminText name="receivedOn" type="date" label="Date received" defaultValue={typed.on} max={today} />
        </div>
        <AdminArea
          name="note"
          label="Note"
          hint={`For an arbitration opt-out, the name and address in the notice. It counts within ${policyText.arbitrationOptOutDays} of the first purchase, and is confirmed by email.`}
          rows={2}
          className="w-full"
        />
        <Submit className="btn btn-primary">Add request</Submit>
      </AdminForm>
    </section>
  );
}

function Retention({ last }: { last: Route.ComponentProps["loaderData"]["last"] }) {
  const counts = Object.entries(last?.counts ?? {})
    .map(([name, count]) => `${Number(count).toLocaleString("en-US")} ${name}`)
    .join(", ");
  return (
    <section className="mt-10 max-w-3xl border-t border-line pt-5">
      <h2>Data retention</h2>
      {last ? (
        <p>
          Last run <When at={last.at} />
          <span>{`: ${counts ? `removed ${counts}.` : "nothing to remove."} Earlier runs are in the audit log.`}</span>
        </p>
      ) : (
        <p className="text-ink-soft">Not run yet. It runs once a day, between 3 and 5 AM in New York.</p>
      )}
    </section>
  );
}

export default function LegalScreen({ loaderData }: Route.ComponentProps) {
  const { open, closed, next, last, typed, isLater, today } = loaderData;
  return (
    <>
      <PageHead title="Legal requests" note={isLater ? null : `${open.length} open`}>
        {!isLater && (
          <Link to="#register" className="btn">
            Add request
          </Link>
        )}
      </PageHead>
      {!isLater && (
        <section aria-labelledby="open">
          <h2 id="open">Privacy requests</h2>
          <AdminTable
            label="Open requests"
            columns={columns(true)}
            rows={open}
            rowKey={({ id }) => id}
            empty="No open requests. Add one when someone asks for a copy, deletion or correction of their data, or objects to its use: the deadline counts from the day you received it."
          />
        </section>
      )}
      {closed.length > 0 && (
        <section className="mt-8">
          <h2>Closed requests</h2>
          <AdminTable label="Closed requests" columns={columns(false)} rows={closed} rowKey={({ id }) => id} />
          <Pager next={next} />
        </section>
      )}
      {!isLater && <Register typed={typed} today={today} />}
      <Retention last={last} />
    </>
  );
}
