/** The one question that the checkout asks about an address: only where the carriers' own differs in more than spelling. */
import { US_STATES } from "#shop/us-states.ts";
import type { Address } from "./carrier-provider.ts";

/** Words that the postal service shortens, and those for a unit, which it leaves out or adds. */
const SHORT = new Map(
  `STREET:ST AVENUE:AVE ROAD:RD DRIVE:DR LANE:LN COURT:CT PLACE:PL SQUARE:SQ BOULEVARD:BLVD HIGHWAY:HWY PARKWAY:PKWY
   CIRCLE:CIR TERRACE:TER TRAIL:TRL FLOOR:FL SAINT:ST MOUNT:MT NORTH:N SOUTH:S EAST:E WEST:W NORTHEAST:NE NORTHWEST:NW
   SOUTHEAST:SE SOUTHWEST:SW APARTMENT: APT: SUITE: STE: UNIT:`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [long: string, short: string]),
);

/** Without spaces, as in "P.O. Box" and "O’Brien", but for those between numbers: "1 23rd St" is not "123rd St". */
const words = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => SHORT.get(word) ?? word)
    .filter(Boolean)
    .join(" ")
    .replaceAll(/(?<!\d) | (?!\d)/g, "");

const plain = ({ line1, line2, city, state, postalCode }: Address): string =>
  [`${line1} ${line2}`, city, state, postalCode.slice(0, 5)].map(words).join("|");

/** "417 MONTGOMERY ST NW" as people write it. */
const cased = (text: string): string =>
  text === text.toUpperCase()
    ? text.toLowerCase().replaceAll(/\b(?:[ns][ew]|po|[a-z])(?=\b)|\b[a-z]/g, (start) => start.toUpperCase())
    : text;

/**
 * Returns the address to offer instead of a typed one. Null if they are the same but for spelling, or the shop does not
 * deliver there.
 */
export function suggestAddress(typed: Address, found: Address): Address | null {
  if (plain(typed) === plain(found) || !Object.hasOwn(US_STATES, found.state)) return null;
  const [line1, line2, city] = [found.line1, found.line2, found.city].map(cased) as [string, string, string];
  return { line1, line2, city, state: found.state, postalCode: found.postalCode.slice(0, 5) };
}
