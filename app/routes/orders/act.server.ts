/** What is done to an order on its page: each a posted form, by who may see the order, and asked again when it is done. */
import { data, redirect } from "react-router";
import { config } from "../../config.server.ts";
import { db } from "../../database.server.ts";
import { cancelByBuyer } from "../../../shop/fulfillment/end-order.server.ts";
import { acceptDelay } from "../../../shop/orders/accept-delay.server.ts";
import { orderPath } from "../../../shop/orders/order.ts";
import { paymentProvider } from "../../../shop/payments/open-provider.server.ts";
import { changeMyOrder, payNow } from "../../../shop/payments/payments.server.ts";
import { waitPath } from "../../../shop/payments/page/return-link.server.ts";
import { NO_STORE } from "../../http/cache-headers.ts";
import { readForm } from "../../http/form.server.ts";
import { reportError, securityEvent } from "../../http/log.server.ts";
import { ensureBuyer } from "../../session/buyer.server.ts";
import { addFlashMessage, type FlashMessageName } from "../../session/flash-message.server.ts";
import type { OrderAccess } from "../../session/order-access.server.ts";
import { ACTS, type Act, type OrderActionResult } from "./action-result.ts";

/** `to` is where it goes on, the order's page without it. */
type Done = { to?: string; flash?: FlashMessageName; headers?: Headers } | { refusal: string };

const FAILED = "That did not work. Your order is as it was. Please try again.";
const TOO_LATE = "This order can no longer be canceled. You can send it back after it has arrived.";
const NOTHING_TO_ANSWER = "There is nothing to answer any more. Here is where your order stands.";
const NOT_PAYABLE = "This order cannot be paid any more. Here is where it stands.";
const CHANGE_REFUSED = {
  paid: "This order is paid, so it stands. You can still cancel it until it ships.",
  over: NOTHING_TO_ANSWER,
  away: "The payment page cannot be closed in this moment. Please try again.",
};

const actorOf = ({ isOwner }: OrderAccess) => (isOwner ? "customer" : "guest");

/** Who presses twice is told the same. */
async function cancel(access: OrderAccess): Promise<Done> {
  const { id, userId } = access.order;
  const result = await cancelByBuyer(db, id, actorOf(access));
  if (!result.ok) return { refusal: TOO_LATE };
  securityEvent("order-canceled", { outcome: "ok", way: actorOf(access), userId: userId ?? undefined });
  return { flash: "order-canceled" };
}

async function keep(access: OrderAccess): Promise<Done> {
  const isKept = await acceptDelay(db, access.order.id, actorOf(access));
  return isKept ? { flash: "order-kept" } : { refusal: NOTHING_TO_ANSWER };
}

async function pay({ order }: OrderAccess): Promise<Done> {
  const provider = paymentProvider();
  if (!provider) return { refusal: NOT_PAYABLE };
  const page = await payNow(db, provider, order.id);
  if (page.ok) return { to: page.url };
  if (page.reason === "paid") return {};
  return page.reason === "over" ? { refusal: NOT_PAYABLE } : { to: waitPath(order.id, config().secret) };
}

/** Its lines go into the cart of whoever asks. */
async function change({ order }: OrderAccess, request: Request): Promise<Done> {
  const provider = paymentProvider();
  if (!provider) return { refusal: NOTHING_TO_ANSWER };
  const { buyer, headers } = await ensureBuyer(request);
  const result = await changeMyOrder(db, provider, buyer, order.id);
  return result.ok ? { to: "/cart", headers } : { refusal: CHANGE_REFUSED[result.reason] };
}

const handlers: Record<Act, (access: OrderAccess, request: Request) => Promise<Done>> = { cancel, keep, pay, change };

/** Null for an act that there is not. */
export async function act(access: OrderAccess, request: Request) {
  const form = await readForm(request, ["act"]);
  const wanted = ACTS.find((known) => known === form.get("act"));
  const refuse = (message: string, status: number) =>
    data<OrderActionResult>({ message }, { status, headers: NO_STORE });
  if (!wanted) return null;
  try {
    const done = await handlers[wanted](access, request);
    if ("refusal" in done) return refuse(done.refusal, 409);
    const { to = orderPath(access.order.id), flash, headers = new Headers() } = done;
    headers.set("Cache-Control", NO_STORE["Cache-Control"]);
    if (flash) addFlashMessage(headers, flash);
    return redirect(to, { status: 303, headers });
  } catch (error) {
    reportError(error, "an order was not changed");
    return refuse(FAILED, 503);
  }
}
