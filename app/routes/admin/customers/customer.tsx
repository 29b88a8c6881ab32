import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { openCustomer } from "#shop/privacy/person.server.ts";
import { actingOf } from "#app/session/staff.server.ts";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { notFound, requireId } from "../guard.server.ts";
import type { Route } from "./+types/customer.ts";
import { History, Part } from "./history.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const person = await openCustomer(db, actingOf(context), requireId(params.userId));
  if (!person) throw notFound();
  return person;
}

const deviceWords = (devices: number) =>
  devices === 0 ? "Not signed in" : `Signed in on ${devices} ${devices === 1 ? "device" : "devices"}`;

export default function CustomerScreen({ loaderData }: Route.ComponentProps) {
  const { account, cart, wishlist, devices, ...history } = loaderData;
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
