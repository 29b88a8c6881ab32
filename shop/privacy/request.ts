import { clock } from "#shop/clock.ts";
import { z } from "#shop/zod.ts";
import { dayField } from "#shop/day-field.ts";
import { emailField } from "#shop/email-field.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { policy } from "#shop/policies.ts";
import { message } from "#shop/text.ts";

export const REQUEST_KINDS = ["data", "deletion", "correction", "objection", "arbitration-opt-out"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
export const KIND_WORDS: Record<RequestKind, string> = {
  data: "Copy of data",
  deletion: "Deletion",
  correction: "Correction",
  objection: "Objection",
  "arbitration-opt-out": "Arbitration opt-out",
};

/** Kinds that a customer sends from Settings, which has its own form for the other two. */
export const WRITTEN_KINDS = ["correction", "objection"] as const satisfies RequestKind[];

export const PRIVACY_LAWS = ["gdpr", "ccpa"] as const;
/** The terms allow opting out of arbitration. */
export const REQUEST_LAWS = [...PRIVACY_LAWS, "terms"] as const;

export const LAW_NAMES: Record<(typeof REQUEST_LAWS)[number], string> = {
  gdpr: "GDPR",
  ccpa: "CCPA",
  terms: "Terms",
};

export const REQUEST_CHANNELS = ["email", "form", "account", "phone", "letter", "agent"] as const;
export const CHANNEL_WORDS: Record<(typeof REQUEST_CHANNELS)[number], string> = {
  email: "Email",
  form: "Contact form",
  account: "Settings of their account",
  phone: "Phone",
  letter: "Mail",
  agent: "Authorized agent",
};

/** A message of the contact form is no proof, since anybody can type any email. */
export const REQUEST_PROOFS = ["wrote", "answered", "account", "document"] as const;
export const PROOF_WORDS: Record<(typeof REQUEST_PROOFS)[number], string> = {
  wrote: "Email from this address",
  answered: "Reply to our email",
  account: "Signed in to their account",
  document: "Identity document",
};

export const REQUEST_STATES = ["open", "done", "refused"] as const;

const DAY_MS = 86_400_000;
export const SOON_DAYS = 7;

/** A request is late after the day of its deadline, in New York. */
export function urgency(due: Date, now: Date): "late" | "soon" | "open" {
  if (newYorkDay(due) < newYorkDay(now)) return "late";
  return due.getTime() - now.getTime() < SOON_DAYS * DAY_MS ? "soon" : "open";
}

/**
 * Days: the policy's promise and the single extension of the law (GDPR, Article 12(3): two months; CCPA, section
 * 1798.130(a)(2): 45 days).
 */
export const LAW_DAYS: Record<(typeof REQUEST_LAWS)[number], { answer: number; extension: number }> = {
  gdpr: { answer: policy.gdprResponseDays, extension: 60 },
  ccpa: { answer: policy.ccpaResponseDays, extension: 45 },
  terms: { answer: 0, extension: 0 },
};

/** The deadline of a request. */
export const dueAt = (receivedAt: Date, law: keyof typeof LAW_DAYS): Date =>
  new Date(receivedAt.getTime() + LAW_DAYS[law].answer * DAY_MS);

const MAX_NOTE_CHARACTERS = 1000;

export const noteField = (missing: string) => message("Note", MAX_NOTE_CHARACTERS, missing);

export const requestSchema = z
  .object({
    kind: z.enum(REQUEST_KINDS, { error: "Choose a request type" }),
    law: z.enum(PRIVACY_LAWS, { error: "Choose a law" }),
    channel: z.enum(REQUEST_CHANNELS, { error: "Choose how it was received" }),
    email: emailField().toLowerCase(),
    receivedOn: dayField("Enter the date it was received")
      .refine((day) => day <= newYorkDay(clock.now()), "This date is in the future")
      .transform((day) => new Date(`${day}T12:00:00Z`)),
    note: z.union([z.literal("").transform(() => null), noteField("")]),
  })
  .refine(({ kind, note }) => kind !== "arbitration-opt-out" || note !== null, {
    path: ["note"],
    error: "Enter the name and address in the notice",
  })
  .transform((request) => (request.kind === "arbitration-opt-out" ? { ...request, law: "terms" as const } : request));

export type NewRequest = z.output<typeof requestSchema> & { proof?: (typeof REQUEST_PROOFS)[number] };

/** The form in Settings. */
export const writtenRequestSchema = z.object({
  kind: z.enum(WRITTEN_KINDS, { error: "Choose a request" }),
  details: message("Details", MAX_NOTE_CHARACTERS, "Tell us what it is about"),
});
