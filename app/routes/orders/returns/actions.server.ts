/** Actions of a return's page. Each is checked again when it runs. */
import { redirectDocument } from "react-router";
import { NO_STORE } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { reportError } from "#platform/log.server.ts";
import { z } from "#shop/zod.ts";
import { openPage } from "#shop/payments/open-page.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { answerQuote, withdrawReturn } from "#shop/returns/handle.server.ts";
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

type Outcome = { to?: string } | { refusal: string };

const AWAY = "We couldn’t open the payment page. Nothing was charged. Please try again in a minute.";
const OVER = "This has changed in the meantime. The current status is below.";

async function answer(access: OrderAccess, orderReturn: ReturnDetails, isYes: boolean): Promise<Outcome> {
  const answered = await answerQuote(db, access.order.id, orderReturn.id, isYes, actorOf(access));
  return answered.ok ? {} : { refusal: OVER };
}

const handlers: Record<ReturnIntent, (access: OrderAccess, orderReturn: ReturnDetails) => Promise<Outcome>> = {
  async pay({ order }, { toPay }): Promise<Outcome> {
    const providers = paymentProviders();
    if (!toPay || !providers) return { refusal: OVER };
    const page = await openPage(db, providers, order.id, { chargeId: toPay.chargeId });
    if (page.ok) return { to: page.url };
    return page.reason === "away" || page.reason === "busy" ? { refusal: AWAY } : { refusal: OVER };
  },
  accept: (access, orderReturn) => answer(access, orderReturn, true),
  refuse: (access, orderReturn) => answer(access, orderReturn, false),
  async withdraw(access, orderReturn): Promise<Outcome> {
    const withdrawn = await withdrawReturn(db, access.order.id, orderReturn.id, actorOf(access));
    return withdrawn.ok ? {} : { refusal: OVER };
  },
};

export async function action({ request, params, context }: Route.ActionArgs) {
  const access = await findOrderFor(request, params.orderId);
  const form = await readForm(request, ["intent"]);
  const intent = RETURN_INTENTS.find((known) => known === form.get("intent"));
  const orderReturn = access && intent && (await findReturnOf(access, params.number));
  if (!orderReturn) return notShown(context);
  const submission = parseForm(form, z.object({}));
  try {
    const outcome = await handlers[intent](access, orderReturn);
    if ("refusal" in outcome) return refused(submission, outcome.refusal);
    const to = outcome.to ?? returnPath(access.order.id, orderReturn.number);
    return redirectDocument(to, { status: 303, headers: NO_STORE });
  } catch (error) {
    reportError(error, "a return was not changed");
    return failed(submission);
  }
}
