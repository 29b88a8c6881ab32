import type { ContactField } from "../../../../shop/support/contact-form.ts";

/** What came of sending the form; a refusal gives back what was typed. */
export type ContactActionResult =
  | { sent: true }
  | { sent: false; message: string; errors: Partial<Record<ContactField, string>>; typed: Record<string, string> };

export const CONNECTION_LOST = "Your message was not sent. Your text is still here. Please try again.";
