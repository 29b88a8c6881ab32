/** Loads one return without fields that the role may not read. */
import type { RouterContextProvider } from "react-router";
import { db } from "#platform/database.server.ts";
import { listParts } from "#shop/catalog/catalog.server.ts";
import { clock } from "#shop/clock.ts";
import { getOrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { isAllowed, outcomesOf, type ReturnEvent } from "#shop/returns/lifecycle.ts";
import { CONDITIONS, KIND_WORDS, outcomeWords, reasonOf } from "#shop/returns/return.ts";
import { getReturn, type ReturnDetails } from "#shop/returns/returns.server.ts";
import type { Sent } from "#shop/returns/return-standing.ts";
import { may, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { ADMIN_ACCESS } from "../../access.ts";
import { namesOfStaff } from "../../orders/order/load.server.ts";
import { dueOf, stateWords } from "../due.ts";

const PATTERN = "/admin/returns/:returnId";

const EVENTS = {
  authorize: "authorized",
  receive: "received",
  inspect: "inspected",
  quote: "quoted",
  resolve: "resolved",
  checks: "checks-sent",
  label: "label-added",
  fee: "fee-asked",
  reopen: "reopened",
  withdraw: "withdrawn",
  decline: "declined",
} satisfies Record<string, ReturnEvent>;
export type ReturnAction = keyof typeof EVENTS;

const RETURN_ACTIONS = Object.keys(EVENTS) as ReturnAction[];

type Rma = Pick<ReturnDetails, "kind" | "state" | "fee" | "quoteAcceptedAt" | "labelBy" | "labelUrl">;

const isRepair = ({ kind }: Rma) => kind === "repair";

function isPossible(action: ReturnAction, rma: Rma): boolean {
  if (!isAllowed(EVENTS[action], rma.state)) return false;
  if (action === "fee") return isRepair(rma) && rma.fee === null;
  if (action === "label") return rma.labelBy === "us";
  if (action === "quote") return isRepair(rma) && rma.quoteAcceptedAt === null;
  return action !== "resolve" || outcomesOf(rma.kind, rma.state).length > 0;
}

/** The one next step of a return, or null. */
function nextOf(rma: Rma): ReturnAction | null {
  switch (rma.state) {
    case "requested":
      return isPossible("fee", rma) ? "fee" : "authorize";
    case "authorized":
      return rma.labelBy === "us" && rma.labelUrl === null ? "label" : "receive";
    case "received":
      return "inspect";
    case "inspected":
      return isPossible("quote", rma) ? "quote" : "resolve";
    default:
      return null;
  }
}

const SENT_WORDS: Record<Sent, string> = {
  reserved: "Set aside",
  unpaid: "Set aside until the customer has paid",
  waiting: "To ship, on the order",
  sent: "Shipped",
  canceled: "Canceled",
};

async function timelineOf(rma: ReturnDetails) {
  const [details, names] = await Promise.all([getOrderDetails(db, rma.orderId), namesOfStaff()]);
  const events = (details?.events ?? []).filter(
    ({ type, data }) => type === "return-changed" && data?.returnId === rma.id,
  );
  return events.toReversed().map(({ id, at, data, actor, staffId }) => ({
    id,
    at,
    title: String(data?.event).replaceAll("-", " "),
    who: (staffId && names.get(staffId)) || (actor === "customer" || actor === "guest" ? "Customer" : "System"),
  }));
}

/** Null if there is no such return. */
export async function loadReturn(context: Readonly<RouterContextProvider>, returnId: string) {
  const { role } = staffOf(context);
  const rma = await getReturn(db, returnId);
  if (!rma) return null;
  const allowed = ADMIN_ACCESS[PATTERN]?.actions ?? {};
  const possible = RETURN_ACTIONS.filter((action) => may(role, allowed[action]!) && isPossible(action, rma));
  const next = nextOf(rma);
  const outcomes = outcomesOf(rma.kind, rma.state).filter(
    (outcome) =>
      // A repair that the customer pays for begins once its price was agreed to.
      outcome !== "repair" || !isRepair(rma) || rma.quoteAcceptedAt !== null,
  );
  const handles = may(role, "returns:handle");
  return {
    id: rma.id,
    number: rma.number,
    kind: KIND_WORDS[rma.kind],
    status: stateWords(rma),
    due: dueOf(rma, newYorkDay(clock.now())),
    requestedAt: rma.createdAt,
    order: { id: rma.orderId, number: orderNumber(rma.orderId) },
    name: `${rma.order.shippingFirstName} ${rma.order.shippingLastName}`.trim(),
    reason: reasonOf(rma.reason).words,
    exchangeName: rma.exchangeName,
    outcome: rma.outcome && outcomeWords(rma.kind, rma.outcome),
    isPaidByUs: rma.labelBy === "us",
    labelUrl: rma.labelUrl,
    isOwnProduct: rma.kind === "warranty" || rma.kind === "repair",
    lines: rma.items.map(({ id, name, units, condition, isRestocked }) => ({
      id,
      name,
      units,
      condition: condition && CONDITIONS[condition],
      isRestocked,
    })),
    sent: rma.sent && SENT_WORDS[rma.sent],
    possible,
    next: next && possible.includes(next) ? next : null,
    outcomes: outcomes.map((outcome) => [outcome, outcomeWords(rma.kind, outcome)] as const),
    parts: possible.includes("resolve") && outcomes.includes("part") ? await listParts(db) : [],
    timeline: await timelineOf(rma),
    /** Data that only staff who handle returns may read. */
    claim: handles
      ? {
          email: rma.order.email,
          description: rma.description,
          photos: rma.photoIds.map((id) => `/admin/returns/${rma.id}/photos/${id}`),
          // A product that is repaired is not refunded.
          money: rma.kind === "repair" ? { ...rma.money, refundCents: 0 } : rma.money,
          toPayCents: rma.toPay?.cents ?? 0,
          fee: rma.fee,
          quoteCents: rma.quoteCents,
          refundLimitCents: REFUND_LIMIT_CENTS[role],
        }
      : null,
  };
}

export type ReturnData = NonNullable<Awaited<ReturnType<typeof loadReturn>>>;
