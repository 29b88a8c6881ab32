/** Actions of a return's page. Each is checked again when it runs. */
import { redirectDocument } from "react-router";
import { config } from "#platform/config.server.ts";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { reportError } from "#platform/log.server.ts";
import { z } from "#shop/zod.ts";
import { orderPath } from "#shop/orders/order.ts";
import { orderUrl } from "#shop/orders/order-link.server.ts";
import { withdrawReturn } from "#shop/returns/authorize.server.ts";
import { answerQuote } from "#shop/returns/inspect.server.ts";
import type { ReturnDetails } from "#shop/returns/returns.server.ts";
import { failed, readForm, refused } from "#app/http/form.server.ts";
import { findOrderFor, type OrderAccess } from "#app/session/order-access.server.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { actorOf } from "../actions.server.ts";
import { notShown } from "../load.server.ts";
import type { Route } from "./+types/return.ts";
import { findReturnOf } from "./load.server.ts";
import { RETURN_INTENTS, type ReturnIntent } from "./return-actions.tsx";
import { returnPath } from "./paths.ts";
import { orderToPay } from "./return-timeline.ts";

type Outcome = { to?: string } | { refusal: string };

const OVER = "This has changed in the meantime. The current status is below.";

/** An order of the same customer, whose link opens it for guests. */
const pathTo = ({ isOwner }: OrderAccess, order: { id: string; linkVersion: number }): string =>
  isOwner ? orderPath(order.id) : orderUrl(order, { ...config(), baseUrl: "" });

async function answer(access: OrderAccess, rma: ReturnDetails, isYes: boolean): Promise<Outcome> {
  const answered = await answerQuote(db, access.order.id, rma.id, isYes, actorOf(access));
  return answered.ok ? {} : { refusal: OVER };
}

const handlers: Record<ReturnIntent, (access: OrderAccess, rma: ReturnDetails) => Promise<Outcome>> = {
  async pay(access, rma): Promise<Outcome> {
    const order = orderToPay(rma);
    return order ? { to: pathTo(access, order) } : { refusal: OVER };
  },
  accept: (access, rma) => answer(access, rma, true),
  refuse: (access, rma) => answer(access, rma, false),
  async withdraw(access, rma): Promise<Outcome> {
    const withdrawn = await withdrawReturn(db, access.order.id, rma.id, actorOf(access));
    return withdrawn.ok ? {} : { refusal: OVER };
  },
};

export async function action({ request, params, context }: Route.ActionArgs) {
  const access = await findOrderFor(request, params.orderId);
  const form = await readForm(request, ["intent"]);
  const intent = RETURN_INTENTS.find((known) => known === form.get("intent"));
  const rma = access && intent && (await findReturnOf(access, params.number));
  if (!rma) return notShown(context);
  const submission = parseForm(form, z.object({}));
  try {
    const outcome = await handlers[intent](access, rma);
    if ("refusal" in outcome) return refused(submission, outcome.refusal);
    const to = outcome.to ?? returnPath(access.order.id, rma.number);
    return redirectDocument(to, { status: 303, headers: NO_STORE });
  } catch (error) {
    reportError(error, "a return was not changed");
    return failed(submission);
  }
}
