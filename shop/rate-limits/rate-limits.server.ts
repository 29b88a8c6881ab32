/**
 * How often something may be done, counted in the database, so that all processes count together. What
 * each limit is stands with the concept it protects; here is only the counting.
 */
import { createHmac } from "node:crypto";
import { lt, sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import { rateLimits } from "./rate-limit.tables.ts";

const MINUTE = 60;

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

export type RateLimits = {
  /**
   * Takes the points of all limits, or of none: answers null, or the seconds to wait where one is used
   * up. Limits must be listed from the widest kind of subject to the narrowest by every caller alike, so
   * that two never wait for each other in a circle.
   */
  consume(limits: RateLimit[]): Promise<number | null>;
  /** Gives points back, for what turned out not to count. */
  refund(limits: RateLimit[]): Promise<void>;
  /** Deletes what has expired. */
  sweep(): Promise<void>;
};

/** Counters in `db`. `scale` multiplies every limit (RATE_LIMIT_SCALE); `secret` keys the hashes. */
export function openRateLimits(db: Database, { scale, secret }: { scale: number; secret: string }): RateLimits {
  const keyOf = ({ name, subject }: RateLimit) =>
    createHmac("sha256", secret).update(`rate limit\n${name}\n${subject.toLowerCase()}`).digest("base64url");
  const scaled = ({ points }: RateLimit) => Math.min(Math.ceil(points * scale), 2_000_000_000);
  const costOf = ({ cost = 1 }: RateLimit) => cost;

  return {
    async consume(limits) {
      const { rows } = await db.execute<{ wait: number }>(sql`
        SELECT consume_rate_limits(${sql.param(limits.map(keyOf))}::text[], ${sql.param(limits.map(costOf))}::int[],
          ${sql.param(limits.map(scaled))}::int[], ${sql.param(limits.map(({ seconds }) => seconds))}::int[]) AS wait`);
      return rows[0]?.wait || null;
    },
    async refund(limits) {
      await db.execute(sql`
        SELECT refund_rate_limits(${sql.param(limits.map(keyOf))}::text[], ${sql.param(limits.map(costOf))}::int[])`);
    },
    async sweep() {
      await db.delete(rateLimits).where(lt(rateLimits.expiresAt, sql`now()`));
    },
  };
}

/** What somebody is told who has tried too often. */
export function waitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / MINUTE);
  return `Too many attempts. Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`;
}
