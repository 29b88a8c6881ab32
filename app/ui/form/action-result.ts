import type { SubmissionResult } from "@conform-to/react";
import type { ToastOptions } from "#app/ui/feedback/toaster.tsx";

/** Result of every action that does not redirect: shown as a toast with a title, otherwise at its form. */
export type ActionResult<Data = unknown> = {
  ok: boolean;
  /** Submitted form, for pages with several. */
  formId?: string;
  title?: string;
  /** A refusal without a message shows the form's own failure message. */
  message?: string;
  /** Further parts of the toast after a success. */
  toast?: ToastOptions;
  /** The toast of the refusal links to the sign-in. */
  isSignedOut?: boolean;
  submission?: SubmissionResult;
  data?: Data;
};

/** Hidden field with the form's id. */
export const FORM_ID = "formId";

/** Refusal of a protected action without an authenticator code. */
export const CODE_NEEDED = "Enter the code from your authenticator app";

export const CONNECTION_LOST = "The connection to the shop was lost. Please try again.";

export const cookiesBlocked = (what: string): string =>
  `Your browser blocks cookies, and ${what} needs one. Allow cookies for this site, then try again.`;

export const isActionResult = (value: unknown): value is ActionResult =>
  typeof value === "object" && value !== null && "ok" in value;
