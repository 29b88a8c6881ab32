import type { ReactNode } from "react";
import { useActionData } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { inviteStaff, listInvitations, revokeInvitation } from "#shop/staff/invitations.server.ts";
import { emailField } from "#shop/email-field.ts";
import { ROLE_WORDS, ROLES } from "#shop/roles.ts";
import {
  changeRole,
  disableStaff,
  enableStaff,
  endStaffSessions,
  listStaff,
  resetFactor,
  type Member,
  type StaffResult,
} from "#shop/staff/staff.server.ts";
import { config } from "#platform/config.server.ts";
import { consumeMailFor } from "#app/session/rate-limits.server.ts";
import { consumeStaffMail, staffOf } from "#app/session/staff.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminCheckbox, AdminForm, AdminSelect, AdminText } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, EmptyState, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { actions, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import type { Route } from "./+types/route.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { staffId } = staffOf(context);
  const [found, invitations] = await Promise.all([listStaff(db), listInvitations(db)]);
  const members = found.map((member) => ({ ...member, isMe: member.id === staffId }));
  const invited = invitations.map(({ id, email, role, expiresAt }) => ({ id, email, role, expiresAt }));
  return { members, invited };
}

const roleField = z.enum(ROLES, { error: "Choose a role" });
const inviteSchema = z.object({ email: emailField().toLowerCase(), role: roleField });
const memberSchema = z.object({ key: z.uuid() });
const disableSchema = memberSchema.extend({
  sure: z.literal("on", { error: "Confirm that you want to disable them" }),
});
const isSensitive = { isSensitive: true };

async function invite(action: Action<z.output<typeof inviteSchema>>) {
  const { email } = action.value;
  const { permit } = await consumeMailFor(action.context, email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const invited = await inviteStaff(db, action.by, action.value, config().secret, permit);
  if (!invited.ok) return refused(action, "", { errors: { email: "This person is already on the team" } });
  return done(action, `Invitation sent to ${email}.`, { clears: true });
}

const REFUSALS = {
  "not-found": "This person is no longer on the team.",
  "last-owner": "This is the only owner. Make someone else an owner first.",
  disabled: "This person is disabled. Enable them first.",
} as const;

const outcome = (action: Action, result: StaffResult, message: string) =>
  result.ok ? done(action, message) : refused(action, REFUSALS[result.reason]);

/** Handles an action on one member. */
const onMember = (change: typeof disableStaff, message: string) =>
  handle(
    memberSchema,
    async (action) => outcome(action, await change(db, action.by, action.value.key), message),
    isSensitive,
  );

async function reset(action: Action<z.output<typeof memberSchema>>) {
  const { key } = action.value;
  const member = (await listStaff(db)).find(({ id }) => id === key);
  if (!member) return refused(action, REFUSALS["not-found"]);
  const { permit } = await consumeStaffMail(action.context, member.email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const { secret } = config();
  const message = `Signed out. We emailed ${member.email} a link to set up two-step sign-in again.`;
  return outcome(action, await resetFactor(db, action.by, key, secret, permit), message);
}

export const action = actions({
  invite: handle(inviteSchema, invite, isSensitive),
  uninvite: handle(
    memberSchema,
    async (action) => {
      await revokeInvitation(db, action.by, action.value.key);
      return done(action, "Invitation revoked.");
    },
    isSensitive,
  ),
  role: handle(
    memberSchema.extend({ role: roleField }),
    async (action) =>
      outcome(action, await changeRole(db, action.by, action.value.key, action.value.role), "Role changed."),
    isSensitive,
  ),
  disable: handle(
    disableSchema,
    async (action) => outcome(action, await disableStaff(db, action.by, action.value.key), "Disabled and signed out."),
    isSensitive,
  ),
  enable: onMember(enableStaff, "Enabled. They can sign in again."),
  factor: handle(memberSchema, reset, isSensitive),
  "sign-out": onMember(endStaffSessions, "Signed out everywhere."),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const ROLE_OPTIONS = ROLES.map((name) => [name, ROLE_WORDS[name].name] as const);

function Invite() {
  return (
    <AdminForm intent="invite" className="grid max-w-3xl gap-3">
      <h2>Invite staff</h2>
      <div className="grid items-start gap-3 sm:grid-cols-[1fr_180px_auto]">
        <AdminText name="email" type="email" label="Email" autoComplete="off" />
        <AdminSelect name="role" label="Role" defaultValue="packer" options={ROLE_OPTIONS} />
        <Submit className="btn btn-primary sm:mt-6">Send invitation</Submit>
      </div>
      <ul className="text-ink-soft">
        {ROLES.map((role) => (
          <li key={role}>
            {ROLE_WORDS[role].name}: {ROLE_WORDS[role].does.toLowerCase()}
          </li>
        ))}
      </ul>
    </AdminForm>
  );
}

function MemberForm({ intent, id, children }: { intent: string; id: string; children: ReactNode }) {
  return (
    <AdminForm intent={intent} of={id}>
      <input type="hidden" name="key" value={id} />
      {children}
    </AdminForm>
  );
}

type Row = Member & { isMe: boolean };

function MemberStatus({ disabledAt, hasFactor, sessions }: Member) {
  if (disabledAt) return <Status tone="quiet">Disabled</Status>;
  if (!hasFactor) return <Status tone="soon">Needs two-step sign-in</Status>;
  return sessions > 0 ? <Status tone="done">Signed in</Status> : <Status tone="open">Active</Status>;
}

function MemberActions({ id, name, role, disabledAt }: Row) {
  const actions = [
    { intent: "sign-out", label: "Sign out everywhere" },
    { intent: "factor", label: "Reset two-step sign-in" },
    // Both forms stay mounted, so the one just used can show its result.
    { intent: "enable", label: "Enable", isOff: disabledAt === null },
    { intent: "disable", label: "Disable", isOff: disabledAt !== null },
  ];
  return (
    <div className="grid gap-3 py-3">
      <MemberForm intent="role" id={id}>
        <div className="flex flex-wrap items-end gap-2">
          <AdminSelect name="role" label="Role" defaultValue={role} className="w-44" options={ROLE_OPTIONS} />
          <Submit className="btn">Change role</Submit>
        </div>
      </MemberForm>
      {actions.map(({ intent, label, isOff }) => (
        <MemberForm key={intent} intent={intent} id={id}>
          {!isOff && (
            <>
              {intent === "disable" && <AdminCheckbox name="sure" label={`Sign ${name} out and end their access`} />}
              <Submit className={`btn ${intent === "disable" ? "btn-danger" : ""}`}>{label}</Submit>
            </>
          )}
        </MemberForm>
      ))}
    </div>
  );
}

/** Open after an action without scripts, whose result it would hide. */
function Manage(member: Row) {
  const answered = useActionData<{ formId?: string }>()?.formId;
  return (
    <details open={answered?.endsWith(member.id)}>
      <summary className="btn list-none" aria-label={`Manage ${member.name}`}>
        Manage
      </summary>
      <MemberActions {...member} />
    </details>
  );
}

const COLUMNS: Column<Row>[] = [
  {
    header: "Name",
    cell: ({ name, email, isMe }) => (
      <>
        <span className="block font-medium">
          {name}
          {isMe && <span className="font-normal text-ink-soft"> (you)</span>}
        </span>
        <span className="text-ink-soft">{email}</span>
      </>
    ),
  },
  { header: "Role", cell: ({ role }) => ROLE_WORDS[role].name },
  { header: "Status", cell: (member) => <MemberStatus {...member} /> },
  {
    header: "Last active",
    cell: ({ lastSeenAt }) => (lastSeenAt ? <When at={lastSeenAt} /> : "Never"),
    phone: "label",
  },
  {
    header: "Actions",
    className: "max-sm:mt-2",
    cell: (member) => <Manage {...member} />,
  },
];

export default function StaffScreen({ loaderData: { members, invited } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Staff" note={members.length} />
      <AdminTable label="Staff" columns={COLUMNS} rows={members} rowKey={({ id }) => id} empty="No staff yet." />
      <section className="mt-10 grid gap-8">
        <Invite />
        <div>
          <h2>Pending invitations</h2>
          {invited.length === 0 && <EmptyState>No pending invitations.</EmptyState>}
          <ul className="mt-2 max-w-3xl">
            {invited.map(({ id, email, role, expiresAt }) => (
              <li
                key={id}
                className="flex min-h-11 flex-wrap items-center justify-between gap-3 border-t border-line py-2"
              >
                <span>
                  <span className="font-medium">{email ?? "First owner"}</span>, {ROLE_WORDS[role].name.toLowerCase()},
                  expires <When at={expiresAt} />
                </span>
                <MemberForm intent="uninvite" id={id}>
                  <Submit className="btn">Revoke</Submit>
                </MemberForm>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  );
}
