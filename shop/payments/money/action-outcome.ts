/** What became of an action, as the provider's word about its payment shows it. */
import type { PaymentSnapshot } from "../provider.ts";

export type ActionKind = "capture" | "void" | "refund";
export type Asked = {
  id: string;
  kind: ActionKind;
  attempt: number;
  providerReference: string | null;
  problem: string | null;
  sentAt: Date | null;
};

/** `pending`: the bank has not done it yet. Null: nothing has happened. */
export type KnownOutcome = "done" | "failed" | "pending" | null;

export function outcomeOf({ id, kind, providerReference }: Asked, { state, refunds }: PaymentSnapshot): KnownOutcome {
  if (kind === "refund") {
    const refund = refunds.find((each) => each.actionId === id || each.reference === providerReference);
    return refund?.state ?? null;
  }
  if (state === "captured") return kind === "capture" ? "done" : "failed";
  if (state === "voided" || state === "closed") return kind === "void" ? "done" : "failed";
  return null;
}

/** Under this the provider gives the same answer again, instead of doing it again. */
export const keyOf = ({ id, attempt }: Pick<Asked, "id" | "attempt">): string => `${id}:${attempt}`;

/** What stands in `problem` of an action that the provider failed at: the same key would bring the same failure again. */
export const FAULT = "provider-fault";

const KEY_HOURS = 20;

/**
 * Whether the provider is to be asked what has happened before the action is sent again: it keeps a failure for a key, it
 * forgets keys after a day, and what its bank is at work on is not sent again at all.
 */
export function mustLookFirst({ sentAt, problem, providerReference }: Asked, now: Date): boolean {
  if (providerReference !== null || problem === FAULT) return true;
  return sentAt !== null && now.getTime() - sentAt.getTime() > KEY_HOURS * 3600_000;
}
