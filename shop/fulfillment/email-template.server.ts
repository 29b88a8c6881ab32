/** Template and samples of the emails about an order. */
import type { Database } from "#db/connection.server.ts";
import { emailTemplate, type EmailShop } from "#shop/mail/email.ts";
import { orderEmail, type OrderEmail, orderPlaceholders } from "#shop/orders/order-email.tsx";
import { sampleOrder } from "#shop/orders/order-emails.server.ts";
import { orderNumber } from "#shop/orders/order.ts";
import { loadOrderMail, type OrderMail } from "./order-for-mail.server.ts";

export type OfOrder = { orderId: string };

/** `intro` follows the greeting and begins in lower case. The first link defaults to the order. */
type Content = Pick<OrderEmail, "subject" | "heading"> & Partial<OrderEmail> & { intro: string };

/** A template written from an order and `Extra`, which is the job itself unless `loadExtra` reads more. */
export const template = <Job extends OfOrder, Extra = Job>(
  content: (mail: OrderMail & Extra, number: string, shop: EmailShop) => Content,
  samples: Record<string, OrderMail & Extra>,
  loadExtra?: (db: Database, job: Job) => Promise<Extra | null>,
) =>
  emailTemplate<Job, OrderMail & Extra>({
    async load(db, job, shop) {
      const mail = await loadOrderMail(db, job.orderId, shop);
      const extra = loadExtra ? await loadExtra(db, job) : (job as unknown as Extra);
      return mail && extra && { ...mail, ...extra };
    },
    render(mail, shop) {
      const number = orderNumber(mail.orderId);
      const { intro, words = [], links = [viewOrder(mail)], ...more } = content(mail, number, shop);
      const placeholders = orderPlaceholders(mail, number);
      return orderEmail({ to: mail.email, words: [greet(mail, intro), ...words], links, placeholders, ...more }, shop);
    },
    samples,
  });

/** Customers are named only if the email is the account's own. */
const greet = ({ isOwnEmail, shippingFirstName }: OrderMail, intro: string): string =>
  isOwnEmail ? `Hi ${shippingFirstName}, ${intro}` : intro.charAt(0).toUpperCase() + intro.slice(1);

export const viewOrder = ({ url }: OrderMail) => ({ label: "View your order", href: url });

export const orderId = sampleOrder.id;
export const sample: OrderMail = {
  ...sampleOrder,
  orderId,
  status: "processing",
  isOwnEmail: true,
  createdAt: new Date("2026-02-20T15:00:00Z"),
  linkVersion: 1,
  declineReason: "sold-out",
  url: `http://localhost:3000/orders/${orderId}?k=sample`,
  lines: [{ id: "1", name: "Ethylene Filter 2-Pack" }],
  charged: {
    subtotalCents: 99_00,
    discountCents: 0,
    discountName: null,
    shippingCents: 0,
    taxCents: 0,
    totalCents: 99_00,
  },
  money: {
    hasPayment: false,
    paidCents: 0,
    toRefundCents: 0,
    refundedCents: 0,
    isToCharge: false,
    savedCard: null,
  },
};
export const card = { brand: "visa", lastFour: "4242", wallet: null };
export const authorized = { ...sample, money: { ...sample.money, hasPayment: true, isToCharge: true } };
export const charged = { ...authorized, money: { ...authorized.money, isToCharge: false, paidCents: 147_00 } };
