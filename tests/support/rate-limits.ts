/** Limits that no test comes near, for what is not about limits. */
import type { Database } from "../../db/connection.server.ts";
import { openRateLimits } from "../../shop/rate-limits/rate-limits.server.ts";

export const generousLimits = (db: Database) => openRateLimits(db, { scale: 1_000, secret: "only for tests" });
