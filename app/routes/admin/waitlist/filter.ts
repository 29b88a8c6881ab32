/** The filter of the waitlist, as its address says it. */
import type { PlaceFilter } from "../../../../shop/waitlist/desk-list.server.ts";

/** Stands for a visit that named no source or campaign. */
export const NONE = "-";
const STATES = ["verified", "unverified", "unsubscribed", "invited"] as const;

const word = (value: string | null): string | null | undefined =>
  value === null || value === "" ? undefined : value === NONE ? null : value.slice(0, 200);

/** What is not known counts as nothing asked for. */
export function readFilter(query: URLSearchParams): PlaceFilter {
  const utmSource = word(query.get("source"));
  const utmCampaign = word(query.get("campaign"));
  const state = STATES.find((each) => each === query.get("state"));
  return {
    ...(utmSource !== undefined && { utmSource }),
    ...(utmCampaign !== undefined && { utmCampaign }),
    ...(state && { state }),
  };
}
