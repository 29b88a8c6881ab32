/**
 * How often something may be done, counted in the database, so that all processes count together. What
 * each limit is stands with the concept it protects; here is only the counting.
 */
import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { statement, type Database } from "../../db/connection.server.ts";
import { purposeKey } from "../purpose-key.server.ts";

const MINUTE = 60;
const MAX_POINTS = 2_000_000_000;

/** At most `points` for one `subject` within `seconds`, counted from its first use. */
export type RateLimit = {
  /** What is limited, for example "sign-in by address". */
  name: string;
  /** Whom it is counted for: an email, an address, an id. Only a keyed hash of it is kept. */
  subject: string;
  points: number;
  seconds: number;
  /** How many points this use takes; 1 unless told. */
  cost?: number;
};

/** One use of limits, for a statement that counts it together with what it is for. */
export type Consumption = {
  /** The values of consumeInStatement's placeholders. */
  values: { limitKeys: string[]; limitCosts: number[]; limitPoints: number[]; limitSeconds: number[] };
  /** Reads what consume_rate_limits answered, and tells of a refusal: null, or the seconds to wait. */
  waitOf(wait: number): number | null;
};

const v = sql.placeholder;

/** Takes the points of all limits or of none, as a value of a statement: 0, or seconds to wait where one is used up. */
export const consumeInStatement = sql`consume_rate_limits(
  ${v("limitKeys")}::text[], ${v("limitCosts")}::int[], ${v("limitPoints")}::int[], ${v("limitSeconds")}::int[])`;

const consumeAlone = statement<{ wait: number }>("consume_rate_limits", sql`SELECT ${consumeInStatement} AS wait`);

export type RateLimits = {
  /**
   * Takes the points of all limits, or of none: answers null, or the seconds to wait where one is used
   * up. Limits must be listed from the widest kind of subject to the narrowest by every caller alike, so
   * that two never wait for each other in a circle. No two may be the same limit of the same subject.
   */
  consume(limits: RateLimit[]): Promise<number | null>;
  /** The same for a statement of the caller's, in whose transaction it is then counted. */
  consumption(limits: RateLimit[]): Consumption;
  /** Which of the limits that were just refused is used up; null where it has started anew meanwhile. */
  usedUp(limits: RateLimit[]): Promise<RateLimit | null>;
  /**
   * Adds what was used already, refusing nothing: answers, for each in order, what all have used by now and
   * the seconds until it starts anew. No two may be the same limit of the same subject.
   */
  record(uses: Omit<RateLimit, "points">[]): Promise<{ points: number; seconds: number }[]>;
  /** Gives points back, for what turned out not to count. */
  refund(limits: RateLimit[]): Promise<void>;
  /** Deletes what has expired, and what was given back whole. */
  sweep(): Promise<void>;
};

/**
 * Counters in `db`. `scale` multiplies every limit (RATE_LIMIT_SCALE); `secret` keys the hashes; `refused` hears of each
 * use that was refused.
 */
export function openRateLimits(
  db: Database,
  { scale, secret, refused }: { scale: number; secret: string; refused?: (limits: RateLimit[]) => void },
): RateLimits {
  const key = purposeKey(secret, "rate limits");
  const keyOf = ({ name, subject }: Pick<RateLimit, "name" | "subject">) =>
    createHmac("sha256", key).update(`${name}\n${subject.toLowerCase()}`).digest("base64url");
  const scaled = ({ points }: RateLimit) => Math.min(Math.ceil(points * scale), MAX_POINTS);
  const costOf = ({ cost = 1 }: Pick<RateLimit, "cost">) => cost;

  const consumption = (limits: RateLimit[]): Consumption => ({
    values: {
      limitKeys: limits.map(keyOf),
      limitCosts: limits.map(costOf),
      limitPoints: limits.map(scaled),
      limitSeconds: limits.map(({ seconds }) => seconds),
    },
    waitOf(wait) {
      if (wait === 0) return null;
      refused?.(limits);
      // Who had to wait for another's first use began before it, and would be told a moment more than the limit's time.
      return Math.min(wait, Math.max(...limits.map(({ seconds }) => seconds)));
    },
  });

  return {
    consumption,
    async consume(limits) {
      const { values, waitOf } = consumption(limits);
      const [row] = await consumeAlone(db, values);
      return waitOf(row?.wait ?? 0);
    },
    async usedUp(limits) {
      const { rows } = await db.execute<{ n: number }>(sql`
        SELECT n::int FROM unnest(${sql.param(limits.map(keyOf))}::text[], ${sql.param(limits.map(costOf))}::int[],
          ${sql.param(limits.map(scaled))}::int[]) WITH ORDINALITY AS asked (key, cost, points, n)
        LEFT JOIN rate_limits AS used ON used.key = asked.key AND used.expires_at > now()
        WHERE coalesce(used.points, 0) + cost > asked.points ORDER BY n LIMIT 1`);
      return limits[(rows[0]?.n ?? 0) - 1] ?? null;
    },
    async record(uses) {
      const keys = uses.map(keyOf);
      // Always in the same order, so that two processes never wait for each other in a circle.
      const { rows } = await db.execute<{ key: string; points: number; seconds: number }>(sql`
        INSERT INTO rate_limits AS used (key, points, expires_at)
        SELECT key, points, now() + seconds * interval '1 second'
        FROM unnest(${sql.param(keys)}::text[], ${sql.param(uses.map(costOf))}::int[],
          ${sql.param(uses.map(({ seconds }) => seconds))}::int[]) AS new (key, points, seconds)
        ORDER BY key
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN used.expires_at <= now() THEN excluded.points
            ELSE least(used.points::bigint + excluded.points, ${MAX_POINTS}) END,
          expires_at = CASE WHEN used.expires_at <= now() THEN excluded.expires_at ELSE used.expires_at END
        RETURNING key, points, extract(epoch FROM expires_at - now())::float8 AS seconds`);
      const totals = new Map(rows.map(({ key, points, seconds }) => [key, { points, seconds }]));
      return keys.map((key) => totals.get(key) ?? { points: 0, seconds: 0 });
    },
    async refund(limits) {
      await db.execute(sql`
        SELECT refund_rate_limits(${sql.param(limits.map(keyOf))}::text[], ${sql.param(limits.map(costOf))}::int[])`);
    },
    async sweep() {
      // What is in use just now is left to the next sweep, so that nobody waits in a circle.
      await db.execute(sql`
        DELETE FROM rate_limits WHERE key IN (
          SELECT key FROM rate_limits WHERE expires_at < now() OR points = 0 FOR UPDATE SKIP LOCKED)`);
    },
  };
}

/** A time to wait as people say it: "a minute", "40 minutes", "5 hours". */
export function waitTime(seconds: number): string {
  const minutes = Math.ceil(seconds / MINUTE);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** What somebody is told who has tried too often. */
export function waitMessage(seconds: number): string {
  return `Too many attempts. Please wait ${waitTime(seconds)}, then try again.`;
}
