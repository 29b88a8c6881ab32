/** A guest's history by email; an email with an account redirects to that account. */
import { Link, redirect } from "react-router";
import { db } from "#platform/database.server.ts";
import { accountOf } from "#shop/accounts/customers.server.ts";
import { openGuest } from "#shop/privacy/person.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import type { Route } from "./+types/by-email.ts";
import { History } from "./history.tsx";

const MAX_CHARACTERS = 320;

export async function loader({ request, context }: Route.LoaderArgs) {
  const email = new URL(request.url).searchParams.get("email")?.trim() ?? "";
  if (!email.includes("@") || email.length > MAX_CHARACTERS) throw redirect("/admin/customers");
  const userId = await accountOf(db, email);
  if (userId) throw redirect(`/admin/customers/${userId}`);
  return { email, ...(await openGuest(db, actingOf(context), email)) };
}

export default function GuestScreen({ loaderData }: Route.ComponentProps) {
  const { email, orders } = loaderData;
  const name = orders[0]?.name;
  return (
    <>
      <PageHead title={name || email} note={name ? `${email}, no account` : "No account"}>
        <a href={`mailto:${email}`} className="btn">
          Write an email
        </a>
        <Link to="/admin/customers?kind=guests" className="btn">
          All guests
        </Link>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-3">
        <History {...loaderData} />
      </div>
    </>
  );
}
