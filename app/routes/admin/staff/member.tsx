/** One member of the staff: a dialog above the list when opened there, and else a page that begins with it. */
import { useRef, useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import {
  changeRole,
  disableStaff,
  enableStaff,
  endStaffSessions,
  listStaff,
  resetFactor,
  type StaffResult,
} from "#shop/staff/staff.server.ts";
import { config } from "#platform/config.server.ts";
import { consumeStaffMail } from "#app/session/staff.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { useHydrated } from "#app/ui/chrome/page-state.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { FoldedForm } from "#app/ui/admin/folded-form.tsx";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { actions, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/member.ts";
import { RoleChoice, roleField } from "./role-choice.tsx";

async function memberOf(id: string) {
  const member = (await listStaff(db)).find((each) => each.id === id);
  if (!member) throw notFound();
  return member;
}

export async function loader({ params }: Route.LoaderArgs) {
  return { member: await memberOf(requireId(params.staffId)) };
}

const REFUSALS = {
  "not-found": "This person is no longer on the team.",
  "last-owner": "This is the only owner who can sign in. Make someone else an owner first.",
  disabled: "This person is disabled. Enable them first.",
} as const;

const outcome = (action: Action, result: StaffResult, message: string) =>
  result.ok ? done(action, message) : refused(action, REFUSALS[result.reason]);

const isSensitive = { isSensitive: true };

const change = (make: typeof disableStaff, message: string) =>
  handle(z.object({}), async (action) => outcome(action, await make(db, action.by, action.id), message), isSensitive);

async function reset(action: Action) {
  const member = await memberOf(action.id);
  const { permit } = await consumeStaffMail(action.context, member.email);
  if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const { secret } = config();
  const message = `Signed out. We emailed ${member.email} a link to set up two-step sign-in again.`;
  return outcome(action, await resetFactor(db, action.by, action.id, secret, permit), message);
}

export const action = actions({
  role: handle(
    z.object({ role: roleField }),
    async (action) => outcome(action, await changeRole(db, action.by, action.id, action.value.role), "Role changed."),
    isSensitive,
  ),
  disable: change(disableStaff, "Disabled and signed out."),
  enable: change(enableStaff, "Enabled. They can sign in again."),
  factor: handle(z.object({}), reset, isSensitive),
  "sign-out": change(endStaffSessions, "Signed out everywhere."),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type StepProps = { intent: string; id: string; title: string; note: string; children: ReactNode };

function Step({ intent, id, title, note, children }: StepProps) {
  return (
    <AdminForm intent={intent} of={id} className="grid justify-items-start gap-2 border-t border-line py-3">
      <h3 className="font-medium">{title}</h3>
      <p className="text-ink-soft">{note}</p>
      {children}
    </AdminForm>
  );
}

type AccessProps = { id: string; name: string; isDisabled: boolean };

/** Both forms stay mounted, so the one just used can show its result. */
function Access({ id, name, isDisabled }: AccessProps) {
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <h3 className="font-medium">Access</h3>
      <AdminForm intent="enable" of={id}>
        {isDisabled && <Submit className="btn">Enable</Submit>}
      </AdminForm>
      <FoldedForm intent="disable" of={id} label="Disable" style="btn btn-danger">
        {!isDisabled && (
          <>
            <p>{`Sign ${name} out and end their access?`}</p>
            <Submit className="btn btn-danger">Yes, disable</Submit>
          </>
        )}
      </FoldedForm>
    </div>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function Content({ member, onClose }: Loaded & { onClose?: () => void }) {
  const { id, name, email, role, disabledAt } = member;
  return (
    <div className="p-5">
      <header className="mb-3 flex items-start justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
          <h2 id="member">{name}</h2>
          <p className="text-ink-soft">{email}</p>
        </div>
        {onClose ? (
          <button type="button" onClick={onClose} className="btn">
            Close
          </button>
        ) : (
          <Link to="/admin/staff" className="btn">
            Close
          </Link>
        )}
      </header>
      <AdminForm intent="role" of={id} className="mb-3 grid justify-items-start gap-3">
        <RoleChoice chosen={role} />
        <Submit className="btn">Save role</Submit>
      </AdminForm>
      <Step intent="sign-out" id={id} title="Sign out everywhere" note="Ends every session. They can sign in again.">
        <Submit className="btn">Sign out everywhere</Submit>
      </Step>
      <Step
        intent="factor"
        id={id}
        title="Lost phone"
        note="Signs them out and emails them a link to set up two-step sign-in again."
      >
        <Submit className="btn">Reset two-step sign-in</Submit>
      </Step>
      <Access id={id} name={name} isDisabled={disabledAt !== null} />
    </div>
  );
}

export default function MemberScreen({ loaderData }: Route.ComponentProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isHydrated = useHydrated();
  const [isPage] = useState(!isHydrated);
  const navigate = useNavigate();
  if (isPage) {
    return (
      <section aria-labelledby="member" className="mb-8 max-w-xl rounded-card border border-line">
        <Content {...loaderData} />
      </section>
    );
  }
  return (
    <Dialog
      ref={dialog}
      opensOnMount
      onClose={() => void navigate("/admin/staff", { preventScrollReset: true })}
      aria-labelledby="member"
      className="admin mx-auto mt-[6vh] max-h-[88vh] w-[min(560px,calc(100vw-32px))] overflow-y-auto rounded-card border border-line bg-paper backdrop:bg-ink/30"
    >
      <Content {...loaderData} onClose={() => dialog.current?.close()} />
    </Dialog>
  );
}
