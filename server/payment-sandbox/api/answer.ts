/** What a call is answered with. */
import { API_VERSION } from "../events.ts";
import { Refusal, type ErrorBody } from "../refusal.ts";

export type Answer = { status: number; body: string; headers: Record<string, string> };

const json = (status: number, value: object, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify(value, null, 2),
  headers,
});

export const answerWith = (object: object): Answer => json(200, object);

export const refuse = (status: number, error: ErrorBody, headers: Record<string, string> = {}): Answer =>
  json(status, { error }, headers);

/** What is no refusal is thrown on. */
export function answerRefusal(error: unknown): Answer {
  if (error instanceof Refusal) return refuse(error.status, error.body);
  throw error;
}

/** Stripe's clients are told not to try again by themselves: the same key has the same answer. */
export const failure = (): Answer =>
  refuse(
    500,
    {
      type: "api_error",
      message: "Sorry! There was an error while talking to one of our backends. Support has been notified.",
    },
    { "Stripe-Should-Retry": "false" },
  );

export const tooManyCalls = (): Answer =>
  refuse(429, {
    type: "invalid_request_error",
    code: "rate_limit",
    message:
      "Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.",
  });

export const commonHeaders = (requestId: string, idempotencyKey: string | null): Record<string, string> => ({
  "Content-Type": "application/json",
  "Cache-Control": "no-cache, no-store",
  "Request-Id": requestId,
  "Stripe-Version": API_VERSION,
  ...(idempotencyKey !== null && { "Idempotency-Key": idempotencyKey }),
});
