import pino from "pino";

/** One JSON line an event on standard output, many lines at a time: writing each by itself would be a fifth of a page. */
export const log = pino(
  {
    level: process.env.NODE_ENV === "test" ? "warn" : "info",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  },
  pino.destination({ sync: false, minLength: 4096, periodicFlush: 250 }),
);
