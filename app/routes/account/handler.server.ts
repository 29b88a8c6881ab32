/** What the account page's forms are called with, and how they answer. */
import type { RouterContextProvider } from "react-router";
import type { Customer } from "../../session/customer.server.ts";
import type { VerificationRefusal } from "../../session/verification/recent-verification.server.ts";
import type { AccountActionResult } from "./action-result.ts";

export type Call = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  customer: Customer;
  form: URLSearchParams;
};

/** What an intent's function says; `cookies` are handed on to the browser. */
export type HandlerResult = Omit<AccountActionResult, "intent"> & { status?: number; cookies?: Headers };

/** Where somebody could not prove that they are the customer. */
export const refused = ({ status, message, errors }: VerificationRefusal): HandlerResult => ({
  ok: false,
  status,
  message,
  errors,
});
