/** The privacy desk: who asked for their data or its deletion, until when, and what the retention periods ended. */
import { data, Link, type RouterContextProvider } from "react-router";
import { config } from "../../../config.server.ts";
import { db } from "../../../database.server.ts";
import { shopDay } from "../../../../shop/fulfillment/days.ts";
import {
  CHANNEL_WORDS,
  KIND_WORDS,
  LAW_NAMES,
  REQUEST_CHANNELS,
  REQUEST_KINDS,
  REQUEST_LAWS,
} from "../../../../shop/privacy/request.ts";
import { LAW_DAYS } from "../../../../shop/privacy/request-clock.ts";
import { requestSchema } from "../../../../shop/privacy/request-form.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { actingOf } from "../../../session/staff.server.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminArea, AdminSelect, AdminText } from "../../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Pager } from "../../../ui/admin/pager.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import { done, invalid, readAct } from "../act.server.ts";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/route.ts";
import { RequestTable } from "./request-table.tsx";

const PATH = "/admin/privacy";

export const headers = privateHeaders;

const requestsOf = () => import("../../../../shop/privacy/requests.server.ts");

export async function loader({ request }: Route.LoaderArgs) {
  const [{ listClosedRequests, listOpenRequests, REQUESTS_PAGE }, { lastRetention }] = await Promise.all([
    requestsOf(),
    import("../../../../shop/privacy/retention.server.ts"),
  ]);
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after") ?? "";
  const isLater = isId(after);
  const [open, found, last] = await Promise.all([
    isLater ? [] : listOpenRequests(db),
    listClosedRequests(db, isLater ? after : undefined),
    lastRetention(db),
  ]);
  const closed = found.slice(0, REQUESTS_PAGE);
  const next = found.length > REQUESTS_PAGE ? closed.at(-1)!.id : null;
  const now = new Date();
  const email = (searchParams.get("email") ?? "").slice(0, 320);
  return data(
    { open, closed, next, last, email, isLater, now, today: shopDay(now), days: LAW_DAYS },
    { headers: NO_STORE },
  );
}

export const action = ({ request, context }: Route.ActionArgs) => register(request, context);
export const clientAction = actInBrowser;

async function register(request: Request, context: Readonly<RouterContextProvider>) {
  const act = await readAct(request, Object.keys(requestSchema.shape));
  const read = requestSchema.safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  const { registerRequest } = await requestsOf();
  const { isNew } = await registerRequest(db, actingOf(context), read.data, config().secret);
  return done(
    act,
    isNew ? "Registered. It stands in the list above." : "They have asked for that before: it is open above.",
  );
}

const options = <Value extends string>(values: readonly Value[], words: (value: Value) => string) =>
  values.map((value) => (
    <option key={value} value={value}>
      {words(value)}
    </option>
  ));

function Register({ email, today, days }: Pick<Route.ComponentProps["loaderData"], "email" | "today" | "days">) {
  return (
    <section id="register" className="mt-10 max-w-3xl border-t border-line pt-5">
      <h2>Register a request</h2>
      <ActForm act="register" path={PATH} clears className="mt-3 grid justify-items-start gap-3">
        <div className="grid w-full items-start gap-3 sm:grid-cols-2">
          <AdminText name="email" type="email" label="Email" defaultValue={email} autoComplete="off" />
          <AdminSelect name="kind" label="They ask for">
            {options(REQUEST_KINDS, (kind) => KIND_WORDS[kind])}
          </AdminSelect>
          <AdminSelect name="law" label="Law" hint="Where you do not know: the GDPR's is the shorter time.">
            {options(REQUEST_LAWS, (law) => `${LAW_NAMES[law]}, ${days[law].answer} days`)}
          </AdminSelect>
          <AdminSelect name="channel" label="How they asked">
            {options(REQUEST_CHANNELS, (channel) => CHANNEL_WORDS[channel])}
          </AdminSelect>
          <AdminText name="receivedOn" type="date" label="When it came" defaultValue={today} max={today} />
        </div>
        <AdminArea name="note" label="Note" rows={2} className="w-full" />
        <button type="submit" className="act act-next">
          Register
        </button>
      </ActForm>
    </section>
  );
}

function Retention({ last }: { last: Route.ComponentProps["loaderData"]["last"] }) {
  const counts = Object.entries(last?.counts ?? {});
  return (
    <section className="mt-10 max-w-3xl border-t border-line pt-5">
      <h2>Retention periods</h2>
      {!last && <p className="text-ink-soft">Not carried out yet: the shop does so when it starts, and once a day.</p>}
      {last && (
        <p>
          Carried out <When at={last.at} />:{" "}
          {counts.length === 0
            ? "nothing was over its time."
            : `${counts.map(([name, count]) => `${Number(count).toLocaleString("en-US")} ${name}`).join(", ")}.`}{" "}
          Earlier runs stand under Audit.
        </p>
      )}
    </section>
  );
}

export default function PrivacyScreen({ loaderData }: Route.ComponentProps) {
  const { open, closed, next, last, email, isLater, now, today, days } = loaderData;
  return (
    <>
      <PageHead title="Privacy" note={isLater ? null : `${open.length} open`}>
        <Link to="#register" className="act">
          Register a request
        </Link>
      </PageHead>
      {!isLater && open.length === 0 && (
        <EmptyList>
          Nobody waits. Register here who asks for their data or its deletion; the clock starts that day.
        </EmptyList>
      )}
      {open.length > 0 && <RequestTable requests={open} now={now} />}
      {closed.length > 0 && (
        <section className="mt-8">
          <h2>Answered</h2>
          <RequestTable requests={closed} now={now} />
          <Pager next={next} />
        </section>
      )}
      {!isLater && <Register {...{ email, today, days }} />}
      <Retention last={last} />
    </>
  );
}
