export const VERIFICATION_MESSAGES = {
  missing: "Password is required",
  wrong: "That password isn’t right.",
  wait: "Too many attempts. Please wait a few minutes, then try again.",
  "code-missing": "Enter the code",
  "code-wrong": "That code isn’t right, or was used already.",
  "code-wait": "Too many attempts. Please wait a few minutes, then try again.",
  busy: "The shop is busy signing people in. Please try again in a moment.",
  stale: "Please sign out and back in first. Then you have ten minutes to do this.",
} as const;
export type VerificationReason = keyof typeof VERIFICATION_MESSAGES;

/** Message and field of a reason in the URL, which a form without JavaScript redirects with. */
export function readVerificationErrors(value: string | null): { password?: string; code?: string } | undefined {
  if (!value || !Object.hasOwn(VERIFICATION_MESSAGES, value)) return undefined;
  return { [value.startsWith("code-") ? "code" : "password"]: VERIFICATION_MESSAGES[value as VerificationReason] };
}
