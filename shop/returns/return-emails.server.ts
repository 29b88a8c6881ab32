/** Emails about returns. They go to the email of the order, and link to its page. */
import type { Database } from "#db/connection.server.ts";
import { returnAddress } from "#shop/contact-addresses.server.ts";
import { template, type OfOrder } from "#shop/fulfillment/email-template.server.ts";
import { formatMoney } from "#shop/money.ts";
import { hasPayments, PAYMENT_BY_HAND } from "#shop/payment-mode.ts";
import type { OrderEmail } from "#shop/orders/order-email.tsx";
import { REFUSE_REASONS } from "./return.ts";
import {
  day,
  costsMore,
  dueInfo,
  exchange,
  exchangeInfo,
  inspectionInfo,
  linesOf,
  noun,
  of,
  PAY_FOR,
  RESOLVED,
  refunds,
  viewReturn,
  type Mail,
  type Mailed,
  type Payment,
} from "./return-email-words.server.ts";
import { getReturn } from "./returns.server.ts";

type OfReturn = OfOrder & { returnId: string };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "return-requested": OfReturn;
    "return-authorized": OfReturn;
    "return-checks": OfReturn & { text: string };
    "return-declined": OfReturn;
    "return-payment": OfReturn & { chargeId: string; cents: number };
    "return-label": OfReturn;
    "return-reminder": OfReturn;
    "return-expired": OfReturn;
    "return-withdrawn": OfReturn;
    "return-not-needed": OfReturn;
    "return-received": OfReturn;
    "return-inspected": OfReturn;
    "return-quoted": OfReturn;
    "return-resolved": OfReturn;
  }
}

const load = async (db: Database, { returnId }: OfReturn): Promise<Mailed | null> => {
  const orderReturn = await getReturn(db, returnId);
  return orderReturn && { orderReturn };
};

type Content = Pick<OrderEmail, "subject" | "heading" | "words"> & Partial<OrderEmail> & { intro: string };

/** A template with the lines of the return and the link to it. */
const ofReturn = (content: (mail: Mail, number: string) => Content, samples: Record<string, Mail>) =>
  template<OfReturn, Mailed>(
    (mail, number) => ({ items: linesOf(mail), links: [viewReturn(mail)], ...content(mail, number) }),
    samples,
    load,
  );

export const returnEmails = {
  "return-requested": ofReturn(
    (mail, number) => ({
      subject: `We have your request for order ${number}`,
      heading: "We have your request",
      intro: `thanks for telling us. We’ll look at your ${noun(mail)} and answer you.`,
      words: ["Please don’t send anything yet: you’ll get a return authorization number first."],
    }),
    { "a warranty claim": of({ kind: "warranty" }), "a repair": of({ kind: "repair" }) },
  ),

  "return-authorized": ofReturn(
    (mail) => ({
      subject: `Your return authorization number: ${mail.orderReturn.number}`,
      heading: `Your number is ${mail.orderReturn.number}`,
      intro: mail.orderReturn.shipBy
        ? `we have your request. Please ship it by ${day(mail.orderReturn.shipBy)}, and write ${mail.orderReturn.number} on the outside of the box: packages without a number may be delayed.`
        : `we have your request, and your prepaid label is next. Please don’t send anything before you have it.`,
      words: [
        ...exchangeInfo(mail),
        mail.orderReturn.labelBy === "us"
          ? mail.orderReturn.labelUrl
            ? "We pay for the shipping: print the label below and put it on the box."
            : "We pay for the shipping: we’ll email you a label, and your time to send it starts then."
          : "You pay for the shipping. Use a trackable service and keep the receipt, because you bear the risk until the package reaches us.",
        ...(mail.orderReturn.kind === "return" || mail.orderReturn.kind === "exchange"
          ? ["Include the original packaging and all accessories."]
          : []),
        "Remove all food, and clean and dry the container before you pack it.",
      ],
      destination: { heading: "Send it to", lines: [mail.orderReturn.number, ...returnAddress()] },
      links: [
        viewReturn(mail),
        ...(mail.orderReturn.labelUrl ? [{ label: "Print your label", href: mail.orderReturn.labelUrl }] : []),
      ],
    }),
    {
      "a return": of({}),
      "an exchange": of({ ...exchange, money: costsMore(54_13) }),
      "an exchange that costs less": of({ ...exchange, money: refunds(10_86) }),
      "a warranty claim": of({ kind: "warranty", labelBy: "us", labelUrl: "https://labels.example/R-7KQ2MX" }),
      "a defect, without a label": of({ kind: "defect", labelBy: "us", shipBy: null }),
    },
  ),

  "return-checks": template<OfReturn & { text: string }, Mailed & { text: string }>(
    (mail, number) => ({
      subject: `A few things to try, for order ${number}`,
      heading: "Let’s try this first",
      intro: "thanks for telling us. Often this helps:",
      words: [
        ...mail.text.split(/\n{2,}/),
        "If it doesn’t, just reply to this email, and we’ll move forward with your request.",
      ],
      links: [viewReturn(mail)],
    }),
    {
      "a warranty claim": {
        ...of({ kind: "warranty" }),
        text: "Charge it for two hours with the adapter that came with it.",
      },
    },
    async (db, job) => {
      const loaded = await load(db, job);
      return loaded && { ...loaded, text: job.text };
    },
  ),

  "return-declined": ofReturn(
    (mail, number) => ({
      subject: `Your request for order ${number}`,
      heading: "We’re sorry",
      intro: `we can’t accept your ${noun(mail)}.`,
      words: [
        ...(mail.orderReturn.refuseReason ? [REFUSE_REASONS[mail.orderReturn.refuseReason]] : []),
        "See it differently? Just reply to this email.",
      ],
    }),
    { "a warranty claim": of({ kind: "warranty", refuseReason: "not-covered" }) },
  ),

  "return-payment": template<OfReturn & { chargeId: string; cents: number }, Payment>(
    (mail, number) => {
      const amount = formatMoney(mail.cents);
      return {
        subject: `Please pay ${amount} for your ${noun(mail)}`,
        heading: "One step left",
        intro: `please pay ${amount} for your ${noun(mail)}, order ${number}.`,
        words: [
          PAY_FOR[mail.why],
          ...(mail.payBy
            ? [
                `Please pay by ${day(mail.payBy)} and we’ll ship it. We’ll hold your item until then. After that, we’ll refund what you sent back instead.`,
              ]
            : []),
          ...(hasPayments() ? [] : [PAYMENT_BY_HAND]),
        ],
        links: [hasPayments() ? { ...viewReturn(mail), label: "Pay" } : viewReturn(mail)],
      };
    },
    {
      "the fee": { ...of({ kind: "repair" }), cents: 35_00, why: "fee" },
      "the fee, before it goes back": { ...of({ kind: "repair" }), cents: 35_00, why: "sent-back" },
      "a repair": { ...of({ kind: "repair" }), cents: 25_00, why: "repair" },
      "an exchange": { ...of(exchange), cents: 54_13, why: "difference", payBy: "2026-04-01" },
    },
    async (db, { returnId, chargeId, cents }) => {
      const found = await getReturn(db, returnId);
      if (found?.toPay?.chargeId !== chargeId) return null;
      const { why, payBy } = found.toPay;
      return { orderReturn: found, cents, why, payBy };
    },
  ),

  "return-label": ofReturn(
    (mail) => ({
      subject: `Your label for ${mail.orderReturn.number}`,
      heading: "Your label is here",
      intro: `please print your prepaid label, put it on the box, and ship it by ${day(mail.orderReturn.shipBy)}.`,
      words: [`Write ${mail.orderReturn.number} on the outside of the box.`],
      destination: { heading: "Send it to", lines: [mail.orderReturn.number, ...returnAddress()] },
      links: [{ label: "Print your label", href: mail.orderReturn.labelUrl ?? "" }, viewReturn(mail)],
    }),
    { "a warranty claim": of({ kind: "warranty", labelBy: "us", labelUrl: "https://labels.example/R-7KQ2MX" }) },
  ),

  "return-reminder": ofReturn(
    (mail) => ({
      subject: `Please ship ${mail.orderReturn.number} by ${day(mail.orderReturn.shipBy)}`,
      heading: "Have you sent it yet?",
      intro: `your return ${mail.orderReturn.number} hasn’t arrived yet. Please ship it by ${day(mail.orderReturn.shipBy)}.`,
      words: ["Is it on its way? Then there’s nothing to do. Would you rather keep it? You can withdraw the return."],
      destination: { heading: "Send it to", lines: [mail.orderReturn.number, ...returnAddress()] },
    }),
    { "a return": of({}) },
  ),

  "return-expired": ofReturn(
    (mail) => ({
      subject: `We’ve closed ${mail.orderReturn.number} for now`,
      heading: "Closed for now",
      intro: `your return ${mail.orderReturn.number} hasn’t arrived, so we’ve closed it for now.`,
      words: ["Is it on its way, or do you still want to send it? Just reply to this email, and we’ll open it again."],
    }),
    { "a return": of({ state: "expired" }) },
  ),

  "return-withdrawn": ofReturn(
    (mail) => ({
      subject: `Your ${noun(mail)} ${mail.orderReturn.number} is withdrawn`,
      heading: "Withdrawn",
      intro: `your ${noun(mail)} ${mail.orderReturn.number} is withdrawn, and there’s nothing to send.`,
      words: ["Have you sent it already, or was this a mistake? Just reply to this email, and we’ll open it again."],
    }),
    { "an exchange": of({ ...exchange, state: "withdrawn" }) },
  ),

  "return-not-needed": ofReturn(
    (mail) => ({
      subject: `You don’t need to send ${mail.orderReturn.number}`,
      heading: "Nothing to send",
      intro: `a package with these items was lost or is on its way back to us, so we’ve closed your ${noun(mail)} ${mail.orderReturn.number}.`,
      words: [
        "We’ve emailed you what happens with that package. Would you like to return something that has arrived? Just reply to this email.",
      ],
    }),
    { "a return": of({ state: "withdrawn" }) },
  ),

  "return-received": ofReturn(
    (mail) => ({
      subject: `${mail.orderReturn.number} has arrived`,
      heading: "It arrived",
      intro: `your package ${mail.orderReturn.number} has arrived.`,
      words: [dueInfo(mail)],
    }),
    { "a return": of({ state: "received" }), "a repair": of({ kind: "repair", state: "received" }) },
  ),

  "return-inspected": ofReturn(
    (mail) => ({
      subject: `We’ve inspected ${mail.orderReturn.number}`,
      heading: "We’ve taken a look",
      intro: `we’ve inspected what you sent us with ${mail.orderReturn.number}.`,
      words: inspectionInfo(mail),
    }),
    {
      "a return": of({ state: "inspected" }),
      "with a deduction": of({ deductionCents: 20_00, deductionReason: "used", money: refunds(79_00) }),
      "a warranty claim": of({ kind: "warranty" }),
    },
  ),

  "return-quoted": ofReturn(
    (mail) => ({
      subject: `Your repair quote, ${mail.orderReturn.number}`,
      heading: formatMoney(mail.orderReturn.quoteCents ?? 0),
      intro: `we can repair it for ${formatMoney(mail.orderReturn.quoteCents ?? 0)}. A diagnostic fee that you’ve paid is taken off.`,
      words: [
        "We won’t do anything without your OK. You’ll pay once it’s repaired, before we send it back. If you say no, we’ll send it back, and you’ll owe only the fee.",
      ],
      links: [{ label: "Say yes or no", href: `${mail.url}#returns` }],
    }),
    { "a repair": of({ kind: "repair", state: "quoted", quoteCents: 60_00 }) },
  ),

  "return-resolved": ofReturn(
    (mail) => {
      const { words, ...usual } = RESOLVED[mail.orderReturn.outcome ?? "refund"];
      const { number, kind, outcome, exchangeName } = mail.orderReturn;
      const isExchanged = kind === "exchange" && outcome === "replacement" && exchangeName !== null;
      const heading = isExchanged ? `Your ${exchangeName} is next` : usual.heading;
      return {
        subject: `${heading}: ${number}`,
        heading,
        intro: isExchanged
          ? `we’ve inspected what you sent us with ${number}, and we’re sending you ${exchangeName} in exchange.`
          : `we’ve decided about your ${noun(mail)} ${number}.`,
        words: words(mail),
        // The items that came back are not those that come.
        ...(isExchanged && { items: [] }),
      };
    },
    {
      "an exchange that was not paid": of({ ...exchange, outcome: "refund", money: refunds(99_00) }),
      "nothing to refund": of({ outcome: "refund", money: refunds(0) }),
      "an exchange": of({ ...exchange, outcome: "replacement", money: refunds(10_86) }),
      "an exchange to pay": of({
        ...exchange,
        outcome: "replacement",
        toPay: { cents: 54_13, why: "difference" },
        money: costsMore(54_13),
      }),
      "a replacement": of({ kind: "warranty", outcome: "replacement" }),
      "a repair": of({ kind: "warranty", outcome: "repair" }),
      "a repair to pay": of({ kind: "repair", outcome: "repair", toPay: { cents: 25_00, why: "repair" } }),
      "a part": of({ kind: "warranty", outcome: "part" }),
      "sent back": of({ kind: "repair", outcome: "sent-back" }),
      "sent back once the fee is paid": of({
        kind: "repair",
        outcome: "sent-back",
        toPay: { cents: 35_00, why: "sent-back" },
      }),
    },
  ),
};
