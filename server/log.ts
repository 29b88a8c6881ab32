import pino from "pino";

/** One JSON line an event on standard output. */
export const log = pino({
  level: process.env.NODE_ENV === "test" ? "warn" : "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
});
