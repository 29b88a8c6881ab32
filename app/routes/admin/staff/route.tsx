/** Who works here, as what, and who was invited. */
import { data } from "react-router";
import { db } from "../../../database.server.ts";
import { listInvitations } from "../../../../shop/staff/invitations.server.ts";
import { ROLE_WORDS, ROLES, type Role } from "../../../../shop/staff/roles.ts";
import { listStaff, type Member } from "../../../../shop/staff/staff.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffOf } from "../../../session/staff.server.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { AdminSelect, AdminText, CodeField } from "../../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import type { Route } from "./+types/route.ts";
import { actInBrowser } from "../act-in-browser.ts";
import { staffAct } from "./acts.server.ts";

const PATH = "/admin/staff";

export const headers = privateHeaders;

export async function loader({ context }: Route.LoaderArgs) {
  const [members, invitations] = await Promise.all([listStaff(db), listInvitations(db)]);
  const { staffId, isFresh } = staffOf(context);
  const invited = invitations.map(({ id, email, role, expiresAt }) => ({ id, email, role, expiresAt }));
  return data({ members, invited, me: staffId, isFresh }, { headers: NO_STORE });
}

export const action = ({ request, context }: Route.ActionArgs) => staffAct(request, context);
export const clientAction = actInBrowser;

const roleOptions = ROLES.map((role) => (
  <option key={role} value={role}>
    {ROLE_WORDS[role].name}
  </option>
));

function Invite({ isFresh }: { isFresh: boolean }) {
  return (
    <ActForm act="invite" path={PATH} className="grid max-w-3xl gap-3">
      <h2>Invite somebody</h2>
      <div className="grid items-start gap-3 sm:grid-cols-[1fr_180px_auto]">
        <AdminText name="email" type="email" label="Email" autoComplete="off" />
        <AdminSelect name="role" label="Role" defaultValue="packer">
          {roleOptions}
        </AdminSelect>
        <button type="submit" className="act act-next sm:mt-6">
          Send the link
        </button>
      </div>
      <ul className="text-ink-soft">
        {ROLES.map((role) => (
          <li key={role}>
            {ROLE_WORDS[role].name}: {ROLE_WORDS[role].does.toLowerCase()}
          </li>
        ))}
      </ul>
      <CodeField isFresh={isFresh} />
    </ActForm>
  );
}

function MemberRow({ member, isMe, isFresh }: { member: Member; isMe: boolean; isFresh: boolean }) {
  const { id, name, email, role, disabledAt, hasFactor, sessions, lastSeenAt } = member;
  const state = disabledAt ? (
    <Status tone="quiet">Disabled</Status>
  ) : hasFactor ? (
    <Status tone={sessions > 0 ? "done" : "open"}>{sessions > 0 ? "Signed in" : "Active"}</Status>
  ) : (
    <Status tone="soon">Needs a new second factor</Status>
  );
  return (
    <tr>
      <td>
        <span className="block font-medium">
          {name}
          {isMe && <span className="font-normal text-ink-soft"> (you)</span>}
        </span>
        <span className="text-ink-soft">{email}</span>
      </td>
      <td>{ROLE_WORDS[role].name}</td>
      <td>{state}</td>
      <td data-label="Last here:">{lastSeenAt ? <When at={lastSeenAt} /> : "Never"}</td>
      <td className="max-sm:mt-2">
        <details>
          <summary className="act list-none" aria-label={`Change ${name}`}>
            Change
          </summary>
          <MemberActs id={id} role={role} isDisabled={disabledAt !== null} isFresh={isFresh} />
        </details>
      </td>
    </tr>
  );
}

type MemberActsProps = { id: string; role: Role; isDisabled: boolean; isFresh: boolean };

function MemberActs({ id, role, isDisabled, isFresh }: MemberActsProps) {
  const acts = [
    { act: "sign-out", label: "Sign out everywhere" },
    { act: "factor", label: "Lost the second factor" },
    // Both forms stay, so that the one that was pressed says what happened.
    { act: "enable", label: "Let in again", isOff: !isDisabled },
    { act: "disable", label: "Keep out", isOff: isDisabled },
  ];
  return (
    <div className="grid gap-3 py-3">
      <ActForm act="role" path={PATH} rowKey={id} className="grid gap-2">
        <div className="flex flex-wrap items-end gap-2">
          <AdminSelect name="role" label="Role" defaultValue={role} className="w-44">
            {roleOptions}
          </AdminSelect>
          <button type="submit" className="act">
            Change the role
          </button>
        </div>
        <CodeField isFresh={isFresh} />
      </ActForm>
      {acts.map(({ act, label, isOff }) => (
        <ActForm key={act} act={act} path={PATH} rowKey={id} className="grid justify-items-start gap-2">
          {!isOff && (
            <>
              <CodeField isFresh={isFresh} />
              <button type="submit" className={`act ${act === "disable" ? "act-danger" : ""}`}>
                {label}
              </button>
            </>
          )}
        </ActForm>
      ))}
    </div>
  );
}

export default function StaffScreen({ loaderData: { members, invited, me, isFresh } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Staff" note={members.length} />
      <div className="admin-scroll">
        <table className="admin-table admin-cards">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">State</th>
              <th scope="col">Last here</th>
              <th scope="col">
                <span className="sr-only">Acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow key={member.id} member={member} isMe={member.id === me} isFresh={isFresh} />
            ))}
          </tbody>
        </table>
      </div>
      <section className="mt-10 grid gap-8">
        <Invite isFresh={isFresh} />
        <div>
          <h2>Invited</h2>
          {invited.length === 0 && <EmptyList>Nobody is invited at the moment.</EmptyList>}
          <ul className="mt-2 max-w-3xl">
            {invited.map(({ id, email, role, expiresAt }) => (
              <li
                key={id}
                className="flex min-h-11 flex-wrap items-center justify-between gap-3 border-t border-line py-2"
              >
                <span>
                  <span className="font-medium">{email ?? "The first owner"}</span>,{" "}
                  {ROLE_WORDS[role].name.toLowerCase()}, until <When at={expiresAt} />
                </span>
                <ActForm act="uninvite" path={PATH} rowKey={id} className="flex flex-wrap items-end gap-2">
                  <CodeField isFresh={isFresh} />
                  <button type="submit" className="act">
                    Take back
                  </button>
                </ActForm>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  );
}
