/** Failures of loaders and actions, passed to the server to choose the status. */
import { createContext, type RouterContextProvider } from "react-router";
import { isDatabaseDown } from "#db/connection.server.ts";
import { reportError } from "./log.server.ts";

export const failureContext = createContext<"database-down" | null>(null);

export function reportFailure(error: unknown, context: RouterContextProvider): void {
  const isDown = isDatabaseDown(error);
  if (isDown) context.set(failureContext, "database-down");
  reportError(error, isDown ? "the database cannot be reached" : "a request failed");
}
