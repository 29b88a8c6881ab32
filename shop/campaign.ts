/** Campaign parameters of an address. Anybody can write them. */
import { z } from "#shop/zod.ts";
import { seenIn } from "./text.ts";

const MAX_CHARACTERS = 200;

/** A parameter, trimmed and cut; null if empty. */
export const campaignWord = z
  .string()
  .catch("")
  // Trimmed again, because the cut may split a character.
  .transform((text) => seenIn(seenIn(text).trim().slice(0, MAX_CHARACTERS)) || null);

export type Campaign = { utmSource: string | null; utmCampaign: string | null };

export const NO_CAMPAIGN: Campaign = { utmSource: null, utmCampaign: null };

export function campaignOf(query: URLSearchParams): Campaign | null {
  const utmSource = campaignWord.parse(query.get("utm_source") ?? "");
  const utmCampaign = campaignWord.parse(query.get("utm_campaign") ?? "");
  return utmSource === null && utmCampaign === null ? null : { utmSource, utmCampaign };
}
