import { Link } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { emailOf } from "#shop/accounts/customers.server.ts";
import { SUSPENSION_REASONS, type SuspensionReason } from "#shop/accounts/suspension.ts";
import { listTags } from "#shop/customers/customer-note.server.ts";
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
import { History, newOrderPath, Part } from "./history.tsx";
import { aboutPerson, GONE } from "./notes.server.ts";
import { Notes } from "./notes.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const person = await openCustomer(db, actingOf(context), requireId(params.userId));
  if (!person) throw notFound();
  return { ...person, allTags: await listTags(db), maySuspend: staffMay(context, "customers:suspend") };
}

const REFUSALS: Record<Extract<SuspensionResult, { ok: false }>["reason"], string> = {
  "not-found": GONE,
  unchanged: "This was done in the meantime. Nothing was changed.",
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
  ...aboutPerson(async ({ id }) => {
    const email = await emailOf(db, id);
    return email && { email: email.address, subject: `customer:${id}` };
  }),
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
          <When at={suspendedAt} />
          <span>{`. ${SUSPENSION_REASONS[suspensionReason]}`}</span>
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
              <p className="text-ink-soft">Signs them out and emails them the reason. Their orders aren’t affected.</p>
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
  const { account, cart, wishlist, devices, maySuspend, note, tags, allTags, ...history } = loaderData;
  const { waitlistedAt, waitlistVerifiedAt, waitlistSource } = account;
  return (
    <>
      <PageHead title={account.name || account.email} note={account.email}>
        <Link to={newOrderPath(account.email, history.orders)} className="btn">
          Create order
        </Link>
        <a href={`mailto:${account.email}`} className="btn">
          Write an email
        </a>
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
        <Notes key={account.id} of={account.id} {...{ note, tags, allTags }} />
        <History email={account.email} {...history} />
        {cart.length > 0 && (
          <Part title="Cart">
            {cart.map(({ name, quantity }) => (
              <p key={name}>{`${quantity} × ${name}`}</p>
            ))}
          </Part>
        )}
        {wishlist.length > 0 && (
          <Part title="Wishlist">
            {wishlist.map((name) => (
              <p key={name}>{name}</p>
            ))}
          </Part>
        )}
        {waitlistedAt && (
          <Part title="Waitlist">
            <p>
              Joined <When at={waitlistedAt} />
              {waitlistSource && <span>{`, from ${waitlistSource}`}</span>}
              <span>{`, ${waitlistVerifiedAt ? "confirmed" : "not confirmed"}`}</span>
            </p>
          </Part>
        )}
        <Suspension account={account} maySuspend={maySuspend} />
      </div>
    </>
  );
}
