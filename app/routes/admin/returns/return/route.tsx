import { Link } from "react-router";
import { formatMoney } from "#shop/money.ts";
import { useActionResult, ActionMessage } from "#app/ui/form/form.tsx";
import { PageHead, Section, Status } from "#app/ui/admin/page-head.tsx";
import { AdminTable, type Column } from "#app/ui/admin/table.tsx";
import { dayWords, When } from "#app/ui/admin/when.tsx";
import { sendByHand } from "../../by-hand.ts";
import { notFound, requireId } from "../../guard.server.ts";
import type { Route } from "./+types/route.ts";
import { loadReturn, type ReturnData } from "./load.server.ts";
import { ReturnPanel } from "./panels.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const orderReturn = await loadReturn(context, requireId(params.returnId));
  if (!orderReturn) throw notFound();
  return { orderReturn };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../../revalidate.ts";

type Props = { orderReturn: ReturnData };

export default function ReturnScreen({ loaderData: { orderReturn } }: Route.ComponentProps) {
  const { number, kind, status, due, requestedAt, order, next, possible } = orderReturn;
  return (
    <>
      <PageHead
        title={`Return ${number}`}
        note={
          <span className="flex flex-wrap items-center gap-x-4 text-ink">
            <Status tone={due.tone}>{status}</Status>
            {due.on && (
              <span className={due.tone === "late" ? "text-saving" : "text-ink-soft"}>{`Due ${dayWords(due.on)}`}</span>
            )}
            <span className="text-ink-soft">
              <span>{`${kind}, requested `}</span>
              <When at={requestedAt} />
            </span>
          </span>
        }
      >
        <Link to={`/admin/orders/${order.id}`} className="btn">
          {`Order ${order.number}`}
        </Link>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 content-start gap-8">
          <NextStep orderReturn={orderReturn} />
          <Claim orderReturn={orderReturn} />
          <Lines orderReturn={orderReturn} />
          <div className="grid gap-8 sm:grid-cols-2">
            <Shipping orderReturn={orderReturn} />
            <Money orderReturn={orderReturn} />
          </div>
          {possible.some((action) => action !== next) && (
            <Section title={next ? "More actions" : "Actions"} className="gap-2.5">
              <div className="flex flex-wrap items-start gap-2">
                {possible
                  .filter((action) => action !== next)
                  .map((action) => (
                    <ReturnPanel key={action} orderReturn={orderReturn} action={action} />
                  ))}
              </div>
            </Section>
          )}
        </div>
        <Section title="Timeline" className="gap-5">
          <ol className="grid border-l border-line">
            {orderReturn.timeline.map(({ id, at, title, who }) => (
              <li key={id} className="relative pb-5 pl-5">
                <span aria-hidden="true" className="absolute top-1.5 -left-[4.5px] size-2 rounded-full bg-ink" />
                <span className="inline-block font-medium first-letter:uppercase">{title}</span>
                <p className="text-ink-soft">
                  <span>{`${who}, `}</span>
                  <When at={at} />
                </p>
              </li>
            ))}
          </ol>
        </Section>
      </div>
    </>
  );
}

/** The next step, below the message of the last one, whose own panel is gone. */
function NextStep({ orderReturn }: Props) {
  const done = useDoneStep(orderReturn);
  if (!orderReturn.next && !done) return null;
  return (
    <section aria-label="Next step" className="grid gap-4 rounded-card border border-line bg-card p-4">
      {done && <ActionMessage result={done} />}
      {orderReturn.next && <ReturnPanel orderReturn={orderReturn} action={orderReturn.next} />}
    </section>
  );
}

/** Actions whose panel goes once they are done; of several answers the last counts. */
const STEPS = [
  "label",
  "authorize",
  "reopen",
  "withdraw",
  "decline",
  "fee",
  "receive",
  "inspect",
  "quote",
  "answer",
  "resolve",
  "record-paid",
  "waive",
] as const;

function useDoneStep({ id, possible }: ReturnData) {
  // The number of steps never changes.
  const results = STEPS.map((action) => useActionResult(`${action}-${id}`));
  return results.findLast((result, i) => result?.message && !possible.includes(STEPS[i]!));
}

/** The customer's words beside their photos. */
function Claim({ orderReturn: { name, reason, exchangeName, claim } }: Props) {
  return (
    <Section title="Claim">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <div className="grid content-start gap-2">
          <p className="font-medium">{exchangeName ? `${reason}, wants ${exchangeName}` : reason}</p>
          {claim?.description && <p className="max-w-prose wrap-anywhere whitespace-pre-line">{claim.description}</p>}
          <p className="text-ink-soft wrap-anywhere">
            <span>{name}</span>
            {claim?.email && (
              <span>
                ,{" "}
                <a href={`mailto:${claim.email}`} className="admin-link">
                  {claim.email}
                </a>
              </span>
            )}
          </p>
        </div>
        {claim && claim.photos.length > 0 && (
          <ul aria-label="Photos" className="flex flex-wrap gap-2">
            {claim.photos.map((src, i) => (
              <li key={src}>
                <a href={src} target="_blank" rel="noreferrer">
                  <img
                    src={src}
                    alt={`Of the claim, ${i + 1} of ${claim.photos.length}`}
                    className="size-36 rounded-lg object-cover"
                  />
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

type Line = ReturnData["lines"][number];

const COLUMNS: Column<Line>[] = [
  { header: "Units", cell: ({ units }) => units, isNumber: true },
  { header: "Item", cell: ({ name }) => name, className: "w-full" },
  {
    header: "Condition",
    className: "sm:whitespace-nowrap",
    cell: ({ condition }) => condition ?? <span className="whitespace-nowrap text-ink-soft">Not inspected</span>,
  },
  { header: "Stock", cell: ({ condition, isRestocked }) => condition && (isRestocked ? "Returned" : "Written off") },
];

function Lines({ orderReturn: { lines, isOwnProduct } }: Props) {
  const columns = isOwnProduct ? COLUMNS.slice(0, -1) : COLUMNS;
  return (
    <Section title="Items" className="gap-2">
      <AdminTable label="Returned items" columns={columns} rows={lines} rowKey={({ id }) => id} isGrid />
    </Section>
  );
}

function Shipping({ orderReturn: { sent, order, labelUrl, isPaidByUs } }: Props) {
  return (
    <Section title="Shipping" className="gap-2">
      <p>
        <span>{isPaidByUs ? "We pay for return shipping" : "The customer pays for return shipping"}</span>
        {labelUrl && (
          <span>
            :{" "}
            <a href={labelUrl} target="_blank" rel="noreferrer" className="admin-link">
              label
            </a>
          </span>
        )}
      </p>
      {sent && (
        <p>
          <span>{`What we send: ${sent.toLowerCase()}. `}</span>
          <Link to={`/admin/orders/${order.id}`} className="admin-link">
            {`Order ${order.number}`}
          </Link>
        </p>
      )}
    </Section>
  );
}

function Money({ orderReturn: { claim, order, outcome } }: Props) {
  if (!claim) return null;
  const { money, quoteCents, toPayCents, fee, byHandCents } = claim;
  const rows: [string, number][] = [
    [money.linesCents === money.worthCents ? "Paid for these items" : "The new product costs less", money.linesCents],
    ["Shipping", money.shippingCents],
    ["Reduction", -money.deductionCents],
    ["Refund", money.refundCents],
    ["The new product costs more", money.moreCents],
    ["Price of the repair", quoteCents ?? 0],
    ["Diagnostic fee, paid", fee?.isPaid ? fee.cents : 0],
    ["The customer has yet to pay", toPayCents],
  ];
  const shown = rows.filter(([, cents]) => cents !== 0);
  if (shown.length === 0 && byHandCents === 0 && !outcome) return null;
  return (
    <Section title={outcome ? `Outcome: ${outcome.toLowerCase()}` : "Amounts"} className="gap-2">
      <dl className="grid content-start gap-1.5">
        {shown.map(([label, cents]) => (
          <div key={label} className={`flex justify-between gap-6 ${label === "Refund" ? "font-medium" : ""}`}>
            <dt className="text-ink-soft">{label}</dt>
            <dd className="tabular-nums">{cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents)}</dd>
          </div>
        ))}
      </dl>
      {byHandCents > 0 && (
        <p className="text-saving">
          <span>{`${sendByHand(byHandCents)} `}</span>
          <Link to={`/admin/orders/${order.id}`} className="admin-link">
            {`Order ${order.number}`}
          </Link>
        </p>
      )}
    </Section>
  );
}
