/** What there is of an email without an account; one with an account leads there. */
import { data, Link, redirect } from "react-router";
import { db } from "../../../database.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { actingOf } from "../../../session/staff.server.ts";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import type { Route } from "./+types/by-email.ts";
import { TracesOf } from "./traces.tsx";

export const headers = privateHeaders;

const MAX_CHARACTERS = 320;

export async function loader({ request, context }: Route.LoaderArgs) {
  const email = new URL(request.url).searchParams.get("email")?.trim() ?? "";
  if (!email.includes("@") || email.length > MAX_CHARACTERS) {
    throw redirect("/admin/customers");
  }
  const [{ accountOf }, { openGuest }] = await Promise.all([
    import("../../../../shop/accounts/list-customers.server.ts"),
    import("../../../../shop/privacy/person.server.ts"),
  ]);
  const userId = await accountOf(db, email);
  if (userId) throw redirect(`/admin/customers/${userId}`);
  return data({ email, ...(await openGuest(db, actingOf(context), email)) }, { headers: NO_STORE });
}

export default function GuestScreen({ loaderData: { email, ...traces } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={email} note="No account">
        <Link to="/admin/customers?kind=guests" className="act">
          All guests
        </Link>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-3">
        <TracesOf email={email} {...traces} />
      </div>
    </>
  );
}
