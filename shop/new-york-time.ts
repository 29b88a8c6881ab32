/** Times as the team types them: in New York, as a browser's field for date and time writes them. */
const ZONE = "America/New_York";
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** A moment as the field shows it: "2026-12-24T23:59". */
export const newYorkField = (at: Date): string =>
  at.toLocaleString("sv-SE", { timeZone: ZONE }).slice(0, 16).replace(" ", "T");

/** The moment that was typed; null for what is no time, and for the hour that is left out in spring. */
export function newYorkMoment(text: string): Date | null {
  const asUtc = Date.parse(`${text}:00Z`);
  if (!LOCAL.test(text) || Number.isNaN(asUtc)) return null;
  // New York is four or five hours behind. Of the hour that comes twice in autumn, the first is meant.
  const found = [4, 5].map((hours) => new Date(asUtc + hours * 3_600_000)).find((at) => newYorkField(at) === text);
  return found ?? null;
}

/** A moment in words: "December 24, 2026 at 11:59 PM". */
export const newYorkWords = (at: Date): string =>
  at.toLocaleString("en-US", { timeZone: ZONE, dateStyle: "long", timeStyle: "short" });
