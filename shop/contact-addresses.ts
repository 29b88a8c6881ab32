/** Addresses of the shop, set once at start from SUPPORT_EMAIL, ORDERS_EMAIL and RETURN_ADDRESS. */
import { singleton } from "./singleton.ts";

type ContactAddresses = { supportEmail: string; ordersEmail: string; returnAddress: string[] };

export const DEFAULT_ADDRESSES: ContactAddresses = {
  supportEmail: "support@polara.example",
  ordersEmail: "orders@polara.example",
  returnAddress: ["Polara Returns", "200 Harvest Lane", "Wilmington, DE 19801"],
};

const provided = singleton("contact addresses", () => ({ ...DEFAULT_ADDRESSES }));

export function setContactAddresses({ supportEmail, ordersEmail, returnAddress }: ContactAddresses): void {
  Object.assign(provided, { supportEmail, ordersEmail, returnAddress });
}

/** The address for customers, on pages and in emails. */
export const supportEmail = (): string => provided.supportEmail;

/** The sender of emails, also on receipts and packing slips. */
export const ordersEmail = (): string => provided.ordersEmail;

/** Lines of the postal address to which customers send returns. */
export const returnAddress = (): string[] => provided.returnAddress;
