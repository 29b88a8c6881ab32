/** Email addresses of the shop, set once at start from SUPPORT_EMAIL and ORDERS_EMAIL. */
import { singleton } from "./singleton.ts";

type ContactAddresses = { supportEmail: string; ordersEmail: string };

export const DEFAULT_ADDRESSES: ContactAddresses = {
  supportEmail: "support@polara.example",
  ordersEmail: "orders@polara.example",
};

const provided = singleton("contact addresses", () => ({ ...DEFAULT_ADDRESSES }));

export function setContactAddresses({ supportEmail, ordersEmail }: ContactAddresses): void {
  Object.assign(provided, { supportEmail, ordersEmail });
}

/** The address for customers, on pages and in emails. */
export const supportEmail = (): string => provided.supportEmail;

/** The sender of emails, also on receipts and packing slips. */
export const ordersEmail = (): string => provided.ordersEmail;
