/** Sentences and samples of the emails about returns. */
import { sample } from "#shop/fulfillment/email-template.server.ts";
import type { OrderMail } from "#shop/fulfillment/order-for-mail.server.ts";
import { formatMoney } from "#shop/money.ts";
import { hasPayments, PAYMENT_BY_HAND } from "#shop/payment-mode.ts";
import { dayText, policyText } from "#shop/policy-text.ts";
import type { PayFor } from "./return-standing.ts";
import { DEDUCTIONS } from "./return.ts";
import type { ReturnDetails } from "./returns.server.ts";

export type Mailed = { orderReturn: MailedReturn };
type MailedReturn = Pick<
  ReturnDetails,
  | ("id" | "number" | "kind" | "state" | "shipBy" | "labelBy" | "labelUrl" | "dueOn" | "refuseReason")
  | ("deductionCents" | "deductionReason" | "quoteCents" | "outcome" | "exchangeName" | "sent")
> & {
  items: Pick<ReturnDetails["items"][number], "name" | "priceCents" | "units" | "thumbnail" | "warrantyYears">[];
  money: Pick<ReturnDetails["money"], "refundCents" | "moreCents">;
  /** Payment that the customer owes for it now. */
  toPay: { cents: number; why: PayFor; payBy?: string | null } | null;
};
export type Payment = Mailed & { cents: number; why: PayFor; payBy?: string | null };
export type Mail = OrderMail & Mailed;

export const PAY_FOR: Record<PayFor, string> = {
  fee: "It’s the diagnostic fee. If you go ahead with the repair, it counts toward the price.",
  "sent-back": "It’s the diagnostic fee, which is due before we send your product back.",
  repair: "That’s the price we quoted you. A diagnostic fee that you’ve paid is taken off already.",
  difference: "It’s the difference in price, with tax.",
};

export const linesOf = ({ orderReturn }: Mail) =>
  orderReturn.items.map(({ units, ...item }) => ({ ...item, quantity: units }));
const unitsOf = ({ items }: MailedReturn) => items.reduce((sum, { units }) => sum + units, 0);
export const viewReturn = ({ url }: Mail) => ({ label: "View your return", href: `${url}#returns` });
export const day = (text: string | null): string => dayText(text ?? "");
const NOUNS: Record<MailedReturn["kind"], string> = {
  return: "return",
  exchange: "exchange",
  defect: "report",
  warranty: "warranty claim",
  repair: "repair",
};
export const noun = ({ orderReturn }: Mail): string => NOUNS[orderReturn.kind];

export function exchangeInfo({ orderReturn }: Mail): string[] {
  if (orderReturn.kind !== "exchange") return [];
  if (orderReturn.sent !== "reserved")
    return [`${orderReturn.exchangeName} is sold out. Once your product is here, we’ll refund what you paid for it.`];
  const set = `We’ve set aside ${unitsOf(orderReturn)} x ${orderReturn.exchangeName} for you.`;
  const { refundCents, moreCents } = orderReturn.money;
  if (refundCents > 0) return [`${set} It costs ${formatMoney(refundCents)} less, and we’ll refund the difference.`];
  if (moreCents === 0) return [set];
  return [`${set} It costs ${formatMoney(moreCents)} more. We’ll ask you for that before it ships.`];
}

/** Promises of the page on warranty and returns, once the product has arrived. */
export const dueInfo = ({ orderReturn }: Mail): string =>
  orderReturn.kind === "warranty" || orderReturn.kind === "repair"
    ? `A repair or replacement typically takes ${policyText.repairBusinessDays}. You’ll hear from us by ${day(orderReturn.dueOn)}.`
    : `We’ll inspect it and get back to you by ${day(orderReturn.dueOn)}.`;

const NOTHING_LEFT = "There’s nothing left to refund.";

export function inspectionInfo({ orderReturn }: Mail): string[] {
  const { deductionCents, deductionReason, money, kind } = orderReturn;
  if (deductionReason) {
    return [
      DEDUCTIONS[deductionReason],
      `That’s why we reduce your refund by ${formatMoney(deductionCents)}${kind === "return" ? `, to ${formatMoney(money.refundCents)}` : ""}.`,
    ];
  }
  if (kind !== "return") return ["We’ll email you again as soon as we’ve decided what to do."];
  if (money.refundCents === 0) return [NOTHING_LEFT];
  return [
    `We’ll refund ${formatMoney(money.refundCents)} to your original payment method within ${policyText.refundBusinessDays}.`,
  ];
}

const isToPay = ({ orderReturn: { toPay } }: Mail): boolean => toPay !== null;
const howToPay = (): string => (hasPayments() ? "The link to pay is in a separate email." : PAYMENT_BY_HAND);

export const RESOLVED: Record<
  NonNullable<MailedReturn["outcome"]>,
  { heading: string; words: (mail: Mail) => string[] }
> = {
  refund: {
    heading: "Your return is complete",
    // Only a refund instead of an exchange that was not paid has this email: others have the refund's own.
    words: ({ orderReturn: { money, exchangeName } }) =>
      money.refundCents > 0
        ? [
            `The difference in price wasn’t paid in time, so we won’t send ${exchangeName ?? "the other product"}. We’re refunding ${formatMoney(money.refundCents)} to your original payment method instead.`,
          ]
        : [NOTHING_LEFT],
  },
  replacement: {
    heading: "Your replacement is next",
    words: (mail) => [
      isToPay(mail)
        ? `It ships as soon as you’ve paid the difference. ${howToPay()}`
        : "We’re getting it ready, and you’ll get a tracking number when it ships.",
      ...(mail.orderReturn.kind === "exchange" && mail.orderReturn.money.refundCents > 0
        ? [`We’re refunding the difference of ${formatMoney(mail.orderReturn.money.refundCents)}.`]
        : []),
      ...(mail.orderReturn.kind === "exchange" ? [] : newCover(mail)),
    ],
  },
  repair: {
    heading: "Repaired",
    words: (mail) => [
      isToPay(mail)
        ? `It’s working again, and it ships as soon as you’ve paid for the repair. ${howToPay()}`
        : "It’s working again, and you’ll get a tracking number when it ships.",
      ...newCover(mail),
    ],
  },
  part: {
    heading: "A part is on its way",
    words: (mail) => ["We’re sending you a new part, and you don’t need to send anything back.", ...newCover(mail)],
  },
  "sent-back": {
    heading: "Your product goes back to you",
    words: (mail) => [
      isToPay(mail)
        ? `It ships as soon as you’ve paid the diagnostic fee. ${howToPay()}`
        : "We’re sending your product back to you, and you’ll get a tracking number when it ships.",
    ],
  },
};

/** None for what wears out, which no warranty covers. */
const newCover = ({ orderReturn: { items } }: Mail): string[] =>
  items.some(({ warrantyYears }) => warrantyYears !== null)
    ? [
        `What we repaired or replaced is covered for the rest of your warranty or for ${policyText.replacementPartDays}, whichever is longer.`,
      ]
    : [];

const orderReturn: MailedReturn = {
  id: "5b1c7d20-3f4e-4a6b-8c9d-0e1f2a3b4c5d",
  number: "R-7KQ2MX",
  kind: "return",
  state: "authorized",
  shipBy: "2026-03-16",
  labelBy: "customer",
  labelUrl: null,
  dueOn: "2026-03-25",
  refuseReason: null,
  deductionCents: 0,
  deductionReason: null,
  quoteCents: null,
  outcome: null,
  exchangeName: null,
  sent: null,
  items: [
    {
      name: "Polara Pro Earth Green",
      priceCents: 99_00,
      units: 1,
      thumbnail: "pro-earth-green-hero",
      warrantyYears: 2,
    },
  ],
  money: { refundCents: 99_00, moreCents: 0 },
  toPay: null,
};
export const of = (changes: Partial<MailedReturn>): Mail => ({
  ...sample,
  orderReturn: { ...orderReturn, ...changes },
});
export const refunds = (refundCents: number) => ({ refundCents, moreCents: 0 });
export const costsMore = (moreCents: number) => ({ refundCents: 0, moreCents });
export const exchange: Partial<MailedReturn> = {
  kind: "exchange",
  exchangeName: "Polara Pro Frost White",
  sent: "reserved",
};
