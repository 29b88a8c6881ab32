import { data, redirect } from "react-router";
import { db } from "../../../database.server.ts";
import { waitlistSchema } from "../../../../shop/waitlist/waitlist-entry.ts";
import { joinWaitlist } from "../../../../shop/waitlist/waitlist.server.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import { readForm } from "../../../http/form.server.ts";
import { reportError } from "../../../http/log.server.ts";
import { readCampaign } from "../../../session/campaign.server.ts";
import { readCustomer } from "../../../session/customer.server.ts";
import { callerNetwork, rateLimits } from "../../../session/rate-limits.server.ts";
import type { Route } from "./+types/join.ts";
import type { WaitlistActionResult } from "./action-result.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";

const respond = (body: WaitlistActionResult, status: number) => data(body, { status, headers: NO_STORE });

const STATUS = { "already-registered": 409, limited: 429, "no-account": 500 } as const;

export const loader = () => redirect("/");

/** Puts a visitor on the waitlist. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, ["email", "phone", "utm_source", "utm_campaign"]);
  const entry = waitlistSchema.safeParse(Object.fromEntries(form));
  if (!entry.success) {
    return respond({ outcome: "invalid", errors: fieldErrors(entry.error) }, 400);
  }
  try {
    const caller = { network: callerNetwork(context), customer: await readCustomer(request) };
    const { utmSource, utmCampaign } = entry.data;
    // The page's script says what its own address says; on a later page, the visit knows.
    const campaign = utmSource || utmCampaign ? { utmSource, utmCampaign } : readCampaign(request.headers);
    const result = await joinWaitlist(db, rateLimits, { ...entry.data, ...campaign }, caller);
    if (result.ok) return respond({ outcome: "joined", isConfirmed: result.isConfirmed }, 200);
    const status = STATUS[result.reason];
    if (result.reason === "already-registered") return respond({ outcome: result.reason }, status);
    return respond({ outcome: "failed", message: result.message }, status);
  } catch (error) {
    reportError(error, "nobody was put on the waitlist");
    return respond({ outcome: "failed" }, 503);
  }
}
