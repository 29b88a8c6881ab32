import type { SubmissionResult } from "@conform-to/react";

/** The result of a form about an account that does not end in a redirect. */
export type AuthActionResult = {
  /** What was typed, without passwords, and what is wrong with it. */
  result: SubmissionResult;
  /** Shown beside the form until it is sent again. */
  formMessage?: string;
  /** Shown as a toast; without JavaScript, beside the form. */
  toast?: { title: string; description: string };
};

export const CONNECTION_LOST = "The connection to the shop was lost. Please try again.";
export const UNVERIFIED =
  "Please verify your email address before signing in. Check your inbox for the verification link.";
