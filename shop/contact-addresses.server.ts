/** Addresses of the shop, as its settings have them now. */
import { settings } from "./settings/settings.server.ts";

/** The address for customers, on pages and in emails. */
export const supportEmail = (): string => settings().contact.supportEmail;

/** The sender of emails, also on receipts. */
export const ordersEmail = (): string => settings().contact.ordersEmail;

/** Lines of the postal address to which customers send returns. */
export const returnAddress = (): string[] => settings().contact.returnAddress;
