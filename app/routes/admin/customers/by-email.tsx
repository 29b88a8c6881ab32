/** A guest's history by email; an email with an account redirects to that account. */
import { Link, redirect } from "react-router";
import { db } from "#platform/database.server.ts";
import { accountOf } from "#shop/accounts/customers.server.ts";
import { listTags } from "#shop/customers/customer-note.server.ts";
import { guestSubject, openGuest } from "#shop/privacy/person.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import type { Route } from "./+types/by-email.ts";
import { actions } from "../action.server.ts";
import { History, newOrderPath } from "./history.tsx";
import { aboutPerson } from "./notes.server.ts";
import { Notes } from "./notes.tsx";

const MAX_CHARACTERS = 320;

function emailIn(request: Request): string {
  const email = new URL(request.url).searchParams.get("email")?.trim() ?? "";
  if (!email.includes("@") || email.length > MAX_CHARACTERS) throw redirect("/admin/customers");
  return email;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const email = emailIn(request);
  const userId = await accountOf(db, email);
  if (userId) throw redirect(`/admin/customers/${userId}`);
  return { email, allTags: await listTags(db), ...(await openGuest(db, actingOf(context), email)) };
}

export function action(args: Route.ActionArgs) {
  const email = emailIn(args.request);
  return actions(aboutPerson(async () => ({ email, subject: guestSubject(email) })))(args);
}

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export default function GuestScreen({ loaderData }: Route.ComponentProps) {
  const { email, note, tags, allTags, ...history } = loaderData;
  const name = history.orders[0]?.name;
  return (
    <>
      <PageHead title={name || email} note={name ? `${email}, no account` : "No account"}>
        <Link to={newOrderPath(email, history.orders)} className="btn">
          Create order
        </Link>
        <a href={`mailto:${email}`} className="btn">
          Write an email
        </a>
        <Link to="/admin/customers" className="btn">
          All customers
        </Link>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-3">
        <Notes key={email} of={email} query={`&email=${encodeURIComponent(email)}`} {...{ note, tags, allTags }} />
        <History email={email} {...history} />
      </div>
    </>
  );
}
