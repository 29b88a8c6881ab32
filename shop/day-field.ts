import { isDay } from "./new-york-time.ts";
import { z } from "./zod.ts";

/** A typed day, YYYY-MM-DD; the same message without one. */
export const dayField = (problem: string) =>
  z.string({ error: problem }).trim().refine(isDay, { error: problem, abort: true });
