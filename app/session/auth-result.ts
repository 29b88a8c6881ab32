import type { SubmissionResult } from "@conform-to/react";

/** What came of a form about an account, where it is not a redirect. */
export type AuthAnswer = {
  /** What was typed, without passwords, and what is wrong with it. */
  result: SubmissionResult;
  /** Said beside the form, for as long as it stands. */
  notice?: string;
  /** Said in passing; without JavaScript, beside the form. */
  toast?: { title: string; description: string };
};

export const CONNECTION_LOST = "The connection to the shop was lost. Please try again.";
export const UNVERIFIED =
  "Please verify your email address before signing in. Check your inbox for the verification link.";
