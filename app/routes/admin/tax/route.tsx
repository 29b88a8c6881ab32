import { Link, useSearchParams } from "react-router";
import { US_STATES } from "#shop/us-states.ts";
import { formatMoney, formatNumber } from "#shop/money.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { may } from "#shop/staff/permissions.ts";
import { NEXUS_AS_OF, nexusReached, nexusWords } from "#shop/tax/nexus.ts";
import { settings } from "#shop/settings/settings.server.ts";
import { collectsTax, taxProvider } from "#shop/tax/open-tax.server.ts";
import { collectsIn } from "#shop/tax/quote.server.ts";
import { listFailedTax, salesByState, type FailedTax, type StateSales } from "#shop/tax/sales-by-state.server.ts";
import { db } from "#platform/database.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { DownloadForm } from "#app/ui/admin/download-form.tsx";
import { Filters } from "#app/ui/admin/filters.tsx";
import { PageHead, Section, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, filtersOf, type Column } from "#app/ui/admin/table.tsx";
import { dayWords } from "#app/ui/admin/when.tsx";
import { dateFields } from "../dates.ts";
import { readPeriod } from "./period.ts";
import type { Route } from "./+types/route.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const period = readPeriod(new URL(request.url).searchParams);
  const { role } = staffOf(context);
  const [states, failed] = await Promise.all([salesByState(db, period), listFailedTax(db)]);
  const { tax } = settings();
  const rows = states.map((row) => ({ ...row, isCollected: taxProvider() !== null && collectsIn(row.state, { tax }) }));
  return { period, states: rows, failed, hasTax: collectsTax(), mayExport: may(role, "tax:export") };
}

const FULL = { dateStyle: "medium" } as const;

const CLOSE = 0.8;

type Row = StateSales & { isCollected: boolean };

function Reached({ row }: { row: Row }) {
  const reached = nexusReached(row.state, row);
  if (reached === null) return <span>No sales tax</span>;
  const percent = `${Math.floor(reached * 100)}%`;
  if (row.isCollected) return <span>{percent}</span>;
  if (reached >= 1) return <Status tone="late">{percent}</Status>;
  return reached >= CLOSE ? <Status tone="soon">{percent}</Status> : <span>{percent}</span>;
}

const STATES: Column<Row>[] = [
  {
    header: "State",
    cell: ({ state }) => (US_STATES as Record<string, string>)[state] ?? state,
    className: "max-sm:font-medium",
  },
  { header: "Orders", cell: ({ orders }) => formatNumber(orders), isNumber: true, phone: "fact" },
  { header: "Sales before tax", cell: ({ salesCents }) => formatMoney(salesCents), isNumber: true, phone: "fact" },
  { header: "Threshold", cell: ({ state }) => nexusWords(state) ?? "None", phone: "label" },
  { header: "Reached", cell: (row) => <Reached row={row} />, phone: "fact" },
  { header: "Collected", cell: ({ isCollected }) => (isCollected ? "Yes" : "No"), phone: "fact" },
  { header: "Recorded sales", cell: ({ recordedCents }) => formatMoney(recordedCents), isNumber: true, phone: "fact" },
  { header: "Tax", cell: ({ taxCents }) => formatMoney(taxCents), isNumber: true, phone: "fact" },
];

const PROBLEMS: Record<string, string> = {
  "rate-changed": "The quote ran out, and the tax would be another today",
  "not-recorded": "Its sale is not recorded",
  refused: "Stripe refused it",
};

const FAILED: Column<FailedTax>[] = [
  {
    header: "Order",
    cell: ({ orderId }) => orderNumber(orderId),
    href: ({ orderId }) => `/admin/orders/${orderId}`,
  },
  { header: "What", cell: ({ kind }) => (kind === "record" ? "Sale" : "Reversal") },
  { header: "Tax", cell: ({ taxCents }) => formatMoney(taxCents), isNumber: true },
  { header: "Why", cell: ({ problem }) => PROBLEMS[problem] ?? problem },
];

export default function TaxScreen({ loaderData }: Route.ComponentProps) {
  const { period, states, failed, hasTax, mayExport } = loaderData;
  const [query] = useSearchParams();
  return (
    <>
      <PageHead title="Tax" note={`${dayWords(period.from, FULL)} to ${dayWords(period.to, FULL)}`} />
      <Filters fields={dateFields(period)} />
      <p className="mb-4 max-w-prose text-ink-soft">
        <span>{hasTax ? "" : "No sales tax is collected. "}</span>
        Once a state’s threshold is reached, or where you have a place of business, register with the state and turn it
        on under{" "}
        <Link to="/admin/settings#tax" className="admin-link">
          Settings
        </Link>
        .
      </p>
      <AdminTable
        label="Sales and tax by state"
        columns={STATES}
        rows={states}
        rowKey={({ state }) => state}
        empty="No orders in this period."
      />
      <p className="mt-3 max-w-prose text-ink-soft">
        Thresholds are for sellers without a place of business in the state, for a calendar year or twelve months, as of{" "}
        <span>{NEXUS_AS_OF}</span>. Sales before tax are items and shipping of the orders placed in the period, without
        what was canceled, before refunds; a cancellation on a later day counts from the day after it, and so does a
        record that Stripe refuses. Recorded sales and tax count on the day they are recorded or reversed.
      </p>
      {failed.length > 0 && (
        <Section title="To file by hand" className="mt-8 gap-3">
          <AdminTable label="To file by hand" columns={FAILED} rows={failed} rowKey={({ id }) => id} />
        </Section>
      )}
      {mayExport && states.length > 0 && (
        <div className="mt-8">
          <DownloadForm
            action={`/admin/tax/export?intent=export&${filtersOf(query)}`}
            title="Export"
            note="A CSV file of this period by state, for filing. Exports are recorded in the audit log."
            label="Download CSV"
          />
        </div>
      )}
    </>
  );
}
