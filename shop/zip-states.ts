/** States by the first three digits of their ZIP codes. Source: Publication 65 of the Postal Service, its list of areas. */
import { US_STATES } from "./us-states.ts";

/** States to which the shop does not deliver. */
const ELSEWHERE = {
  DC: "in the District of Columbia",
  PR: "in Puerto Rico",
  VI: "in the Virgin Islands",
  GU: "in Guam and the Pacific islands",
  AA: "a military address",
  AE: "a military address",
  AP: "a military address",
};

type Place = keyof typeof US_STATES | keyof typeof ELSEWHERE;

/** First and last prefix. Few are of two states. */
const AREAS: Record<Place, string> = {
  AL: "350-369",
  AK: "995-999",
  AZ: "850-865",
  AR: "716-729",
  CA: "900-961",
  CO: "800-816",
  CT: "060-069",
  DE: "197-199",
  FL: "320-339 341-349",
  GA: "300-319 398-399",
  HI: "967-968",
  ID: "832-838",
  IL: "600-629",
  IN: "460-479",
  IA: "500-528",
  KS: "660-679",
  KY: "400-427",
  LA: "700-714",
  ME: "039-049",
  MD: "206-219",
  MA: "010-027 055-055",
  MI: "480-499",
  MN: "550-567",
  MS: "386-397",
  MO: "630-658",
  MT: "590-599",
  NE: "680-693",
  NV: "889-898",
  NH: "030-038",
  NJ: "070-089",
  NM: "870-884",
  // Fishers Island is reached from Connecticut.
  NY: "005-005 063-063 100-149",
  NC: "270-289",
  ND: "580-588",
  OH: "430-459",
  OK: "730-732 734-749",
  OR: "970-979",
  PA: "150-196",
  RI: "028-029",
  SC: "290-299",
  SD: "570-577",
  TN: "370-385",
  // Texhoma is reached from Oklahoma.
  TX: "733-733 739-739 750-799 885-885",
  UT: "840-847",
  VT: "050-054 056-059",
  VA: "201-201 220-246",
  WA: "980-994",
  WV: "247-268",
  WI: "530-549",
  // Alta is reached from Idaho.
  WY: "820-831 834-834",
  DC: "200-200 202-205 569-569",
  PR: "006-007 009-009",
  VI: "008-008",
  GU: "969-969",
  AA: "340-340",
  AE: "090-098",
  AP: "962-966",
};

const placesBy = new Map<string, Place[]>();
for (const [place, ranges] of Object.entries(AREAS) as [Place, string][])
  for (const range of ranges.split(" ")) {
    const [first, last] = range.split("-").map(Number) as [number, number];
    for (let area = first; area <= last; area++) {
      const prefix = String(area).padStart(3, "0");
      placesBy.set(prefix, [...(placesBy.get(prefix) ?? []), place]);
    }
  }

/** Problem of a ZIP code in a state, in words; null if it may be there, or its area is not known. */
export function zipProblem(state: string, zip: string): string | null {
  const places = placesBy.get(zip.slice(0, 3)) ?? [];
  if (places.length === 0 || (places as string[]).includes(state)) return null;
  const [place] = places as [Place];
  const code = `ZIP code ${zip.slice(0, 5)} is`;
  return place in US_STATES
    ? `${code} in ${US_STATES[place as keyof typeof US_STATES]}. Please check the state or the ZIP code.`
    : `${code} ${ELSEWHERE[place as keyof typeof ELSEWHERE]}. We ship to the 50 states.`;
}
