/** Days and times in New York, the shop's own zone. */
const ZONE = "America/New_York";
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;
/** Made once: making it takes 30 times as long as using it, and every price and row asks for days. */
const DAY = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE });
const FIELD = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short", timeStyle: "short" });

/** The day of a moment, as YYYY-MM-DD. */
export const newYorkDay = (at: Date): string => DAY.format(at);

const DAY_MS = 24 * 3_600_000;

/** The day `days` calendar days after another, both YYYY-MM-DD. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Calendar days from one day to another, negative if it is earlier. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;

/** The latest of some days, YYYY-MM-DD; null without any. */
export const latestDay = (days: readonly (string | null)[]): string | null =>
  days
    .flatMap((day) => day ?? [])
    .toSorted()
    .at(-1) ?? null;

const [SUNDAY, SATURDAY] = [0, 6];

const isWeekday = (day: string) => ![SUNDAY, SATURDAY].includes(new Date(day).getUTCDay());

/** The day `days` business days after another, or before it, both YYYY-MM-DD: Monday to Friday, unless others are given. */
export function businessDaysAfter(day: string, days: number, isBusinessDay = isWeekday): string {
  let after = day;
  for (let left = Math.abs(days); left > 0;) {
    after = daysAfter(after, Math.sign(days));
    if (isBusinessDay(after)) left--;
  }
  return after;
}

/** The same day some years later, YYYY-MM-DD; March 1 for a February 29 that there is not. */
export function yearsAfter(day: string, years: number): string {
  const after = new Date(day);
  after.setUTCFullYear(after.getUTCFullYear() + years);
  return after.toISOString().slice(0, 10);
}

/** The value of a datetime-local field. */
export const newYorkField = (at: Date): string => FIELD.format(at).replace(" ", "T");

/** The hour of a moment, 0 to 23. */
export const newYorkHour = (at: Date): number => Number(newYorkField(at).slice(11, 13));

/** Parses a field; null for an invalid time and for the hour skipped in spring. */
export function newYorkMoment(text: string): Date | null {
  const asUtc = Date.parse(`${text}:00Z`);
  if (!LOCAL.test(text) || Number.isNaN(asUtc)) return null;
  // New York is four or five hours behind UTC. In autumn the first of the repeated hours is meant.
  const found = [4, 5].map((hours) => new Date(asUtc + hours * 3_600_000)).find((at) => newYorkField(at) === text);
  return found ?? null;
}

/** True for an existing day in the form YYYY-MM-DD, in a year of the calendar: a mistyped 0026 is none. */
export const isDay = (text: string): boolean => newYorkMoment(`${text}T12:00`) !== null;

export const newYorkWords = (at: Date): string =>
  at.toLocaleString("en-US", { timeZone: ZONE, dateStyle: "long", timeStyle: "short" });
