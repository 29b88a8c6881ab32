/** For tests and measurements of what an email is about, not of how many there are. */
import type { MailPermit } from "../../shop/mail/mail-budget.server.ts";

export const anyPermit = {} as MailPermit;
