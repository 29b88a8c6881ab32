import { clock } from "#shop/clock.ts";
import { linkEmail } from "#shop/mail/email-layout.tsx";
import { emailTemplate, type Email, type EmailShop } from "#shop/mail/email.ts";
import { firstShipDay, isChargedAtShipping } from "#shop/catalog/stock.ts";
import { policyText } from "#shop/policy-text.ts";
import { savedCardName } from "#shop/card-name.ts";
import { formatMoney } from "#shop/money.ts";
import { newYorkWords } from "#shop/new-york-time.ts";
import { settingsAt } from "#shop/settings/settings.server.ts";
import { transitWords } from "#shop/shipping/methods.ts";
import { type StateCode, US_STATES } from "#shop/us-states.ts";
import { claimToken, findOrder, type FoundOrder, orderUrl } from "./order-link.server.ts";
import { orderEmail, orderPlaceholders } from "./order-email.tsx";
import { lineDay, lineWords, orderDays, type OrderDays } from "./order-days.ts";
import type { Amounts } from "#shop/cart/totals.ts";
import { addressLines, isUnpaid, orderNumber, termsPath } from "./order.ts";
import { getOrderForMail, type OrderForMail, type OrderItem } from "./orders.server.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "order-confirmation": { orderId: string };
    "order-to-pay": { orderId: string };
    /** No email is sent if there is no such order. */
    "order-link": { number: string; email: string };
  }
}

export type Destination = Pick<
  OrderForMail,
  | "isOwnEmail"
  | "createdAt"
  | "shippingMethod"
  | `shipping${"FirstName" | "LastName" | "AddressLine1" | "AddressLine2" | "City" | "State" | "PostalCode"}`
>;

type Confirmation = {
  order: Pick<
    OrderForMail,
    "id" | "email" | "termsVersion" | "wasAuthorized" | "paymentStatus" | "savedCard" | "shipBy" | "isMoved"
  > &
    Amounts &
    Destination & { items: readonly OrderItem[] };
  url: string;
  claimUrl: string | null;
  days: OrderDays;
};

/**
 * Amounts are those stored with the order. Names and address appear only if the email is the verified one of the
 * ordering account, since anybody can order with anybody's email.
 */
function orderConfirmation({ order, url, claimUrl, days }: Confirmation, shop: EmailShop): Email {
  const number = orderNumber(order.id);
  const now = clock.now();
  const first = firstShipDay(
    order.items.map((line) => ({ shipsFrom: lineDay(line, order.items, order) })),
    now,
  );
  const payment =
    order.totalCents === 0
      ? "There’s nothing to pay."
      : order.savedCard
        ? `You weren’t charged today. Your ${savedCardName(order.savedCard)} is saved, and we’ll charge it as each package ships${first ? `, starting ${first}` : ""}. We’ll email you ${policyText.chargeNoticeDays} before.`
        : order.wasAuthorized
          ? `We’ve authorized ${formatMoney(order.totalCents)} and will charge it only when we ship.`
          : order.paymentStatus === "captured"
            ? `We’ve received your payment of ${formatMoney(order.totalCents)}.`
            : "Payment will be available later, and your order ships once it’s paid. Nothing was charged today.";
  return orderEmail(
    {
      to: order.email,
      subject: `Your Polara order ${number}`,
      placeholders: orderPlaceholders(order, number),
      heading: order.isOwnEmail ? `Thanks, ${order.shippingFirstName}` : "Thanks for your order",
      words: [`We’ve got your order ${number}. ${daysText(days)}`, payment],
      items: order.items.map((item) => ({ ...item, note: lineWords(item, order.items, order, now) })),
      amounts: order,
      destination: destinationOf(order),
      links: [
        { label: "View your order", href: url },
        { label: "Cancel for free before it ships", href: `${url}&intent=cancel` },
        ...(claimUrl ? [{ label: "Add this order to your account", href: claimUrl }] : []),
        { label: "Terms for this order", href: `${shop.baseUrl}${termsPath(order)}` },
      ],
      notes: [
        ...(claimUrl
          ? [
              "Didn’t order this? Someone may have typed your email by mistake. Reply to this email and we’ll cancel it.",
            ]
          : []),
        "This email confirms that we received your order. We accept it when we ship it.",
      ],
    },
    shop,
  );
}

/** Asks for the payment of an order that is held until then. */
type ToPay = Omit<Confirmation, "claimUrl" | "days"> & { holdUntil: Date };

function orderToPay({ order, url, holdUntil }: ToPay, shop: EmailShop): Email {
  const number = orderNumber(order.id);
  const lines = order.items.map(({ shipsFrom = null }) => ({ shipsFrom }));
  const savesCard = isChargedAtShipping(lines, clock.now());
  return orderEmail(
    {
      to: order.email,
      subject: `Pay for your Polara order ${number}`,
      placeholders: orderPlaceholders(order, number),
      heading: "Your order is ready to pay",
      words: [
        `Your order ${number} is reserved for you until ${newYorkWords(holdUntil)} New York time. ${savesCard ? `Save your card by then. Nothing is charged today: we’ll charge ${formatMoney(order.totalCents)} as each package ships.` : `Pay ${formatMoney(order.totalCents)} by then and we’ll get it on its way.`}`,
      ],
      items: order.items.map((item) => ({ ...item, note: lineWords(item, order.items, order, clock.now()) })),
      amounts: order,
      destination: destinationOf(order),
      links: [
        { label: savesCard ? "View and save your card" : "View and pay", href: url },
        { label: "Terms for this order", href: `${shop.baseUrl}${termsPath(order)}` },
      ],
      notes: ["Didn’t ask for this order? Just ignore this email, and nothing is charged or sent."],
    },
    shop,
  );
}

/** Days of shipping and arrival, as on the order's page. */
const daysText = ({ ships, arrives }: OrderDays): string =>
  arrives
    ? `It ships ${ships.replace(/^./, (first) => first.toLowerCase())} and should arrive ${arrives}. We’ll email you when it’s on its way.`
    : "We’ll email you when it ships.";

/** Shipping method and destination. A state cannot carry a stranger's message. */
export function destinationOf(order: Destination): { heading: string; lines: string[] } {
  const { shipping } = settingsAt(order.createdAt);
  const method = `${shipping[order.shippingMethod].name} (${transitWords(shipping, order.shippingMethod)})`;
  return order.isOwnEmail
    ? { heading: `${method} to:`, lines: addressLines(order) }
    : { heading: `${method} to your address in ${US_STATES[order.shippingState as StateCode]}.`, lines: [] };
}

const orderLink = (order: FoundOrder, shop: EmailShop): Email => ({
  ...linkEmail(
    order.email,
    {
      subject: `Your order ${orderNumber(order.id)}`,
      intro: "Here’s the link to your order, with its status, tracking, and a receipt.",
      button: "View your order",
      link: orderUrl(order, shop),
      close:
        "Anyone with this link can see, change, and cancel the order, so keep this email to yourself. Didn’t ask for it? Just ignore this email.",
    },
    shop,
  ),
  placeholders: { orderNumber: orderNumber(order.id) },
});

export const sampleOrder: Confirmation["order"] = {
  id: "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750",
  email: "ada@example.com",
  isOwnEmail: false,
  termsVersion: "2025-01-01",
  createdAt: new Date("2026-11-20T15:00:00Z"),
  wasAuthorized: false,
  paymentStatus: "none",
  savedCard: null,
  shipBy: "2026-11-24",
  isMoved: false,
  subtotalCents: 147_00,
  discountCents: 0,
  discountName: null,
  shippingCents: 0,
  taxCents: 0,
  totalCents: 147_00,
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingAddressLine2: null,
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
  shippingMethod: "standard",
  items: [
    { name: "Polara Pro Earth Green", priceCents: 99_00, quantity: 1, thumbnail: "pro-earth-green-hero" },
    { name: "Ethylene Filter 2-Pack", priceCents: 24_00, quantity: 2, thumbnail: "filter-2-pack" },
  ],
};
const url = `http://localhost:3000/orders/${sampleOrder.id}?k=sample`;
const days = { ships: "By Nov 24", arrives: "Nov 30–Dec 2" };
const unpaidDays = { ships: "Once it’s paid", arrives: null };
const laterDay = "2099-01-12";
const laterOrder = {
  ...sampleOrder,
  shipBy: laterDay,
  items: sampleOrder.items.map((item) => ({ ...item, shipsFrom: laterDay })),
};
const laterDays = { ships: "On Jan 12, 2099", arrives: "Jan 20–22" };
const claimUrl = "http://localhost:3000/orders/claim?token=sample";

export const orderEmails = {
  "order-confirmation": emailTemplate({
    async load(db, { orderId }: { orderId: string }, { baseUrl, secret }): Promise<Confirmation | null> {
      const found = await getOrderForMail(db, orderId);
      // Orders of a deleted account have no address.
      if (!found?.email) return null;
      const claimUrl = found.userId ? null : `${baseUrl}/orders/claim?token=${claimToken(found, secret)}`;
      const days = orderDays(found, found.items, settingsAt(found.createdAt).shipping, clock.now());
      return { order: found, url: orderUrl(found, { baseUrl, secret }), claimUrl, days };
    },
    render: orderConfirmation,
    samples: {
      "of a customer": { order: { ...sampleOrder, isOwnEmail: true }, url, claimUrl: null, days: unpaidDays },
      "of a guest": { order: sampleOrder, url, claimUrl, days: unpaidDays },
      "of a pre-order": { order: laterOrder, url, claimUrl, days: unpaidDays },
      "of a pre-order, with payment": {
        order: { ...laterOrder, savedCard: { brand: "visa", lastFour: "4242" } },
        url,
        claimUrl,
        days: laterDays,
      },
      "at no charge": {
        order: { ...sampleOrder, subtotalCents: 0, shippingCents: 0, taxCents: 0, totalCents: 0 },
        url,
        claimUrl,
        days,
      },
      "with a code": {
        order: { ...sampleOrder, discountCents: 14_70, discountName: "SPRING10", totalCents: 132_30 },
        url,
        claimUrl,
        days,
      },
      "paid by check": { order: { ...sampleOrder, paymentStatus: "captured" }, url, claimUrl, days },
      "of a guest, with payment": { order: { ...sampleOrder, wasAuthorized: true }, url, claimUrl, days },
    },
  }),
  "order-to-pay": emailTemplate({
    async load(db, { orderId }: { orderId: string }, shop): Promise<ToPay | null> {
      const found = await getOrderForMail(db, orderId);
      // One that was paid or has ended meanwhile needs no link.
      if (!found?.email || !isUnpaid(found) || !found.holdUntil) return null;
      return { order: found, url: orderUrl(found, shop), holdUntil: found.holdUntil };
    },
    render: orderToPay,
    samples: {
      "of an order by phone": { order: sampleOrder, url, holdUntil: new Date("2026-11-23T15:00:00Z") },
      "of a pre-order": { order: laterOrder, url, holdUntil: new Date("2026-11-23T15:00:00Z") },
    },
  }),
  "order-link": emailTemplate({
    load: findOrder,
    render: orderLink,
    samples: { "of an order": { id: sampleOrder.id, email: sampleOrder.email, linkVersion: 1 } },
  }),
};
