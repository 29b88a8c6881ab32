import { Link, useSearchParams } from "react-router";
import { z } from "#shop/zod.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { unitsLeft } from "#shop/catalog/stock.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { may } from "#shop/staff/permissions.ts";
import {
  countPlaces,
  listBatches,
  listPlaces,
  PLACES_PAGE,
  placesByCampaign,
  type CampaignPlaces,
  type Place,
} from "#shop/waitlist/list-signups.server.ts";
import {
  countInvitable,
  inviteBatch,
  MAX_BATCH,
  listEarlyProducts,
  reserveForWaitlist,
} from "#shop/waitlist/invitations.server.ts";
import { invitationPreview } from "#shop/waitlist/waitlist-emails.server.ts";
import { listProductNames } from "#shop/catalog/back-office/product-list.server.ts";
import { db } from "#platform/database.server.ts";
import { config } from "#platform/config.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, countLabel, filtersOf, Pager, type Column } from "#app/ui/admin/table.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { isId } from "../guard.server.ts";
import { actions, fieldError, handle } from "../action.server.ts";
import { NONE, readSignupFilter } from "./filter.server.ts";
import { Invitations } from "./invitations.tsx";
import type { Route } from "./+types/route.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = readSignupFilter(searchParams);
  const after = searchParams.get("after");
  const { state: _, ...segment } = filter;
  const [found, { count, hasMore }, campaigns, batches, invitable, opened, products, email] = await Promise.all([
    listPlaces(db, filter, isId(after) ? after : null),
    countPlaces(db, filter),
    placesByCampaign(db),
    listBatches(db),
    countInvitable(db, segment),
    listEarlyProducts(db),
    listProductNames(db),
    invitationPreview(db, config()),
  ]);
  const signups = found.slice(0, PLACES_PAGE);
  const { role } = staffOf(context);
  return {
    signups,
    next: found.length > PLACES_PAGE ? signups.at(-1)!.id : null,
    counted: countLabel(count, hasMore),
    campaigns: campaigns.map((each) => ({
      ...each,
      utmSource: each.utmSource ?? NONE,
      utmCampaign: each.utmCampaign ?? NONE,
    })),
    invitations: { batches, invitable, opened, products, email },
    mayExport: may(role, "waitlist:export"),
  };
}

const NUMBER = `Enter a number from 1 to ${MAX_BATCH.toLocaleString("en-US")}`;
const inviteSchema = z.object({
  size: z
    .string({ error: NUMBER })
    .regex(/^\d{1,4}$/, NUMBER)
    .transform(Number)
    .pipe(z.number().min(1, NUMBER).max(MAX_BATCH, NUMBER)),
  source: z.string().optional(),
  campaign: z.string().optional(),
  soldOut: z.literal("on").optional(),
  confirms: z.string().optional(),
});
const openSchema = z.object({
  slug: z.string({ error: "Choose a product" }).min(1, "Choose a product"),
  until: z
    .union([z.literal(""), z.iso.date("Choose a date")])
    .transform((day) => day || null)
    .refine((day) => day === null || day > newYorkDay(clock.now()), "Choose a day after today, or leave it empty"),
});

const NO_PRODUCT = "No one was invited: no product is waitlist-only anymore. Make one waitlist-only first.";
const NO_ONE = "No one left to invite. Only verified signups can be invited, each once.";

export const action = actions({
  invite: handle(inviteSchema, async (action) => {
    const { state: _, ...segment } = readSignupFilter(action.form);
    const early = await listEarlyProducts(db);
    if (early.length === 0) return refused(action, NO_PRODUCT);
    const people = Math.min(action.value.size, await countInvitable(db, segment));
    if (people === 0) return refused(action, NO_ONE);
    const soldOut = early.filter((product) => unitsLeft(product) === 0);
    if (soldOut.length > 0 && !action.value.soldOut)
      return fieldError(
        action,
        "soldOut",
        "There is none left for them to order. Add stock first, or check this box",
        409,
      );
    if (Number(action.value.confirms) !== people)
      return done(action, undefined, { data: { people, soldOut: action.value.soldOut === "on" } });
    const { batch, invited } = await inviteBatch(db, action.by, { segment, size: people }, config().secret);
    if (invited === 0) return refused(action, NO_ONE);
    const message = `Batch ${batch}: ${invited.toLocaleString("en-US")} invited. Emails are sent at 100 a minute.`;
    return done(action, message, { clears: true });
  }),
  open: handle(openSchema, async (action) => {
    const { slug, until } = action.value;
    const isKnown = await reserveForWaitlist(db, action.by, slug, until);
    if (!isKnown) return refused(action, "", { errors: { slug: "Enter the name or URL handle of one product" } });
    return done(action, until ? "Waitlist-only until that date." : "Open to everyone.", { clears: true });
  }),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

function SignupStatus({ signup: { verifiedAt, unsubscribedAt, sentAt, batch, orderId } }: { signup: Place }) {
  if (unsubscribedAt) return <Status tone="quiet">Unsubscribed</Status>;
  if (orderId) return <Status tone="done">Ordered</Status>;
  if (batch !== null) return <Status tone="open">{sentAt ? "Invited" : "Sending invitation"}</Status>;
  return verifiedAt ? <Status tone="open">Verified</Status> : <Status tone="soon">Not verified</Status>;
}

const SIGNUPS: Column<Place>[] = [
  { header: "Email", cell: ({ email }) => email, className: "max-w-72 truncate !font-medium sm:max-xl:max-w-56" },
  { header: "Status", cell: (signup) => <SignupStatus signup={signup} /> },
  { header: "Phone", cell: ({ phone }) => phone, className: "whitespace-nowrap", phone: "label", at: "wide" },
  { header: "Source", cell: ({ utmSource }) => utmSource, className: "max-w-40 truncate", phone: "label" },
  { header: "Campaign", cell: ({ utmCampaign }) => utmCampaign, className: "max-w-40 truncate", at: "wide" },
  { header: "Joined", cell: ({ createdAt }) => <When at={createdAt} />, phone: "label" },
  { header: "Batch", cell: ({ batch }) => batch, isNumber: true, phone: "label", at: "wide" },
  {
    header: "Order",
    cell: ({ orderId }) =>
      orderId && (
        <Link to={`/admin/orders/${orderId}`} className="admin-link">
          {orderNumber(orderId)}
        </Link>
      ),
  },
];

type Campaign = CampaignPlaces & { utmSource: string; utmCampaign: string };

const named = (value: string) => (value === "-" ? "None" : value);

const CAMPAIGNS: Column<Campaign>[] = [
  {
    header: "Source",
    cell: ({ utmSource }) => named(utmSource),
    href: ({ utmSource, utmCampaign }) => `?${new URLSearchParams({ source: utmSource, campaign: utmCampaign })}`,
    className: "sm:max-w-40 sm:truncate",
    phone: "inline",
  },
  {
    header: "Campaign",
    cell: ({ utmCampaign }) => named(utmCampaign),
    className: "sm:max-w-40 sm:truncate",
    phone: "inline",
  },
  { header: "Verified", cell: ({ verified }) => verified, isNumber: true, phone: "fact" },
  { header: "Not verified", cell: ({ unverified }) => unverified, isNumber: true, phone: "fact" },
  { header: "Unsubscribed", cell: ({ unsubscribed }) => unsubscribed, isNumber: true, phone: "fact" },
  { header: "Invited", cell: ({ invited }) => invited, isNumber: true, phone: "fact" },
];

const options = (values: string[]) => [
  ["", "All"] as const,
  ...[...new Set(values)].toSorted().map((value) => [value, named(value)] as const),
];

export default function WaitlistScreen({ loaderData }: Route.ComponentProps) {
  const { signups, next, counted, campaigns, invitations, mayExport } = loaderData;
  const [query] = useSearchParams();
  return (
    <>
      <PageHead title="Waitlist" note={counted} />
      <div className="mb-10 grid grid-cols-[minmax(0,1fr)] items-start gap-10 2xl:grid-cols-2">
        <Invitations {...invitations} />
        <section>
          <h2 className="mb-2">By campaign</h2>
          <AdminTable
            label="By campaign"
            columns={CAMPAIGNS}
            rows={campaigns}
            rowKey={({ utmSource, utmCampaign }) => `${utmSource}\n${utmCampaign}`}
            empty="No signups yet. Add utm_source and utm_campaign to the links you share to compare campaigns."
          />
        </section>
      </div>
      <h2 className="mb-3">Signups</h2>
      <Filters
        fields={[
          {
            name: "state",
            label: "Status",
            options: [
              ["", "All"],
              ["verified", "Verified"],
              ["unverified", "Not verified"],
              ["invited", "Invited"],
              ["unsubscribed", "Unsubscribed"],
            ],
          },
          { name: "source", label: "Source", options: options(campaigns.map(({ utmSource }) => utmSource)) },
          { name: "campaign", label: "Campaign", options: options(campaigns.map(({ utmCampaign }) => utmCampaign)) },
        ]}
      />
      <AdminTable
        label="Signups"
        columns={SIGNUPS}
        rows={signups}
        rowKey={({ id }) => id}
        empty="No signups match. People join with the waitlist form in your store, and appear here."
      />
      <Pager next={next} />
      {mayExport && signups.length > 0 && (
        <div className="mt-8">
          <DownloadForm
            action={`/admin/waitlist/export?intent=export&${filtersOf(query)}`}
            title="Export"
            note="A CSV file of every signup that matches the filters. Exports are recorded in the audit log."
            label="Download CSV"
          />
        </div>
      )}
    </>
  );
}
