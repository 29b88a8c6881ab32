/** SQL time of the back office's screens, lists and searches, and of the scheduled jobs when nothing is due. */
import { tmpdir } from "node:os";
import { Client, type Pool } from "pg";
import type { Database } from "#db/connection.server.ts";
import { SPANS } from "#shop/analytics/events.ts";
import type { CarrierProvider } from "#shop/carriers/carrier-provider.ts";
import { finishLabels, trackParcels } from "#shop/carriers/watch-parcels.server.ts";
import { PRODUCT_SORTS, PRODUCT_STATES } from "#shop/catalog/back-office/product-list.server.ts";
import { announceCharges, cancelRefused, remindOfRefusals } from "#shop/fulfillment/charges.server.ts";
import { carryOutDelays } from "#shop/fulfillment/delay.server.ts";
import { carryOutProductDelays } from "#shop/fulfillment/delay-product.server.ts";
import { VIEW_NAMES } from "#shop/fulfillment/views.ts";
import { checkHealth } from "#shop/health/health.server.ts";
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "#shop/orders/lifecycle.ts";
import { readMissedEvents, startPaymentJobs, warnOfCaptures } from "#shop/payments/jobs.server.ts";
import type { PaymentProvider, PaymentProviders, ProviderName } from "#shop/payments/provider.ts";
import { sendNotices } from "#shop/privacy/notices.server.ts";
import { sweepRateLimits } from "#shop/rate-limits/rate-limits.server.ts";
import { carryOutReturns } from "#shop/returns/jobs.server.ts";
import { RETURN_KINDS, RETURN_STATES } from "#shop/returns/lifecycle.ts";
import { recordTax } from "#shop/tax/record.server.ts";
import type { TaxProvider } from "#shop/tax/tax-provider.ts";
import { sendInvitations } from "#shop/waitlist/invitations.server.ts";
import { PLACE_STATES } from "#shop/waitlist/list-signups.server.ts";
import { addressOf, ADMIN_SCREENS } from "#tests/support/admin-screens.ts";
import type { Visitor } from "#tests/support/visitor.ts";
import { countSql } from "./measured.ts";
import { atMost, median, type Row } from "./report.ts";

const SQL_MS = 100;
const ROUNDS = 5;

type Screen = Pick<(typeof ADMIN_SCREENS)[number], "path" | "id" | "query">;

const each = (path: string, name: string, values: readonly (string | number)[]): Screen[] =>
  values.map((value) => ({ path: `${path}${path.includes("?") ? "&" : "?"}${name}=${value}` }));
/** The page after a row in the middle. */
const middle = (path: string, table: string): Screen => ({
  path,
  id: `SELECT id FROM ${table} ORDER BY created_at DESC OFFSET (SELECT count(*) / 2 FROM ${table}) LIMIT 1`,
  query: "after",
});
const daysAgo = (days: number) => daysAfter(newYorkDay(new Date()), -days);
const dates = (path: string, from: string, to: string, [first, last]: [number, number]): Screen => ({
  path: `${path}${from}=${daysAgo(first)}&${to}=${daysAgo(last)}`,
});

const SCREENS: Screen[] = [
  ...ADMIN_SCREENS,
  ...each("/admin/orders", "view", VIEW_NAMES),
  ...each("/admin/orders", "status", ORDER_STATUSES),
  ...each("/admin/orders", "payment", PAYMENT_STATUSES),
  // By a name, two words of one, email, ZIP code, phone and tracking number; then what nobody has.
  ...each("/admin/orders", "q", ["ba", "mu+ba", "guest-7", "10001", "2120004711", "9400000000000000070011"]),
  ...each("/admin/orders", "q", ["nobody", "99999", "9999999999"]),
  ...each("/admin/orders?status=delivered&payment=refunded", "q", ["ba"]),
  dates("/admin/orders?", "since", "until", [400, 380]),
  dates("/admin/orders?view=late&", "since", "until", [400, 380]),
  ...each("/admin/orders", "product", ["polara-pro-earth-green", "polara"]),
  middle("/admin/orders", "orders"),
  ...each("/admin/returns", "state", RETURN_STATES),
  ...each("/admin/returns", "kind", RETURN_KINDS),
  middle("/admin/returns", "returns"),
  ...each("/admin/customers", "q", ["buyer", "ada", "guest-7", "ba", "nobody"]),
  ...each("/admin/customers", "tag", ["invoice"]),
  middle("/admin/customers", "users"),
  ...each("/admin/messages", "status", ["closed", "all"]),
  ...each("/admin/messages?status=all", "q", ["bowl", "ada", "nobody"]),
  ...each("/admin/messages", "whose", ["mine", "unassigned"]),
  middle("/admin/messages", "contact_messages"),
  ...each("/admin/waitlist", "state", PLACE_STATES),
  ...each("/admin/waitlist?source=source-1", "campaign", ["campaign-5"]),
  middle("/admin/waitlist", "waitlist"),
  ...each("/admin/products", "state", PRODUCT_STATES),
  ...each("/admin/products", "sort", PRODUCT_SORTS),
  ...each("/admin/products", "q", ["po", "nothing"]),
  ...each("/admin/audit", "kind", ["order", "return", "text"]),
  ...each("/admin/audit", "order", ["00000000"]),
  {
    path: "/admin/audit",
    id: "SELECT staff_id AS id FROM audit_log WHERE staff_id IS NOT NULL LIMIT 1",
    query: "staff",
  },
  ...each("/admin/analytics", "days", SPANS),
  ...each("/admin/analytics?days=365&source=source-1", "campaign", ["campaign-5"]),
  dates("/admin/analytics?", "since", "until", [650, 290]),
  dates("/admin/tax?", "from", "to", [30, 0]),
  dates("/admin/tax?", "from", "to", [650, 0]),
  ...each("/admin/texts", "q", ["warranty"]),
];

/** Without any news; the rest of a provider is called only for what is due. */
const silent = (name: ProviderName) => ({ name, missed: async () => [] }) as Pick<PaymentProvider, "name" | "missed">;
const providers = { stripe: silent("stripe"), paypal: silent("paypal") } as PaymentProviders;
const nobody = {} as CarrierProvider & TaxProvider;

const fail = (error: unknown) => {
  throw error;
};

const JOBS: Record<string, (db: Database) => Promise<unknown>> = {
  "due payments, twice a second": (db) => startPaymentJobs({ db, providers, report: fail }).stop(),
  "captures that end soon": warnOfCaptures,
  "charges to announce": (db) => announceCharges(db, fail),
  "refused charges to remind of": remindOfRefusals,
  "refused charges to cancel": cancelRefused,
  "lost webhooks": (db) => readMissedEvents(db, providers),
  "tax to record": (db) => recordTax(db, nobody, fail),
  "labels to finish": (db) => finishLabels(db, { carrier: nobody, payments: providers }, fail),
  "parcels to track": (db) => trackParcels(db, nobody, fail),
  "delays of a product": (db) => carryOutProductDelays(db, fail),
  delays: (db) => carryOutDelays(db, fail),
  returns: (db) => carryOutReturns(db, fail),
  invitations: sendInvitations,
  notices: sendNotices,
  health: (db) => checkHealth(db, { folder: tmpdir(), isPublic: true, webhooks: ["stripe"] }),
  "rate limits": sweepRateLimits,
};

type Served = { url: string; db: Database; pool: Pool; owner: Visitor };

export async function backOffice(adminUrl: string, { url, db, pool, owner }: Served): Promise<Row[]> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const rows: Row[] = [];
  const measure = async (what: string, run: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i++) times.push((await countSql(admin, url, run)).ms);
    rows.push(atMost(`SQL of ${what}`, median(times), SQL_MS, { unit: "ms", digits: 1 }));
  };
  for (const screen of SCREENS) {
    const address = await addressOf(pool, { name: screen.path, ...screen });
    await measure(screen.id ? `${screen.path} ${screen.query ?? ""}`.trim() : screen.path, async () => {
      const response = await owner.fetch(address);
      await response.text();
      if (response.status >= 400) throw new Error(`${address} answered ${response.status}`);
    });
  }
  for (const [name, run] of Object.entries(JOBS)) await measure(`the job: ${name}`, () => run(db));
  await admin.end();
  return rows;
}
