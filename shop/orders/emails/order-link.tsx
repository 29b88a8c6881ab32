/** The email with the link to an order, for whoever asked for it by number and email. */
import type { Email, EmailShop } from "../../mail/email.ts";
import { linkEmail } from "../../mail/link-email.tsx";
import type { FoundOrder } from "../find-order.server.ts";
import { orderUrl } from "../order-link.server.ts";
import { orderNumber } from "../order.ts";

export const orderLink = (order: FoundOrder, shop: EmailShop): Email =>
  linkEmail(
    order.email,
    {
      subject: `Your order ${orderNumber(order.id)}`,
      intro: "You asked for the link to your order. It shows where the order stands, with tracking and a receipt.",
      button: "See my order",
      link: orderUrl(order, shop),
      close:
        "Whoever has this link can see the order and cancel it, so keep this mail to yourself. You did not ask for it? Then ignore this mail.",
    },
    shop,
  );
