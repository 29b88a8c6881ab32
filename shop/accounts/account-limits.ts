/**
 * How often somebody may try what concerns an account. Guessing is limited by account, so that one
 * person's wrong passwords never lock out the household or office they share an address with; and
 * where the owner is known otherwise, by what only they have, so that no stranger locks them out.
 */
import type { RateLimit } from "../rate-limits/rate-limits.server.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** `points` tries within `seconds`: by address, by account, and by both together. */
const LIMITS = {
  "sign-in": { address: [300, 15 * MINUTE], account: [100, HOUR], both: [10, 15 * MINUTE] },
  code: { address: [300, 15 * MINUTE], account: [30, HOUR], both: [10, 15 * MINUTE] },
  email: { address: [100, 15 * MINUTE], account: [10, HOUR], both: [5, 15 * MINUTE] },
  "sign-up": { address: [60, HOUR], account: [20, HOUR], both: [10, HOUR] },
} as const satisfies Record<string, Record<"address" | "account" | "both", readonly [number, number]>>;

export type AttemptKind = keyof typeof LIMITS;
/** `account` is an email or a user id, `network` where the caller comes from. */
export type Who = { account: string; network: string };

/** The limits that one attempt counts against. */
export function accountLimits(kind: AttemptKind, { account, network }: Who): RateLimit[] {
  const subjects = { address: network, account, both: `${account}|${network}` };
  return (["address", "account", "both"] as const).map((by) => {
    const [points, seconds] = LIMITS[kind][by];
    return { name: `${kind} by ${by}`, subject: subjects[by], points, seconds };
  });
}

const guesses = (name: string, subject: string): RateLimit => ({ name, subject, points: 10, seconds: 15 * MINUTE });

/** The limits of a sign-in on a device that has signed in to the account before: its own, and nobody else's. */
export const deviceLimits = (userId: string, deviceId: string): RateLimit[] => [
  guesses("sign-in by device", `${userId}|${deviceId}`),
];

/** The limits of a password asked for within the account: only who is signed in can use them up. */
export const stepUpLimits = (userId: string, sessionId: string): RateLimit[] => [
  { name: "step-up by account", subject: userId, points: 100, seconds: HOUR },
  guesses("step-up by session", sessionId),
];

/** The limits of a password asked for beside a verification link: only who has the mail can use them up. */
export const linkLimits = (email: string): RateLimit[] => [guesses("password beside a link", email)];
