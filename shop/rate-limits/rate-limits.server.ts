/** Rate limits, counted in the database for all processes. Each limit is defined with the concept it protects. */
import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { sql } from "drizzle-orm";
import type { Database, DatabaseOrTransaction } from "#db/connection.server.ts";
import { purposeKey } from "#shop/purpose-key.server.ts";

const MINUTE = 60;
const MAX_POINTS = 1_000_000_000;

/** At most `points` for one `subject` within `seconds` of its first use. */
export type RateLimit = {
  name: string;
  /** Email, address or id, stored only as a keyed hash. */
  subject: string;
  points: number;
  seconds: number;
  /** Points of this use; 1 by default. */
  cost?: number;
};

export type RateLimits = {
  /**
   * Consumes all limits or none. Returns null, or the first exhausted limit with the seconds to wait. Two limits must
   * differ in name or subject.
   */
  consume<Limit extends RateLimit>(limits: Limit[]): Promise<{ limit: Limit; wait: number } | null>;
  refund(limits: RateLimit[]): Promise<void>;
  /** Returns the key of a limit's row: a keyed hash that names nobody. */
  keyOf(limit: RateLimit): string;
};

/**
 * `scale` multiplies all limits (RATE_LIMIT_SCALE), `secret` keys the hashes, `refused` is called with each refusal.
 */
export function openRateLimits(
  db: Database,
  { scale, secret, refused }: { scale: number; secret: string; refused?: (limits: RateLimit[]) => void },
): RateLimits {
  const hashKey = purposeKey(secret, "rate limits");
  const keyOf = ({ name, subject }: RateLimit) =>
    createHmac("sha256", hashKey).update(`${name}\n${subject.toLowerCase()}`).digest("base64url");
  const refund: RateLimits["refund"] = (limits) =>
    refundKeys(db, Object.fromEntries(limits.map((limit) => [keyOf(limit), limit.cost ?? 1])));

  return {
    keyOf,
    refund,
    async consume(limits) {
      const asked = limits.map((limit) => ({ limit, key: keyOf(limit), cost: limit.cost ?? 1 }));
      // Rows are locked by key, so that concurrent uses never deadlock.
      const { rows } = await db.execute<{ key: string; points: number; wait: number }>(sql`
        INSERT INTO rate_limits AS used (key, points, expires_at)
        SELECT key, cost, now() + seconds * interval '1 second'
        FROM unnest(${sql.param(asked.map(({ key }) => key))}::text[], ${sql.param(asked.map(({ cost }) => cost))}::int[],
          ${sql.param(limits.map(({ seconds }) => seconds))}::int[]) AS asked (key, cost, seconds)
        ORDER BY key
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN used.expires_at <= now() THEN excluded.points ELSE used.points + excluded.points END,
          expires_at = CASE WHEN used.expires_at <= now() THEN excluded.expires_at ELSE used.expires_at END
        RETURNING key, points, greatest(1, ceil(extract(epoch FROM expires_at - now())))::int AS wait`);
      const used = new Map(rows.map((row) => [row.key, row]));
      for (const { limit, key } of asked) {
        const { points = 0, wait = 0 } = used.get(key) ?? {};
        if (points <= Math.min(Math.ceil(limit.points * scale), MAX_POINTS)) continue;
        await refund(limits);
        refused?.(limits);
        return { limit, wait: Math.min(wait, limit.seconds) };
      }
      return null;
    },
  };
}

/** Points by the key of their limit. */
export type PointsByKey = Record<string, number>;

export async function refundKeys(db: DatabaseOrTransaction, points: PointsByKey): Promise<void> {
  await db.execute(sql`
    UPDATE rate_limits AS used SET points = greatest(0, used.points - refunded.cost)
    FROM (
      SELECT key, cost FROM unnest(${sql.param(Object.keys(points))}::text[], ${sql.param(Object.values(points))}::int[])
        AS asked (key, cost)
      JOIN rate_limits USING (key) ORDER BY key FOR UPDATE OF rate_limits
    ) AS refunded WHERE used.key = refunded.key`);
}

/** Deletes expired and wholly refunded rows; rows in use are left to the next sweep. */
export async function sweepRateLimits(db: Database): Promise<void> {
  await db.execute(sql`
    DELETE FROM rate_limits WHERE key IN (
      SELECT key FROM rate_limits WHERE expires_at < now() OR points = 0 FOR UPDATE SKIP LOCKED)`);
}

/** Returns the subject of a limit by network: the IPv4 address, or the /64 of an IPv6 one, since one line has 2^64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split("%")[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  const [left = [], right = []] = new URL(`http://[${plain}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((half) => (half ? half.split(":") : []));
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/**
 * Returns a network and, for IPv6, the /56 and /48 around it, which one subscriber may have. `times` multiplies their
 * limits.
 */
export function networksAround(network: string): { subject: string; times: number }[] {
  const own = { subject: network, times: 1 };
  const [a, b, c, d] = network.endsWith("::/64") ? network.split(":") : [];
  if (d === undefined) return [own];
  const line = (parseInt(d, 16) & 0xff00).toString(16);
  return [own, { subject: `${a}:${b}:${c}:${line}::/56`, times: 4 }, { subject: `${a}:${b}:${c}::/48`, times: 16 }];
}

/** Returns a limit whose subject is a network, and those of the wider networks around it. */
export const byNetwork = <Limit extends RateLimit>(limit: Limit): Limit[] =>
  networksAround(limit.subject).map(({ subject, times }) => ({ ...limit, subject, points: limit.points * times }));

/** Formats a wait: "a minute", "40 minutes", "5 hours". */
export function waitTime(seconds: number): string {
  const minutes = Math.ceil(seconds / MINUTE);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

export function waitMessage(seconds: number): string {
  return `Too many attempts. Please wait ${waitTime(seconds)}, then try again.`;
}
