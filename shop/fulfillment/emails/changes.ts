/** The emails about an order that does not go as it was placed: changed, later, or not at all. */
import type { Email, EmailShop } from "../../mail/email.ts";
import { formatMoney } from "../../money.ts";
import type { Amounts } from "../../orders/charge.ts";
import { orderEmail } from "../../orders/emails/order-email.tsx";
import { dayText } from "../../policy-text.ts";
import { DECLINE_REASONS, LINE_REASONS, type DeclineReason, type LineReason } from "../reasons.ts";
import { endedText, greet, numberOf, seeOrder, type Money, type Told } from "./told.ts";

export type Changed = Told & { name: string; units: number; reason: LineReason; now: Amounts; money: Money };

/** Units of a line were canceled. */
export const orderChanged = (changed: Changed, shop: EmailShop): Email =>
  orderEmail(
    {
      to: changed.order.email,
      subject: `A change to your Polara order ${numberOf(changed)}`,
      heading: "Your order has changed",
      words: [
        greet(changed, `we have taken ${changed.units} x ${changed.name} out of your order ${numberOf(changed)}.`),
        LINE_REASONS[changed.reason],
        changed.money.isPaid
          ? "Nothing was charged yet. When the rest ships, you are charged for the rest only."
          : "The rest of your order stays as it is.",
      ],
      sums: [
        ["Subtotal", formatMoney(changed.now.subtotalCents)],
        ["Shipping", changed.now.shippingCents === 0 ? "FREE" : formatMoney(changed.now.shippingCents)],
        ["Tax", formatMoney(changed.now.taxCents)],
        ["Total", formatMoney(changed.now.totalCents)],
      ],
      links: [seeOrder(changed)],
    },
    shop,
  );

export type Delayed = Told & { until: string; keepUrl: string; cancelUrl: string };

/** The customer keeps the order or cancels it; what is pressed in an email changes nothing yet. */
export const orderDelayed = (delayed: Delayed, shop: EmailShop): Email =>
  orderEmail(
    {
      to: delayed.order.email,
      subject: `Your Polara order ${numberOf(delayed)} ships later`,
      heading: "Keep it or cancel it?",
      words: [
        greet(
          delayed,
          `your order ${numberOf(delayed)} ships later than planned: by ${dayText(delayed.until)}. We are sorry.`,
        ),
        "You can keep it, or cancel it free of charge at any time before it ships. Nothing is charged until then.",
      ],
      links: [
        { label: "Keep my order", href: delayed.keepUrl },
        { label: "Cancel my order", href: delayed.cancelUrl, isButton: true },
      ],
    },
    shop,
  );

export type Ended = Told & { money: Money };

export const orderCanceled = (ended: Ended, shop: EmailShop): Email =>
  orderEmail(
    {
      to: ended.order.email,
      subject: `Your Polara order ${numberOf(ended)} is canceled`,
      heading: "Your order is canceled",
      words: [
        greet(ended, `your order ${numberOf(ended)} is canceled, and nothing of it will ship.`),
        endedText(ended.money),
      ],
      links: [seeOrder(ended)],
      notes: ["You did not want this? Reply to this mail."],
    },
    shop,
  );

export type Declined = Ended & { reason: DeclineReason | null };

export const orderDeclined = (declined: Declined, shop: EmailShop): Email =>
  orderEmail(
    {
      to: declined.order.email,
      subject: `We cannot deliver your Polara order ${numberOf(declined)}`,
      heading: "We are sorry",
      words: [
        greet(declined, `we cannot deliver your order ${numberOf(declined)}, and have not accepted it.`),
        ...(declined.reason ? [DECLINE_REASONS[declined.reason]] : []),
        endedText(declined.money),
      ],
      links: [seeOrder(declined)],
    },
    shop,
  );
