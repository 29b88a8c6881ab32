import { Link } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { emailOf } from "#shop/accounts/customers.server.ts";
import { SUSPENSION_REASONS, type SuspensionReason } from "#shop/accounts/suspension.ts";
import { openCustomer } from "#shop/privacy/person.server.ts";
import { changeSuspension, type SuspensionResult } from "#shop/staff/suspension.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { actingOf, consumeStaffMail, staffMay } from "#app/session/staff.server.ts";
import { AdminForm, AdminSelect } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { Submit, useActionResult } from "#app/ui/form/form.tsx";
import { actions, handle, type Action, TOO_MANY_EMAILS } from "../action.server.ts";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/customer.ts";
import { History, Part } from "./history.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const person = await openCustomer(db, actingOf(context), requireId(params.userId));
  if (!person) throw notFound();
  return { ...person, maySuspend: staffMay(context, "customers:suspend") };
}

const REFUSALS: Record<Extract<SuspensionResult, { ok: false }>["reason"], string> = {
  "not-found": "This account no longer exists.",
  unchanged: "A colleague was faster. Nothing was changed.",
  "is-staff": "This person is on the team. An owner must disable them under Staff first.",
};

/** Emails the owner of a verified address; another may belong to somebody else. */
async function suspend(action: Action, reason: SuspensionReason | null, message: string) {
  const email = await emailOf(db, action.id);
  const mail = email?.isVerified ? await consumeStaffMail(action.context, email.address) : null;
  if (mail && !mail.permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
  const result = await changeSuspension(db, action.by, action.id, reason, mail?.permit ?? null);
  return result.ok ? done(action, message) : refused(action, REFUSALS[result.reason]);
}

const REASONS = Object.entries(SUSPENSION_REASONS);
const suspendSchema = z.object({
  reason: z.enum(Object.keys(SUSPENSION_REASONS) as [SuspensionReason], { error: "Choose a reason" }),
});

const SUSPENDED = "Suspended and signed out. The customer was emailed the reason, and how to object.";

export const action = actions({
  suspend: handle(suspendSchema, (action) => suspend(action, action.value.reason, SUSPENDED)),
  reinstate: handle(z.object({}), (action) => suspend(action, null, "Reinstated. They can sign in again.")),
});

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

type SuspensionProps = { account: Route.ComponentProps["loaderData"]["account"]; maySuspend: boolean };

function Suspension({ account: { id, suspendedAt, suspensionReason }, maySuspend }: SuspensionProps) {
  const [suspended, reinstated] = [useActionResult(`suspend-${id}`), useActionResult(`reinstate-${id}`)];
  const answer = suspendedAt ? suspended : reinstated;
  if (!maySuspend && !suspendedAt) return null;
  return (
    <Part title={suspendedAt ? "Suspended" : "Suspend account"}>
      {suspendedAt && suspensionReason && (
        <p>
          <When at={suspendedAt} />. {SUSPENSION_REASONS[suspensionReason]}
        </p>
      )}
      {answer?.ok && <p role="status">{answer.message}</p>}
      {maySuspend && (
        <AdminForm
          intent={suspendedAt ? "reinstate" : "suspend"}
          of={id}
          className="mt-1 grid justify-items-start gap-2"
        >
          {!suspendedAt && (
            <>
              <p className="text-ink-soft">Signs them out, and emails them the reason. Their orders go on.</p>
              <AdminSelect
                name="reason"
                label="Reason"
                className="w-full"
                options={[["", "Choose a reason"], ...REASONS]}
              />
            </>
          )}
          <Submit className={suspendedAt ? "btn" : "btn btn-danger"}>{suspendedAt ? "Reinstate" : "Suspend"}</Submit>
        </AdminForm>
      )}
    </Part>
  );
}

const deviceWords = (devices: number) =>
  devices === 0 ? "Not signed in" : `Signed in on ${devices} ${devices === 1 ? "device" : "devices"}`;

export default function CustomerScreen({ loaderData }: Route.ComponentProps) {
  const { account, cart, wishlist, devices, maySuspend, ...history } = loaderData;
  const { waitlistedAt, waitlistVerifiedAt, waitlistSource } = account;
  return (
    <>
      <PageHead title={account.name || account.email} note={account.email}>
        <Link to="/admin/customers" className="btn">
          All customers
        </Link>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-3">
        <Part title="Account">
          <ul className="mt-1 grid gap-1">
            <li>
              <Status tone={account.emailVerified ? "done" : "quiet"}>
                {account.emailVerified ? "Email verified" : "Email not verified"}
              </Status>
            </li>
            <li>
              Joined <When at={account.createdAt} />
            </li>
            <li>{account.phone ? `Phone ${account.phone}` : "No phone"}</li>
            <li>{account.hasSecondFactor ? "Two-step sign-in is on" : "Two-step sign-in is off"}</li>
            <li>{deviceWords(devices)}</li>
          </ul>
        </Part>
        <Suspension account={account} maySuspend={maySuspend} />
        <History email={account.email} {...history} />
        <Part title="Cart" empty={cart.length === 0 && "Empty."}>
          {cart.map(({ name, quantity }) => (
            <p key={name}>
              {quantity} × {name}
            </p>
          ))}
        </Part>
        <Part title="Wishlist" empty={wishlist.length === 0 && "Empty."}>
          {wishlist.map((name) => (
            <p key={name}>{name}</p>
          ))}
        </Part>
        <Part title="Waitlist" empty={!waitlistedAt && "Not on the waitlist."}>
          {waitlistedAt && (
            <p>
              Joined <When at={waitlistedAt} />
              {waitlistSource && `, from ${waitlistSource}`}, {waitlistVerifiedAt ? "confirmed" : "not confirmed"}
            </p>
          )}
        </Part>
      </div>
    </>
  );
}
