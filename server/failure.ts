/** Carries what went wrong in a loader or action to the part that chooses the status. */
import { createContext, type RouterContextProvider } from "react-router";
import { isDatabaseDown } from "../db/connection.server.ts";
import { log } from "./log.ts";

export const failureContext = createContext<"database-down" | null>(null);

export function reportFailure(error: unknown, context: RouterContextProvider): void {
  if (isDatabaseDown(error)) {
    context.set(failureContext, "database-down");
    log.warn({ error: String(error) }, "the database cannot be reached");
  } else log.error({ err: error }, "a request failed");
}
