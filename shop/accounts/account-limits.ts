/**
 * Limits of sign-ins, codes, emails and sign-ups. Guessing is limited by account and by device, so that neither a
 * household behind one address nor a stranger can lock an owner out.
 */
import { byNetwork, type RateLimit } from "#shop/rate-limits/rate-limits.server.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Attempts within seconds: by network, by account, and by both. */
const LIMITS = {
  "sign-in": { address: [300, 15 * MINUTE], account: [100, HOUR], both: [10, 15 * MINUTE] },
  code: { address: [300, 15 * MINUTE], account: [30, HOUR], both: [10, 15 * MINUTE] },
  email: { address: [100, 15 * MINUTE], account: [10, HOUR], both: [5, 15 * MINUTE] },
  "sign-up": { address: [60, HOUR], account: [20, HOUR], both: [10, HOUR] },
} as const satisfies Record<string, Record<"address" | "account" | "both", readonly [number, number]>>;

export type AttemptKind = keyof typeof LIMITS;
/** `account` is an email or a user id. */
type Attempt = { account: string; network: string };

export function accountLimits(kind: AttemptKind, { account, network }: Attempt): RateLimit[] {
  const subjects = { address: network, account, both: `${account}|${network}` };
  return (["address", "account", "both"] as const).flatMap((by) => {
    const [points, seconds] = LIMITS[kind][by];
    const limit = { name: `${kind} by ${by}`, subject: subjects[by], points, seconds };
    return by === "address" ? byNetwork(limit) : limit;
  });
}

const guesses = (name: string, subject: string): RateLimit => ({ name, subject, points: 10, seconds: 15 * MINUTE });

/** Limits of a sign-in on a device that has signed in to this account before. */
export const deviceLimits = (userId: string, deviceId: string): RateLimit[] => [
  guesses("sign-in by device", `${userId}|${deviceId}`),
];

/** Limits of a password prompt inside the account; only its sessions consume them. */
export const stepUpLimits = (userId: string, sessionId: string): RateLimit[] => [
  { name: "step-up by account", subject: userId, points: 100, seconds: HOUR },
  guesses("step-up by session", sessionId),
];

/** Limits of the password prompt on a verification link; only its holder consumes them. */
export const linkLimits = (email: string): RateLimit[] => [guesses("password beside a link", email)];
