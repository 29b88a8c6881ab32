/** The emails about what is on its way, and what has arrived. */
import type { Email, EmailShop } from "../../mail/email.ts";
import { orderEmail } from "../../orders/emails/order-email.tsx";
import type { OrderItem } from "../../orders/orders.server.ts";
import { dayText, policyText } from "../../policy-text.ts";
import { SHIPPING_METHODS, type ShippingMethod } from "../../shipping/methods.ts";
import { lastReturnDay } from "../days.ts";
import { CARRIERS, trackingUrl, type CarrierCode } from "../shipment.ts";
import { chargedText, greet, numberOf, seeOrder, type Money, type Told } from "./told.ts";

export type Sent = Told & {
  shippingMethod: ShippingMethod;
  carrier: CarrierCode;
  /** Empty where the order was made anonymous. */
  trackingNumber: string;
  items: OrderItem[];
  hasMoreToCome: boolean;
  money: Money;
};

const underWay = ({ carrier, trackingNumber, shippingMethod }: Sent): string =>
  `${CARRIERS[carrier].name} tracking number: ${trackingNumber}. ${SHIPPING_METHODS[shippingMethod].name} takes ${SHIPPING_METHODS[shippingMethod].window}.`;

const track = ({ carrier, trackingNumber }: Sent) => ({
  label: "Track your package",
  href: trackingUrl(carrier, trackingNumber),
});

/** The first package of an order has shipped, by which the shop accepts it. */
export const orderShipped = (sent: Sent, shop: EmailShop): Email =>
  orderEmail(
    {
      to: sent.order.email,
      subject: `Your Polara order ${numberOf(sent)} has shipped`,
      heading: "On its way",
      words: [
        greet(
          sent,
          `we have accepted your order ${numberOf(sent)}, and shipped ${sent.hasMoreToCome ? "a part of it" : "it"}.`,
        ),
        underWay(sent),
        ...(sent.hasMoreToCome ? ["The rest follows in another package."] : []),
        ...chargedText(sent.money),
      ],
      items: sent.items,
      links: [track(sent), seeOrder(sent)],
    },
    shop,
  );

export const parcelShipped = (sent: Sent, shop: EmailShop): Email =>
  orderEmail(
    {
      to: sent.order.email,
      subject: `Another package of your Polara order ${numberOf(sent)} has shipped`,
      heading: "Another package is on its way",
      words: [
        greet(sent, `we have shipped another package of your order ${numberOf(sent)}.`),
        underWay(sent),
        sent.hasMoreToCome ? "The rest follows in another package." : "With it, your order is complete.",
      ],
      items: sent.items,
      links: [track(sent), seeOrder(sent)],
    },
    shop,
  );

export type Delivered = Told & { deliveredAt: Date };

export const orderDelivered = (delivered: Delivered, shop: EmailShop): Email =>
  orderEmail(
    {
      to: delivered.order.email,
      subject: `Your Polara order ${numberOf(delivered)} was delivered`,
      heading: "Delivered",
      words: [
        greet(delivered, `your order ${numberOf(delivered)} was delivered. We hope you like it.`),
        `You can return it until ${dayText(lastReturnDay(delivered.deliveredAt))}. Ask us for a return authorization number first.`,
        `Register your product within ${policyText.registrationDays} of purchase, and a warranty claim goes faster: send us your name, your order number, and the model.`,
      ],
      links: [
        seeOrder(delivered),
        { label: "Register your product, or ask about a return", href: `${shop.baseUrl}/support` },
      ],
    },
    shop,
  );
