/** Notices of opting out of arbitration. */
import { Link } from "react-router";
import type { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import { optOutSchema } from "#shop/support/arbitration.ts";
import { listOptOuts, recordOptOut } from "#shop/support/arbitration.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { consumeStaffMail } from "#app/session/staff.server.ts";
import { AdminArea, AdminForm, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { actions, fieldError, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import type { Route } from "./+types/arbitration.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const given = (name: string) => (searchParams.get(name) ?? "").slice(0, 320);
  const today = newYorkDay(clock.now());
  return { rows: await listOptOuts(db), email: given("email"), name: given("name"), on: given("on") || today, today };
}

async function record(action: Action<z.output<typeof optOutSchema>>) {
  const { email } = action.value;
  const { permit } = await consumeStaffMail(action.context, email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const result = await recordOptOut(db, action.by, action.value, permit);
  if (result.ok) return done(action, `Recorded. A confirmation was sent to ${email}.`, { clears: true });
  if (result.reason === "known") return fieldError(action, "email", "This person opted out before", 409);
  const late = `Too late: their first purchase allowed it until ${dayText(result.until)}. Tell them so in a reply`;
  return fieldError(action, "receivedOn", late, 409);
}

export const action = actions({ record: handle(optOutSchema, record) });
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type Row = Route.ComponentProps["loaderData"]["rows"][number];

const COLUMNS: Column<Row>[] = [
  { header: "Name", cell: ({ name }) => name, className: "max-w-60 truncate" },
  {
    header: "Email",
    cell: ({ email }) => email,
    href: ({ email }) => `/admin/customers/by-email?email=${encodeURIComponent(email)}`,
    className: "max-w-72 truncate",
  },
  { header: "Received", cell: ({ receivedOn }) => dayText(receivedOn), phone: "label" },
  { header: "Recorded by", cell: ({ by }) => by ?? "Former staff", phone: "label" },
];

export default function ArbitrationScreen({ loaderData }: Route.ComponentProps) {
  const { rows, email, name, on, today } = loaderData;
  return (
    <>
      <PageHead title="Arbitration opt-outs">
        <Link to="/admin/customers" className="btn">
          All customers
        </Link>
      </PageHead>
      <AdminForm intent="record" className="mb-8 grid max-w-3xl justify-items-start gap-3">
        <h2>Record a notice</h2>
        <p className="max-w-prose text-ink-soft">
          A written notice with name, address and a clear statement counts within{" "}
          <span>{policyText.arbitrationOptOutDays}</span> of the first purchase. The customer gets a confirmation by
          email.
        </p>
        <div className="grid w-full items-start gap-3 sm:grid-cols-2">
          <AdminText name="email" type="email" label="Email" defaultValue={email} autoComplete="off" />
          <AdminText name="name" label="Name" defaultValue={name} autoComplete="off" />
          <AdminArea name="address" label="Address" rows={2} />
          <AdminText name="receivedOn" type="date" label="Date received" defaultValue={on} max={today} />
        </div>
        <Submit className="btn btn-primary">Record opt-out</Submit>
      </AdminForm>
      <AdminTable
        label="Opt-outs"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty="Nobody has opted out of arbitration."
      />
    </>
  );
}
