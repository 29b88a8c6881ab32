/** Who waits, where they came from, and who may buy before everybody else. */
import { data, Form, useSearchParams } from "react-router";
import { orderNumber } from "../../../../shop/orders/order.ts";
import { may } from "../../../../shop/staff/permissions.ts";
import type { Place } from "../../../../shop/waitlist/desk-list.server.ts";
import { db } from "../../../database.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { staffOf } from "../../../session/staff.server.ts";
import { AdminSelect } from "../../../ui/admin/field.tsx";
import { EmptyList, PageHead } from "../../../ui/admin/page-head.tsx";
import { Pager } from "../../../ui/admin/pager.tsx";
import { Status } from "../../../ui/admin/status.tsx";
import { When } from "../../../ui/admin/when.tsx";
import { actInBrowser } from "../act-in-browser.ts";
import { isId } from "../row-id.ts";
import type { Route } from "./+types/route.ts";
import { waitlistAct } from "./acts.server.ts";
import { Campaigns } from "./campaigns.tsx";
import { NONE, readFilter } from "./filter.ts";
import { Invitations } from "./invitations.tsx";
import { Export } from "./export-form.tsx";
import { ScrollRegion } from "../../../ui/admin/scroll-region.tsx";

export const headers = privateHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = readFilter(searchParams);
  const after = searchParams.get("after") ?? "";
  const [
    { COUNTED_TO, countPlaces, listBatches, listPlaces, PLACES_PAGE, placesByCampaign },
    { countInvitable },
    early,
  ] = await Promise.all([
    import("../../../../shop/waitlist/desk-list.server.ts"),
    import("../../../../shop/waitlist/invitations.server.ts"),
    import("../../../../shop/waitlist/waitlist-first.server.ts"),
  ]);
  const { state: _, ...segment } = filter;
  const [found, count, campaigns, batches, invitable, opened, products] = await Promise.all([
    listPlaces(db, filter, isId(after) ? after : null),
    countPlaces(db, filter),
    placesByCampaign(db),
    listBatches(db),
    countInvitable(db, segment),
    early.listEarlyProducts(db),
    early.listKeepable(db),
  ]);
  const places = found.slice(0, PLACES_PAGE);
  const next = found.length > PLACES_PAGE ? places.at(-1)!.id : null;
  const { role, isFresh } = staffOf(context);
  const counted = count > COUNTED_TO ? `${COUNTED_TO.toLocaleString("en-US")}+` : count.toLocaleString("en-US");
  return data(
    {
      places,
      next,
      counted,
      campaigns,
      batches,
      invitable,
      opened,
      products,
      isFresh,
      mayExport: may(role, "waitlist:export"),
    },
    { headers: NO_STORE },
  );
}

export const action = ({ request, context }: Route.ActionArgs) => waitlistAct(request, context);

function Proof({ place: { verifiedAt, unsubscribedAt, invitedAt, batch, orderId } }: { place: Place }) {
  if (unsubscribedAt) return <Status tone="quiet">Unsubscribed</Status>;
  if (orderId) return <Status tone="done">Ordered</Status>;
  if (batch !== null) return <Status tone="open">{invitedAt ? "Invited" : "Invitation is going out"}</Status>;
  return verifiedAt ? <Status tone="open">Verified</Status> : <Status tone="soon">Not verified</Status>;
}

const STATES = [
  ["verified", "Verified"],
  ["unverified", "Not verified"],
  ["invited", "Invited"],
  ["unsubscribed", "Unsubscribed"],
] as const;

function Filter({ campaigns }: Pick<Route.ComponentProps["loaderData"], "campaigns">) {
  const [query] = useSearchParams();
  const names = (key: "utmSource" | "utmCampaign") =>
    [...new Set(campaigns.map((each) => each[key] ?? NONE))].toSorted();
  return (
    <Form method="get" role="search" className="mb-4 flex flex-wrap items-end gap-3">
      <AdminSelect name="state" label="Who" defaultValue={query.get("state") ?? ""} className="w-40">
        <option value="">Everybody</option>
        {STATES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </AdminSelect>
      {(["source", "campaign"] as const).map((name) => (
        <AdminSelect
          key={name}
          name={name}
          label={name === "source" ? "Source" : "Campaign"}
          defaultValue={query.get(name) ?? ""}
          className="w-48"
        >
          <option value="">All</option>
          {names(name === "source" ? "utmSource" : "utmCampaign").map((each) => (
            <option key={each} value={each}>
              {each === NONE ? "None" : each}
            </option>
          ))}
        </AdminSelect>
      ))}
      <button type="submit" className="act">
        Show
      </button>
    </Form>
  );
}

function Places({ places }: { places: Place[] }) {
  return (
    <ScrollRegion label="Who waits">
      <table className="admin-table admin-cards">
        <thead>
          <tr>
            <th scope="col">Email</th>
            <th scope="col">State</th>
            <th scope="col">Source</th>
            <th scope="col">Campaign</th>
            <th scope="col">Joined</th>
            <th scope="col" className="number">
              Batch
            </th>
            <th scope="col">Order</th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place.id}>
              <td className="max-w-72 truncate font-medium">{place.email}</td>
              <td>
                <Proof place={place} />
              </td>
              <td className="max-w-40 truncate" {...(place.utmSource && { "data-label": "From" })}>
                {place.utmSource}
              </td>
              <td className="max-w-40 truncate">{place.utmCampaign}</td>
              <td className="whitespace-nowrap" data-label="Joined">
                <When at={place.createdAt} />
              </td>
              <td className="number" {...(place.batch !== null && { "data-label": "Batch" })}>
                {place.batch}
              </td>
              <td>
                {place.orderId && (
                  <a href={`/admin/orders/${place.orderId}`} className="admin-link">
                    {orderNumber(place.orderId)}
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

export const clientAction = actInBrowser;

export default function WaitlistScreen({ loaderData }: Route.ComponentProps) {
  const { places, next, counted, campaigns, batches, invitable, opened, products, isFresh, mayExport } = loaderData;
  return (
    <>
      <PageHead title="Waitlist" note={counted} />
      <div className="mb-10 grid grid-cols-[minmax(0,1fr)] items-start gap-10 2xl:grid-cols-2">
        <Invitations invitable={invitable} batches={batches} opened={opened} products={products} />
        <Campaigns campaigns={campaigns} />
      </div>
      <h2 className="mb-3">Places</h2>
      <Filter campaigns={campaigns} />
      {places.length === 0 && (
        <EmptyList>Nobody waits who fits. People join by the form on the shop’s pages, and then stand here.</EmptyList>
      )}
      {places.length > 0 && <Places places={places} />}
      <Pager next={next} />
      {mayExport && places.length > 0 && <Export isFresh={isFresh} />}
    </>
  );
}
