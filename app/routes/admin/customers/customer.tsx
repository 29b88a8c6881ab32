/** One customer with all that the shop knows of them, but no secret. */
import { data, Link } from "react-router";
import { db } from "../../../database.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { actingOf } from "../../../session/staff.server.ts";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/customer.ts";
import { None, Part, TracesOf } from "./traces.tsx";

export const headers = privateHeaders;

const nothingHere = () => data(null, { status: 404 });

export async function loader({ params: { userId }, context }: Route.LoaderArgs) {
  if (!isId(userId)) throw nothingHere();
  const { openCustomer } = await import("../../../../shop/privacy/person.server.ts");
  const person = await openCustomer(db, actingOf(context), userId);
  if (!person) throw nothingHere();
  return data(person, { headers: NO_STORE });
}

export default function CustomerScreen({ loaderData }: Route.ComponentProps) {
  const { account, cart, wishlist, devices, ...traces } = loaderData;
  const { waitlistedAt, waitlistVerifiedAt, waitlistSource } = account;
  return (
    <>
      <PageHead title={account.name || account.email} note={account.email}>
        <Link to="/admin/customers" className="act">
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
            <li>{account.hasSecondFactor ? "Two-step sign-in is on" : "No two-step sign-in"}</li>
            <li>
              {devices === 0 ? "Signed in nowhere" : `Signed in on ${devices} ${devices === 1 ? "device" : "devices"}`}
            </li>
          </ul>
        </Part>
        <TracesOf email={account.email} {...traces} />
        <Part title="Cart">
          {cart.length === 0 && <None>Empty.</None>}
          {cart.map(({ name, quantity }) => (
            <p key={name}>
              {quantity} × {name}
            </p>
          ))}
        </Part>
        <Part title="Wishlist">
          {wishlist.length === 0 && <None>Empty.</None>}
          {wishlist.map((name) => (
            <p key={name}>{name}</p>
          ))}
        </Part>
        <Part title="Waitlist">
          {!waitlistedAt && <None>Not on it.</None>}
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
