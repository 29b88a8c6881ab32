/** Emails as the list of texts has them: by what they are about, in the order of their events, with when each is sent. */
import type { TemplateName } from "#shop/mail/email.ts";

type Group = Partial<Record<TemplateName, string>>;

const EMAIL_GROUPS: Record<string, Group> = {
  "Emails about orders": {
    "order-confirmation": "When an order is placed, or once it is paid",
    "order-to-pay": "When you create an order that is paid by a link",
    "order-link": "When someone asks for the link to an order",
    "order-address-changed": "When the address of an order changes",
    "order-changed": "When items are canceled before they ship",
    "order-delayed": "When the ship date moves, or has passed",
    "order-canceled": "When an order is canceled",
    "order-declined": "When you decline an order",
  },
  "Emails about payments": {
    "payment-request": "When you request payment, or a card fails at shipping",
    "payment-received": "When you record a payment",
    "payment-ended": "When an authorization ends before the order ships",
    "order-not-charged": "When a payment comes after the items have sold out",
    "charge-announced": "Three days before a saved card is charged, or when you ship early",
    "charge-refused": "When the bank refuses a saved card, and four days later",
    "refund-issued": "When a refund is done, or one that failed is resolved",
    "refund-failed": "When the bank sends a refund back",
  },
  "Emails about packages": {
    "order-shipped": "When the first package of an order ships",
    "parcel-shipped": "When another package ships",
    "tracking-corrected": "When you correct a tracking number",
    "shipment-undone": "When you undo a shipment",
    "parcel-refused": "When a package is on its way back",
    "parcel-lost": "When a package is lost",
    "order-delivered": "When everything has arrived",
  },
  "Emails about returns, claims and repairs": {
    "return-requested": "When a request waits for your answer",
    "return-checks": "When you answer a request with things to try",
    "return-authorized": "When a return is authorized",
    "return-label": "When you send the label that you owe",
    "return-declined": "When you decline a return",
    "return-reminder": "Five days later, if nothing has arrived",
    "return-expired": "Two weeks after the last day to ship it",
    "return-withdrawn": "When a return is withdrawn",
    "return-not-needed": "When its package is lost or refused before it arrives",
    "return-received": "When a return arrives",
    "return-inspected": "When you have inspected a return",
    "return-quoted": "When a repair has a price",
    "return-payment": "When there is something to pay for a repair or an exchange",
    "return-resolved": "When a return ends without a refund, or with something sent",
  },
  "Emails about accounts": {
    "verify-email": "When someone creates an account, or asks again",
    "reset-password": "When someone asks for a new password",
    "account-changed": "When a password, two-step sign-in or a device changes",
    "change-email": "When a customer asks for another email address",
    "email-changed": "When the new email address is confirmed, to the former one",
    "account-suspended": "When you suspend an account, or end its suspension",
    "account-deleted": "When an account is deleted",
  },
  "Emails about the waitlist": {
    "waitlist-welcome": "When someone joins the waitlist",
    "waitlist-invitation": "When you invite the waitlist to order first",
  },
  "Emails of letters": {
    letter: "When you send a letter to a list",
    "letter-test": "When you test a letter, to yourself",
    "back-in-stock": "When a product that someone waits for is available",
  },
  "Emails about messages and privacy": {
    "contact-receipt": "When someone writes to you",
    "contact-reply": "When you reply to a message",
    "arbitration-opt-out": "When you record an opt-out of arbitration",
    "request-extended": "When you extend the deadline of a privacy request",
    "request-answered": "When you answer a privacy request",
    "data-deleted": "When you erase someone without an account",
    notice: "When you announce a legal text, or send a notice",
  },
  "Emails to staff": {
    "staff-invitation": "When an owner invites you, or resets your second factor",
    "contact-message": "When someone writes to the shop",
    "payment-alert": "When a payment needs a person",
    "health-alert": "When an alert begins or ends",
    "test-email": "When an owner tests the mail server",
  },
};

/** Occasion and subject matter of each email. */
export const emailMoments = Object.entries(EMAIL_GROUPS).flatMap(([group, moments]) =>
  Object.entries(moments).map(([template, sent]) => ({ template, group, sent })),
);
