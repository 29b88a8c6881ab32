/** Where a visit came from, as the address says in which it began: anybody can write anything there. */
import { z } from "zod";
import { seenIn } from "./text.ts";

const MAX_CHARACTERS = 200;

/** One word of it, cut short and without what cannot be seen; null where nothing is left. */
export const campaignWord = z
  .string()
  .catch("")
  // Cleaned once more where it was cut within a character.
  .transform((text) => seenIn(seenIn(text).trim().slice(0, MAX_CHARACTERS)) || null);

export type Campaign = { utmSource: string | null; utmCampaign: string | null };

export const NO_CAMPAIGN: Campaign = { utmSource: null, utmCampaign: null };

/** The campaign that an address names; null where it names none. */
export function campaignOf(query: URLSearchParams): Campaign | null {
  const utmSource = campaignWord.parse(query.get("utm_source") ?? "");
  const utmCampaign = campaignWord.parse(query.get("utm_campaign") ?? "");
  return utmSource === null && utmCampaign === null ? null : { utmSource, utmCampaign };
}
