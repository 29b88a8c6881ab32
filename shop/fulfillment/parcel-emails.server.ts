/** Emails about the parcels of an order. */
import { formatMoney } from "#shop/money.ts";
import type { OrderEmail } from "#shop/orders/order-email.tsx";
import { registrationUrl } from "#shop/orders/order-link.server.ts";
import { SITUATION_WORDS } from "#shop/orders/situation-words.ts";
import { chargedTo } from "#shop/payments/payment-method.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { arrivalWords } from "#shop/shipping/methods.ts";
import { sampleOrder } from "#shop/orders/order-emails.server.ts";
import { card, charged, type OfOrder, sample, viewOrder, template } from "./email-template.server.ts";
import { loadParcelMail, loadDelivered, type OrderMail, type ParcelMail } from "./order-for-mail.server.ts";
import { CARRIERS, trackingUrl } from "./shipment.ts";

type OfParcel = OfOrder & { shipmentId: string };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-shipped": OfParcel;
    "parcel-shipped": OfParcel;
    "shipment-undone": OfParcel;
    "tracking-corrected": OfParcel;
    "parcel-refused": OfParcel;
    "parcel-lost": OfParcel;
    "order-delivered": OfOrder;
  }
}

const arrivalInfo = ({ createdAt, shippingMethod, shippedAt }: OrderMail & ParcelMail): string =>
  `It should arrive ${arrivalWords(settingsAt(createdAt).shipping, shippingMethod, shippedAt)}.`;

const trackingInfo = ({ carrier, trackingNumber }: ParcelMail): string =>
  `Your ${CARRIERS[carrier].name} tracking number is ${trackingNumber}.`;

const parcelLinks = (mail: OrderMail & ParcelMail): OrderEmail["links"] => [
  { label: "Track your package", href: trackingUrl(mail.carrier, mail.trackingNumber) },
  viewOrder(mail),
];

const chargeInfo = ({ charge }: ParcelMail): string[] =>
  charge ? [`We charged ${formatMoney(charge.cents)}${charge.method ? ` ${chargedTo(charge.method)}` : ""}.`] : [];

const paidInfo = ({ paidCents }: OrderMail["money"]): string[] =>
  paidCents > 0 ? [`You paid ${formatMoney(paidCents)}.`] : [];

const SENT_AGAIN = "Would you like to have these items sent again? Just reply to this email.";
const ONCE_BACK = {
  refund: `Once we have it back, we’ll refund what you paid for these items within ${policyText.refundBusinessDays}. Would you rather have them sent again? Just reply to this email.`,
  again: "Once we have it back, we’ll send it to you again. Has your address changed? Just reply to this email.",
  asked: SENT_AGAIN,
};

const parcel: OrderMail & ParcelMail = {
  ...charged,
  carrier: "ups",
  trackingNumber: "1Z999AA10123456784",
  shippedAt: new Date("2026-02-23T17:00:00Z"),
  items: sampleOrder.items,
  owed: sampleOrder.items,
  hasMoreToCome: false,
  charge: { cents: 147_00, method: card },
  wasRefunded: false,
  paidCents: 147_00,
  onceBack: "refund",
};
const free: typeof parcel = { ...parcel, money: sample.money, paidCents: 0, onceBack: "asked" };

export const parcelEmails = {
  /** Also the acceptance of the order. */
  "order-shipped": template<OfParcel, ParcelMail>(
    (mail, number) => ({
      subject: `Your Polara order ${number} has shipped`,
      heading: SITUATION_WORDS[mail.hasMoreToCome ? "partly-on-its-way" : "on-its-way"].title,
      intro: `we’ve shipped ${mail.hasMoreToCome ? "part of " : ""}your order ${number}. ${arrivalInfo(mail)}`,
      words: [
        [trackingInfo(mail), ...(mail.charge ? chargeInfo(mail) : paidInfo(mail.money))].join(" "),
        ...(mail.hasMoreToCome
          ? [
              `The rest will follow in another package.${mail.money.savedCard && mail.money.isToCharge ? " We’ll charge you for it when it ships." : ""}`,
            ]
          : []),
      ],
      items: mail.items,
      links: parcelLinks(mail),
      notes: ["Under the terms of your order, this shipment is our acceptance of it."],
    }),
    {
      "whole, to a customer": parcel,
      "in part, paid before": { ...parcel, hasMoreToCome: true, charge: null },
    },
    loadParcelMail,
  ),

  "parcel-shipped": template<OfParcel, ParcelMail>(
    (mail, number) => ({
      subject: `Another package from your Polara order ${number} has shipped`,
      heading: "Another package is on its way",
      intro: `we’ve shipped another package from your order ${number}. ${arrivalInfo(mail)}`,
      words: [
        [trackingInfo(mail), ...chargeInfo(mail)].join(" "),
        mail.hasMoreToCome ? "The rest will follow in another package." : "That completes your order.",
      ],
      items: mail.items,
      links: parcelLinks(mail),
    }),
    {
      "the last": { ...parcel, charge: null },
      "with more to come": { ...parcel, carrier: "usps", hasMoreToCome: true, charge: null },
      "of a saved card": { ...parcel, charge: { cents: 48_00, method: card } },
    },
    loadParcelMail,
  ),

  "shipment-undone": template<OfParcel, ParcelMail>(
    (mail, number) => ({
      subject: `Your Polara order ${number} has not shipped yet`,
      heading: "Not shipped yet",
      intro: `we’re sorry: we told you too soon that these items of your order ${number} had shipped. They’re still with us, and we’ll email you when they ship.`,
      words:
        mail.paidCents > 0
          ? [`You paid ${formatMoney(mail.paidCents)} for these items. You won’t pay again when they ship.`]
          : [],
      items: mail.items,
      links: [viewOrder(mail)],
    }),
    {
      "not paid": free,
      charged: parcel,
    },
    loadParcelMail,
  ),

  "tracking-corrected": template<OfParcel, ParcelMail>(
    (mail, number) => ({
      subject: `New tracking number for your Polara order ${number}`,
      heading: "A new tracking number",
      intro: `we’re sorry: the tracking number we sent you for your order ${number} was wrong. Here’s the right one.`,
      words: [`${trackingInfo(mail)} ${arrivalInfo(mail)}`],
      items: mail.items,
      links: parcelLinks(mail),
    }),
    { "to a guest": { ...parcel, isOwnEmail: false } },
    loadParcelMail,
  ),

  "parcel-refused": template<OfParcel, ParcelMail>(
    (mail, number) => ({
      subject: `A package from your Polara order ${number} is on its way back`,
      heading: SITUATION_WORDS["coming-back"].title,
      intro: `${CARRIERS[mail.carrier].name} couldn’t deliver a package from your order ${number}, or it was refused, so it’s coming back to us.`,
      words: [ONCE_BACK[mail.onceBack]],
      items: mail.owed,
      links: parcelLinks(mail),
    }),
    {
      "to a guest": { ...parcel, isOwnEmail: false },
      "sent at no charge": free,
      "of their own product": { ...parcel, onceBack: "again" },
    },
    loadParcelMail,
  ),

  "parcel-lost": template<OfParcel, ParcelMail>(
    (mail, number) => ({
      subject: `A package from your Polara order ${number} is lost`,
      heading: SITUATION_WORDS.lost.title,
      intro: `${CARRIERS[mail.carrier].name} has lost a package from your order ${number}. We’re sorry.`,
      words: [
        mail.wasRefunded
          ? SENT_AGAIN
          : mail.paidCents > 0
            ? "We’ll send you these items again, and you won’t pay for them twice. If we don’t have them anymore, we’ll refund you. Would you rather have your money back? Just reply to this email."
            : "We’ll send you these items again. If we don’t have them anymore, we’ll email you.",
      ],
      items: mail.owed,
      links: [viewOrder(mail)],
    }),
    { "to a guest": { ...parcel, isOwnEmail: false }, "sent at no charge": free },
    loadParcelMail,
  ),

  "order-delivered": template<OfOrder, NonNullable<Awaited<ReturnType<typeof loadDelivered>>>>(
    (mail, number, shop) => ({
      subject: `Your Polara order ${number} was delivered`,
      heading: SITUATION_WORDS.delivered.title,
      intro: `your order ${number} was delivered. ${mail.isKept ? "We hope you like it." : "We’ve refunded it."}`,
      words: [
        ...(mail.returnUntil ? [`Not right for you? You can return it until ${dayText(mail.returnUntil)}.`] : []),
        ...(mail.isToRegister
          ? [
              `To speed up any warranty claim, register your product within ${policyText.registrationDays} of purchase: open the link below and press Send.`,
            ]
          : []),
      ],
      links: [
        viewOrder(mail),
        {
          label: mail.returnUntil ? "Return, exchange, or report a problem" : "Report a problem",
          href: `${mail.url}&intent=return`,
        },
        ...(mail.isToRegister
          ? [{ label: "Register your product", href: registrationUrl({ ...mail, id: mail.orderId }, shop) }]
          : []),
      ],
    }),
    {
      "of a bowl": { ...sample, isKept: true, isToRegister: true, returnUntil: "2026-04-01" },
      "of filters": { ...sample, isKept: true, isToRegister: false, returnUntil: "2026-04-01" },
      "of what was refunded": { ...sample, isKept: false, isToRegister: false, returnUntil: null },
      "at no charge": { ...sample, isKept: true, isToRegister: true, returnUntil: null },
    },
    loadDelivered,
  ),
};
