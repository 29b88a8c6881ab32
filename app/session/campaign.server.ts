/** Remembers where a visit came from until the browser is closed, for what is done in it: an order, a place on the waitlist. */
import { campaignOf, NO_CAMPAIGN, type Campaign } from "../../shop/campaign.ts";
import { ownCookie } from "./cookie.server.ts";

const cookie = ownCookie("polara_visit");

/** The campaign of the visit that a request belongs to. */
export const readCampaign = (headers: Headers): Campaign =>
  campaignOf(new URLSearchParams(cookie.read(headers))) ?? NO_CAMPAIGN;

/** The Set-Cookie header of an address that names a campaign; else null. The newest one counts. */
export function campaignCookie(url: string): string | null {
  if (!url.includes("utm_")) return null;
  const campaign = campaignOf(new URL(url).searchParams);
  if (!campaign) return null;
  const { utmSource, utmCampaign } = campaign;
  return cookie.set(new URLSearchParams({ utm_source: utmSource ?? "", utm_campaign: utmCampaign ?? "" }).toString());
}
