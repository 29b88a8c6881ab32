/** The emails that ask for money, and that give it back. */
import type { Email, EmailShop } from "../../mail/email.ts";
import { formatMoney } from "../../money.ts";
import { orderEmail } from "../../orders/emails/order-email.tsx";
import { policyText } from "../../policy-text.ts";
import { REFUND_REASONS, type RefundReason } from "../reasons.ts";
import { greet, numberOf, seeOrder, type Told } from "./told.ts";

export type AskedToPay = Told & {
  cents: number;
  /** `capture-failed`: it was paid before, and the money did not come. */
  why: "asked" | "capture-failed";
};

/** Its link leads to the order, which is paid there. */
export function paymentRequest(asked: AskedToPay, shop: EmailShop): Email {
  const number = numberOf(asked);
  const isAgain = asked.why === "capture-failed";
  return orderEmail(
    {
      to: asked.order.email,
      subject: isAgain ? `Please pay again: your Polara order ${number}` : `Please pay for your Polara order ${number}`,
      heading: isAgain ? "Your payment did not go through" : "Your order is ready to be paid",
      words: [
        isAgain
          ? greet(
              asked,
              `your bank did not let us charge your payment for order ${number}, so we could not ship it. Nothing was charged.`,
            )
          : greet(asked, `please pay ${formatMoney(asked.cents)} for your order ${number}. We ship it once you have.`),
        isAgain
          ? `Please pay ${formatMoney(asked.cents)} again, with the same card or another one. We still have your order for you.`
          : "It is charged when your order ships.",
      ],
      links: [{ label: "Pay now", href: asked.url }],
    },
    shop,
  );
}

export type Refunded = Told & { cents: number; reason: RefundReason | null };

export const refundIssued = (refunded: Refunded, shop: EmailShop): Email =>
  orderEmail(
    {
      to: refunded.order.email,
      subject: `Your refund for Polara order ${numberOf(refunded)}`,
      heading: "Your refund is on its way",
      words: [
        greet(refunded, `we have refunded ${formatMoney(refunded.cents)} for your order ${numberOf(refunded)}.`),
        ...(refunded.reason ? [REFUND_REASONS[refunded.reason]] : []),
        `Your bank shows it within ${policyText.refundBankDays}, where you paid from.`,
      ],
      links: [seeOrder(refunded)],
    },
    shop,
  );
