/** What people may ask of the shop about their data, in the words of the privacy desk. */

export const REQUEST_KINDS = ["data", "deletion"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const KIND_WORDS: Record<RequestKind, string> = { data: "A copy of the data", deletion: "Deletion" };

export const REQUEST_LAWS = ["gdpr", "ccpa"] as const;
export type RequestLaw = (typeof REQUEST_LAWS)[number];

export const LAW_NAMES: Record<RequestLaw, string> = { gdpr: "GDPR", ccpa: "CCPA" };

export const REQUEST_CHANNELS = ["email", "form", "phone", "letter", "agent"] as const;
export type RequestChannel = (typeof REQUEST_CHANNELS)[number];
export const CHANNEL_WORDS: Record<RequestChannel, string> = {
  email: "By email",
  form: "By the contact form",
  phone: "By phone",
  letter: "By letter",
  agent: "By an agent",
};

/** Anybody can type anybody's email: none of these is a message of the contact form. */
export const REQUEST_PROOFS = ["wrote", "answered", "document"] as const;
export type RequestProof = (typeof REQUEST_PROOFS)[number];
export const PROOF_WORDS: Record<RequestProof, string> = {
  wrote: "They wrote from this address",
  answered: "They answered our mail to it",
  document: "They showed who they are",
};

export const REQUEST_STATES = ["open", "done", "refused"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

const DAY_MS = 86_400_000;
/** From here on an open request is marked. */
export const SOON_DAYS = 7;

/** How much an open request asks for a hand. */
export function urgency(due: Date, now: Date): "late" | "soon" | "open" {
  const left = due.getTime() - now.getTime();
  return left < 0 ? "late" : left < SOON_DAYS * DAY_MS ? "soon" : "open";
}
