/** Actions of the order page. Each is checked again when it runs. */
import { redirectDocument, type RouterContextProvider } from "react-router";
import { z } from "#shop/zod.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { shipNow } from "#shop/fulfillment/charges.server.ts";
import { acceptDelay } from "#shop/fulfillment/delay.server.ts";
import { cancelByBuyer } from "#shop/fulfillment/fulfill.server.ts";
import { isPartlyShipped, orderPath } from "#shop/orders/order.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { changeOrder } from "#shop/payments/payments.server.ts";
import { waitPath } from "#shop/payments/return-link.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { failed, readForm, refused } from "#app/http/form.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { reportError, securityEvent } from "#platform/log.server.ts";
import { ensureBuyer } from "#app/session/customer.server.ts";
import { readCode } from "#shop/discounts/discount.ts";
import { addFlashMessage, discountCookie, type FlashMessageName } from "#app/session/cookies.server.ts";
import type { OrderAccess } from "#app/session/order-access.server.ts";
import { ORDER_INTENTS, type AddressAnswer, type OrderIntent } from "./action-result.ts";
import { ADDRESS_FIELDS, changeDelivery } from "./address.server.ts";

/** Redirects to `to` or to the order's page. */
type Outcome =
  | { to?: string; flash?: FlashMessageName; headers?: Headers }
  | { refusal: string; status?: number; errors?: Record<string, string | undefined>; data?: AddressAnswer };

type Sent = { request: Request; form: URLSearchParams; context: Readonly<RouterContextProvider> };

const TOO_LATE = "This order can’t be canceled anymore. You can return it after it arrives.";
const ONLY_OWN = "The only thing left to ship is your own product, which we’re sending back to you.";
const ALREADY_ANSWERED = "You’ve already answered this. The current status of your order is below.";
const CHANGED_SINCE = "This has changed in the meantime. Please check it below, then answer again.";
const NOT_PAYABLE = "This order can’t be paid anymore. Its current status is below.";
const CARD_AWAY = "We couldn’t open the page for your new card. Your saved card hasn’t changed. Please try again.";
const CHANGE_REFUSED = {
  paid: "You’ve already paid for this order. You can still cancel it until it ships.",
  over: ALREADY_ANSWERED,
  away: "We couldn’t close the payment page. Please try again.",
};

export const actorOf = ({ isOwner }: OrderAccess) => (isOwner ? "customer" : "guest");

/** Idempotent. */
async function cancel(access: OrderAccess): Promise<Outcome> {
  const { id, userId } = access.order;
  const result = await cancelByBuyer(db, id, actorOf(access));
  if (!result.ok) return { refusal: result.reason === "nothing-left" ? ONLY_OWN : TOO_LATE };
  securityEvent("order-canceled", { outcome: "ok", way: actorOf(access), userId: userId ?? undefined });
  return { flash: isPartlyShipped(access.order) ? "rest-canceled" : "order-canceled" };
}

async function keep(access: OrderAccess, { form }: Sent): Promise<Outcome> {
  const accepted = await acceptDelay(db, access.order.id, form.get("seen") || null, actorOf(access));
  return accepted.ok ? { flash: "order-kept" } : { refusal: notAgreed(accepted) };
}

async function shipEarly(access: OrderAccess, { form }: Sent): Promise<Outcome> {
  const approved = await shipNow(db, access.order.id, Number(form.get("seen")), actorOf(access));
  return approved.ok ? { flash: "ships-now" } : { refusal: notAgreed(approved) };
}

const notAgreed = ({ reason }: { reason: string }) => (reason === "meanwhile" ? CHANGED_SINCE : ALREADY_ANSWERED);

async function pay({ order }: OrderAccess): Promise<Outcome> {
  const providers = paymentProviders();
  if (!providers) return { refusal: NOT_PAYABLE };
  const page = await openPage(db, providers, order.id);
  if (page.ok) return { to: page.url };
  if (page.reason === "paid") return {};
  return page.reason === "over" ? { refusal: NOT_PAYABLE } : { to: waitPath(order, config().secret) };
}

/** Opens a page that saves another card for what has not shipped. */
async function changeCard({ order }: OrderAccess): Promise<Outcome> {
  const providers = paymentProviders();
  const page = providers ? await openPage(db, providers, order.id, "card") : null;
  if (page?.ok) return { to: page.url };
  const isAway = page?.reason === "away" || page?.reason === "busy";
  return { refusal: isAway ? CARD_AWAY : "The card of this order can’t be changed anymore." };
}

/** The order's lines move into the visitor's cart. */
async function change({ order }: OrderAccess, { request }: Sent): Promise<Outcome> {
  const providers = paymentProviders();
  if (!providers) return { refusal: ALREADY_ANSWERED };
  const { buyer, headers } = await ensureBuyer(request);
  const result = await changeOrder(db, providers, buyer, order.id);
  const code = order.discountId && readCode(order.discountName ?? "");
  if (code) headers.append("Set-Cookie", discountCookie(code));
  return result.ok ? { to: "/cart", headers } : { refusal: CHANGE_REFUSED[result.reason] };
}

const handlers: Record<OrderIntent, (access: OrderAccess, sent: Sent) => Promise<Outcome>> = {
  cancel,
  keep,
  pay,
  change,
  card: changeCard,
  "ship-now": shipEarly,
  address: (access, { form, context }) => changeDelivery(access, form, context),
};

/** Null if the action is unknown. */
export async function orderAction(access: OrderAccess, request: Request, context: Readonly<RouterContextProvider>) {
  const form = await readForm(request, ["intent", "seen", ...ADDRESS_FIELDS]);
  const submission = parseForm(form, z.object({}));
  const wanted = ORDER_INTENTS.find((known) => known === form.get("intent"));
  if (!wanted) return null;
  try {
    const outcome = await handlers[wanted](access, { request, form, context });
    if ("refusal" in outcome) {
      const { refusal, ...answer } = outcome;
      return refused(submission, refusal, answer);
    }
    const { to = orderPath(access.order.id), flash, headers = new Headers() } = outcome;
    headers.set("Cache-Control", NO_STORE["Cache-Control"]);
    if (flash) addFlashMessage(headers, flash);
    return redirectDocument(to, { status: 303, headers });
  } catch (error) {
    reportError(error, "an order was not changed");
    return failed(submission);
  }
}
