import { PLACE_STATES, type PlaceFilter } from "#shop/waitlist/list-signups.server.ts";

/** Marks signups without a source or campaign. */
export const NONE = "-";

const word = (value: string | null): string | null | undefined =>
  value === null || value === "" ? undefined : value === NONE ? null : value.slice(0, 200);

/** Unknown values are ignored. */
export function readSignupFilter(query: URLSearchParams): PlaceFilter {
  const utmSource = word(query.get("source"));
  const utmCampaign = word(query.get("campaign"));
  const state = PLACE_STATES.find((each) => each === query.get("state"));
  return {
    ...(utmSource !== undefined && { utmSource }),
    ...(utmCampaign !== undefined && { utmCampaign }),
    ...(state && { state }),
  };
}
