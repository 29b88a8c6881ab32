/** Every email of the shop: which concept writes which. Each concept brings its own, by the name of its template. */
import { accountEmails } from "./accounts/account-emails.server.ts";
import type { Emails } from "./mail/email.ts";
import { orderEmails } from "./orders/order-emails.server.ts";
import { contactEmails } from "./support/contact-emails.server.ts";
import { waitlistEmails } from "./waitlist/waitlist-emails.server.ts";

export const emails: Emails = { ...accountEmails, ...waitlistEmails, ...orderEmails, ...contactEmails };
