/** Loads one return without fields that the role may not read. */
import type { RouterContextProvider } from "react-router";
import { db } from "#platform/database.server.ts";
import { listParts } from "#shop/catalog/catalog.server.ts";
import { clock } from "#shop/clock.ts";
import { getOrderDetails } from "#shop/fulfillment/order-list.server.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { effectsOf } from "#shop/returns/effects.server.ts";
import { isAllowed, outcomesOf, type ReturnEvent } from "#shop/returns/lifecycle.ts";
import { CONDITIONS, KIND_WORDS, outcomeWords, reasonOf } from "#shop/returns/return.ts";
import { getReturn, type ReturnDetails } from "#shop/returns/returns.server.ts";
import type { Sent } from "#shop/returns/return-standing.ts";
import { may, REFUND_LIMIT_CENTS } from "#shop/staff/permissions.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { ADMIN_ACCESS } from "../../access.ts";
import { namesOfStaff } from "../../orders/order/load.server.ts";
import { dueOf, stateWords } from "../due.ts";
import { effectWords } from "./effect.ts";
import { whyNot } from "./refusals.server.ts";

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
  answer: "quote-accepted",
  "record-paid": "payment-recorded",
  waive: "charge-waived",
} satisfies Record<string, ReturnEvent>;
export type ReturnAction = keyof typeof EVENTS;

const RETURN_ACTIONS = Object.keys(EVENTS) as ReturnAction[];

type OrderReturn = Pick<ReturnDetails, "kind" | "state" | "fee" | "toPay" | "quoteAcceptedAt" | "labelBy" | "labelUrl">;

const isRepair = ({ kind }: OrderReturn) => kind === "repair";

function isPossible(action: ReturnAction, orderReturn: OrderReturn): boolean {
  if (!isAllowed(EVENTS[action], orderReturn.state)) return false;
  if (action === "fee") return isRepair(orderReturn) && orderReturn.fee === null;
  if (action === "label") return orderReturn.labelBy === "us";
  if (action === "quote") return isRepair(orderReturn) && orderReturn.quoteAcceptedAt === null;
  if (action === "record-paid" || action === "waive") return orderReturn.toPay !== null;
  if (action !== "resolve") return true;
  return (
    outcomesOf(orderReturn.kind, orderReturn.state).length > 0 &&
    (orderReturn.state !== "resolved" || orderReturn.toPay !== null)
  );
}

/** The one next step of a return, or null. */
function nextOf(orderReturn: OrderReturn): ReturnAction | null {
  switch (orderReturn.state) {
    case "requested":
      return isPossible("fee", orderReturn) ? "fee" : "authorize";
    case "authorized":
      return orderReturn.labelBy === "us" && orderReturn.labelUrl === null ? "label" : "receive";
    case "received":
      return "inspect";
    case "inspected":
      return isPossible("quote", orderReturn) ? "quote" : "resolve";
    default:
      return null;
  }
}

const SENT_WORDS: Record<Sent, string> = {
  reserved: "Set aside",
  unpaid: "Set aside until the customer has paid",
  waiting: "To ship, on the order",
  sent: "Shipped",
  astray: "Lost or refused, on the order",
  arrived: "Delivered",
  canceled: "Canceled",
};

async function timelineOf(orderReturn: ReturnDetails) {
  const [details, names] = await Promise.all([getOrderDetails(db, orderReturn.orderId), namesOfStaff()]);
  const events = (details?.events ?? []).filter(
    ({ type, data }) => type === "return-changed" && data?.returnId === orderReturn.id,
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
  const orderReturn = await getReturn(db, returnId);
  if (!orderReturn) return null;
  const allowed = ADMIN_ACCESS[PATTERN]?.actions ?? {};
  const possible = RETURN_ACTIONS.filter((action) => may(role, allowed[action]!) && isPossible(action, orderReturn));
  const next = nextOf(orderReturn);
  const effects = possible.includes("resolve") ? await effectsOf(db, orderReturn.id) : [];
  const handles = may(role, "returns:handle");
  return {
    id: orderReturn.id,
    number: orderReturn.number,
    kind: KIND_WORDS[orderReturn.kind],
    status: stateWords(orderReturn),
    due: dueOf(orderReturn, newYorkDay(clock.now())),
    requestedAt: orderReturn.createdAt,
    order: { id: orderReturn.orderId, number: orderNumber(orderReturn.orderId) },
    name: `${orderReturn.order.shippingFirstName} ${orderReturn.order.shippingLastName}`.trim(),
    reason: reasonOf(orderReturn.reason).words,
    exchangeName: orderReturn.exchangeName,
    outcome: orderReturn.outcome && outcomeWords(orderReturn.kind, orderReturn.outcome),
    isPaidByUs: orderReturn.labelBy === "us",
    labelUrl: orderReturn.labelUrl,
    isOwnProduct: orderReturn.kind === "warranty" || orderReturn.kind === "repair",
    lines: orderReturn.items.map(({ id, name, units, condition, isRestocked }) => ({
      id,
      name,
      units,
      condition: condition && CONDITIONS[condition],
      isRestocked,
    })),
    sent: orderReturn.sent && SENT_WORDS[orderReturn.sent],
    possible,
    next: next && possible.includes(next) ? next : null,
    outcomes: effects.map((effect) => ({
      outcome: effect.outcome,
      name: outcomeWords(orderReturn.kind, effect.outcome),
      isPossible: effect.ok,
      hasLimit: effect.ok && effect.backCents + effect.waivedCents > 0,
      effect: effect.ok ? effectWords(effect, orderReturn.exchangeName) : whyNot(effect),
    })),
    parts: effects.some(({ outcome }) => outcome === "part") ? await listParts(db) : [],
    timeline: await timelineOf(orderReturn),
    /** Data that only staff who handle returns may read. */
    claim: handles
      ? {
          email: orderReturn.order.email,
          description: orderReturn.description,
          photos: orderReturn.photoIds.map((id) => `/admin/returns/${orderReturn.id}/photos/${id}`),
          // A product that is repaired is not refunded.
          money: orderReturn.kind === "repair" ? { ...orderReturn.money, refundCents: 0 } : orderReturn.money,
          byHandCents: orderReturn.byHandCents,
          toPayCents: orderReturn.toPay?.cents ?? 0,
          fee: orderReturn.fee,
          quoteCents: orderReturn.quoteCents,
          refundLimitCents: REFUND_LIMIT_CENTS[role],
        }
      : null,
  };
}

export type ReturnData = NonNullable<Awaited<ReturnType<typeof loadReturn>>>;
