/** The registry of all emails by template name. */
import { accountEmails } from "#shop/accounts/account-emails.server.ts";
import type { Emails } from "./mail/email.ts";
import { chargeEmails } from "./fulfillment/charge-emails.server.ts";
import { addressEmails } from "./fulfillment/address-email.server.ts";
import { backInStockEmails } from "./consents/back-in-stock-email.server.ts";
import { delayEmails } from "./fulfillment/delay-email.server.ts";
import { fulfillmentEmails } from "./fulfillment/fulfillment-emails.server.ts";
import { parcelEmails } from "./fulfillment/parcel-emails.server.ts";
import { healthEmails } from "./health/health-emails.server.ts";
import { testEmails } from "./go-live/test-email.server.ts";
import { letterEmails } from "./letters/letter-emails.server.tsx";
import { orderEmails } from "./orders/order-emails.server.ts";
import { paymentEmails } from "./payments/payment-emails.server.tsx";
import { privacyEmails } from "./privacy/privacy-emails.server.ts";
import { returnEmails } from "./returns/return-emails.server.ts";
import { staffEmails } from "./staff/staff-emails.server.ts";
import { contactEmails } from "#shop/support/contact-emails.server.tsx";
import { waitlistEmails } from "./waitlist/waitlist-emails.server.ts";

export const emails: Emails = {
  ...accountEmails,
  ...waitlistEmails,
  ...backInStockEmails,
  ...letterEmails,
  ...orderEmails,
  ...paymentEmails,
  ...parcelEmails,
  ...fulfillmentEmails,
  ...addressEmails,
  ...delayEmails,
  ...chargeEmails,
  ...returnEmails,
  ...contactEmails,
  ...staffEmails,
  ...privacyEmails,
  ...healthEmails,
  ...testEmails,
};
