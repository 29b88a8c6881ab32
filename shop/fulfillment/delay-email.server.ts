/** The notice of a delay. Its duties are in delay-notice.ts. */
import type { Database } from "#db/connection.server.ts";
import type { Email, EmailShop } from "#shop/mail/email.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { amountsDue, unitsKept } from "#shop/orders/order.ts";
import { capturedOf } from "#shop/payments/actions.server.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import { authorized, charged, type OfOrder, orderId, sample, template } from "./email-template.server.ts";
import { readOrder } from "./locked-order.server.ts";
import { DELAY_REASONS, type DelayReason } from "./order-actions.ts";
import { endsBefore, type OrderMail } from "./order-for-mail.server.ts";
import { paidCents } from "./ship.server.ts";

/** `from` is the day promised before; `until` and `answerBy` as in delay-notice.ts. */
type Delay = OfOrder & { from: string; until: string | null; answerBy: string | null; reason: DelayReason };
/** `isCharged`: something was charged for what is delayed, and is not refunded yet. */
type Notice = Delay & { isCharged: boolean };

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-delayed": Delay;
  }
}

/** A saved card pays each parcel when it ships, but a parcel that was undone or is sent again is paid already. */
async function loadNotice(db: Database, job: Delay): Promise<Notice | null> {
  const order = await readOrder(db, job.orderId);
  if (!order) return null;
  const sent = order.lines.map((line) => ({ ...line, unitsSent: unitsKept(line) - line.unitsLeft }));
  const isPaid = (await paidCents(db, order.id)) > amountsDue(order, sent).totalCents;
  return { ...job, isCharged: isPaid && (await capturedOf(db, order.id)).leftCents > 0 };
}

/** Required words of a notice: the right to cancel for a prompt refund, and the effect of silence. */
function answerWords({ until, answerBy, status, isCharged, charged: { totalCents } }: OrderMail & Notice): string[] {
  const it = status === "shipped" ? "the rest" : "your order";
  const free = isCharged
    ? `, for a full refund of what you paid for it, within ${policyText.cancellationRefundBusinessDays}`
    : totalCents > 0
      ? ", and you’ll never be charged for it"
      : "";
  const cancel = `You can cancel ${it} anytime before it ships${free}.`;
  if (answerBy === null)
    return [
      until
        ? `You needn’t do anything to keep ${it}: without an answer, we take it that you’ll wait. ${cancel}`
        : cancel,
    ];
  return [
    `Please tell us by ${dayText(answerBy)} if you’ll wait. If we don’t hear from you and it hasn’t shipped by the end of that day, we’ll cancel ${it} for you${isCharged ? " and refund you" : ""}.`,
    until ? cancel : `If you keep it, that holds until it ships or you cancel. ${cancel}`,
  ];
}

const holdWords = ({ until, isCharged, money: { holdEnd }, charged: { totalCents } }: OrderMail & Notice): string[] =>
  holdEnd && (until === null || endsBefore(holdEnd, until))
    ? [
        `Your bank holds the amount only until ${dayText(newYorkDay(holdEnd))}, and releases it if the order hasn’t shipped. Then we’ll email you a link to pay again.`,
      ]
    : isCharged || totalCents === 0
      ? []
      : ["We won’t charge anything until it ships."];

const delay: Notice = {
  orderId,
  from: "2026-03-15",
  until: "2026-04-01",
  answerBy: null,
  reason: "not-ready",
  isCharged: false,
};
const restDelay = { ...charged, ...delay, status: "shipped", answerBy: "2026-03-20" } as const;

/** Links open a page; a click in the email changes nothing. */
const notice: Parameters<typeof template<Delay, Notice>>[0] = (mail, number) => {
  const { until, reason, url, status } = mail;
  const isRest = status === "shipped";
  const order = isRest ? `the rest of your order ${number}` : `your order ${number}`;
  const wont = `${order} won’t ship by ${dayText(mail.from)}, as we promised.`;
  return {
    subject: `${isRest ? "The rest of your" : "Your"} Polara order ${number} ships later`,
    heading: "Keep it or cancel it?",
    intro: until
      ? `${order} will ship later than planned: by ${dayText(until)}. We’re sorry. ${DELAY_REASONS[reason]}`
      : `${wont} We’re sorry. ${DELAY_REASONS[reason]} We can’t say yet when it will ship.`,
    words: [...answerWords(mail), ...holdWords(mail)],
    links: [
      { label: isRest ? "Keep the rest" : "Keep my order", href: `${url}&intent=keep` },
      { label: isRest ? "Cancel the rest" : "Cancel my order", href: `${url}&intent=cancel`, isButton: true },
    ],
  };
};

/** The notice of a delay as the buyer of a whole order gets it, with a sample order. */
export const sampleNotice = (of: Omit<Delay, "orderId">, shop: EmailShop): Email =>
  template<Delay, Notice>(notice, { it: { ...authorized, ...of, isCharged: false } }).samples(shop).it!;

export const delayEmails = {
  "order-delayed": template<Delay, Notice>(
    notice,
    {
      "to a guest": { ...sample, isOwnEmail: false, ...delay },
      charged: { ...charged, ...delay, isCharged: true },
      "of the rest": { ...restDelay, isCharged: true },
      "of the rest, on a saved card": restDelay,
      "to a day that needs a yes": { ...authorized, ...delay, until: "2026-05-15", answerBy: "2026-04-14" },
      "to an unknown day": { ...authorized, ...delay, until: null, answerBy: "2026-04-14", reason: "supplier" },
      "to an unknown day, agreed to before": { ...authorized, ...delay, until: null },
      "past the authorization": {
        ...authorized,
        ...delay,
        money: { ...authorized.money, holdEnd: new Date("2026-03-08T17:00:00Z") },
      },
    },
    loadNotice,
  ),
};
