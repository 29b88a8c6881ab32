/** The notice of a delay. Its duties are in delay-notice.ts. */
import type { Email, EmailShop } from "#shop/mail/email.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import { authorized, charged, type OfOrder, sample, template } from "./email-template.server.ts";
import { DELAY_REASONS, type DelayReason } from "#shop/orders/reasons.ts";

/** The situation in which a notice was sent: `until` and `answerBy` are those of the notice. */
type Notice = {
  /** The day that the buyer was told before; null if none was. */
  from: string | null;
  until: string | null;
  answerBy: string | null;
  reason: DelayReason;
  /** Something has shipped: it is the rest that is delayed. */
  isRest: boolean;
  /** False if only their own product waits, which goes back to them. */
  mayCancel: boolean;
  /** The units that they may cancel cost nothing, or are charged already. */
  isFree: boolean;
  isCharged: boolean;
  /** Day on which the authorization ends before it ships. */
  holdEndsOn: string | null;
};
type Delay = OfOrder & Notice;

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-delayed": Delay;
  }
}

/** Required words of a notice: the right to cancel for a prompt refund, and the effect of silence. */
function answerWords({ until, answerBy, isRest, isCharged, isFree }: Notice): string[] {
  const it = isRest ? "the rest" : "your order";
  const free = isCharged
    ? `, for a full refund of what you paid for it, within ${policyText.cancellationRefundBusinessDays}`
    : isFree
      ? ""
      : ", and you’ll never be charged for it";
  const cancel = `You can cancel ${it} anytime before it ships${free}.`;
  if (answerBy === null)
    return [
      until
        ? `You don’t need to do anything to keep ${it}. If we don’t hear from you, we’ll assume you’ll wait. ${cancel}`
        : cancel,
    ];
  return [
    `Please tell us by ${dayText(answerBy)} if you’ll wait. If we don’t hear from you and it hasn’t shipped by the end of that day, we’ll cancel ${it} for you${isCharged ? " and refund you" : ""}.`,
    until ? cancel : `If you keep it, you can still cancel anytime before it ships${free}.`,
  ];
}

function holdWords({ holdEndsOn, isCharged, isFree }: Notice): string[] {
  if (holdEndsOn)
    return [
      `Your bank holds the amount only until ${dayText(holdEndsOn)}, and releases it if the order hasn’t shipped. Then we’ll email you a link to pay again.`,
    ];
  return isCharged || isFree ? [] : ["We won’t charge anything until it ships."];
}

const delay: Notice = {
  from: "2026-03-15",
  until: "2026-04-01",
  answerBy: null,
  reason: "not-ready",
  isRest: false,
  mayCancel: true,
  isFree: false,
  isCharged: false,
  holdEndsOn: null,
};
const restDelay: Notice = { ...delay, isRest: true, answerBy: "2026-03-20" };

/** Links open a page; a click in the email changes nothing. */
const notice: Parameters<typeof template<Delay>>[0] = (mail, number) => {
  const { until, reason, url, isRest, mayCancel } = mail;
  const order = isRest ? `the rest of your order ${number}` : `your order ${number}`;
  const meant = mail.from && ` We meant to ship it by ${dayText(mail.from)}.`;
  return {
    subject: `${isRest ? "The rest of your" : "Your"} Polara order ${number} ships later`,
    heading: mayCancel ? "Keep it or cancel it?" : "It ships later",
    intro: until
      ? `${order} will ship later than planned: by ${dayText(until)}. We’re sorry. ${DELAY_REASONS[reason]}`
      : `${order} will ship later than planned.${meant ?? ""} We’re sorry. ${DELAY_REASONS[reason]} We can’t say yet when it will ship.`,
    words: mayCancel ? [...answerWords(mail), ...holdWords(mail)] : [],
    links: mayCancel
      ? [
          { label: isRest ? "Keep the rest" : "Keep my order", href: `${url}&intent=keep` },
          { label: isRest ? "Cancel the rest" : "Cancel my order", href: `${url}&intent=cancel`, isButton: true },
        ]
      : [{ label: "View your order", href: url }],
  };
};

/** The notice of a delay as the buyer of a whole order gets it, with a sample order. */
export const sampleNotice = (of: Pick<Notice, "from" | "until" | "answerBy" | "reason">, shop: EmailShop): Email =>
  template<Delay>(notice, { it: { ...authorized, ...delay, ...of } }).samples(shop).it!;

export const delayEmails = {
  "order-delayed": template<Delay>(notice, {
    "to a guest": { ...sample, isOwnEmail: false, ...delay },
    charged: { ...charged, ...delay, isCharged: true },
    "of the rest": { ...charged, ...restDelay, isCharged: true },
    "of the rest, on a saved card": { ...charged, ...restDelay },
    "of the customer’s own": { ...charged, ...restDelay, answerBy: null, mayCancel: false },
    "at no charge": { ...sample, ...delay, isFree: true },
    "to a day that needs a yes": { ...authorized, ...delay, until: "2026-05-15", answerBy: "2026-04-14" },
    "to an unknown day": { ...authorized, ...delay, until: null, answerBy: "2026-04-14", reason: "supplier" },
    "to an unknown day, agreed to before": { ...authorized, ...delay, until: null },
    "past the authorization": { ...authorized, ...delay, holdEndsOn: "2026-03-08" },
  }),
};
