/**
 * What each table knows of people: how it gets into the data file, what deleting an account does to it, and which
 * retention rule ends it. The test beside this file asks the code whether it is so, for every table there is.
 */
import type { RetentionRule } from "./retention.server.ts";

type Personal = {
  isPersonal: true;
  /** Where its rows stand in the data file, or why they do not. */
  exported: { as: string } | { not: string };
  /** Columns of text that are left out of the data file, and why. */
  withheld?: Record<string, string>;
  /** What becomes of a row with the account; of an anonymous one these columns of text stay. */
  erased: "deleted" | { keeps: string[] };
  /** The rule that ends a row where nobody deletes the account. */
  retention: RetentionRule;
};
type TableData = Personal | { isPersonal: false; why: string };

const SECRET = "a secret that proves who somebody is";

export const personalData: Record<string, TableData> = {
  users: { isPersonal: true, exported: { as: "account" }, erased: "deleted", retention: "accounts" },
  profiles: { isPersonal: true, exported: { as: "profile" }, erased: "deleted", retention: "accounts" },
  sessions: {
    isPersonal: true,
    exported: { as: "sessions" },
    withheld: { token: SECRET, aal: "how the shop judges the session, which says nothing of the person" },
    erased: "deleted",
    retention: "sessions",
  },
  accounts: {
    isPersonal: true,
    exported: { as: "account" },
    withheld: { access_token: SECRET, refresh_token: SECRET, id_token: SECRET, password: SECRET },
    erased: "deleted",
    retention: "accounts",
  },
  two_factors: {
    isPersonal: true,
    exported: { not: "that there is one stands in the account; the rest is secret" },
    erased: "deleted",
    retention: "accounts",
  },
  verifications: { isPersonal: true, exported: { not: SECRET }, erased: "deleted", retention: "verifications" },
  waitlist: { isPersonal: true, exported: { as: "waitlist" }, erased: "deleted", retention: "waitlist" },
  waitlist_invitations: {
    isPersonal: true,
    exported: { as: "waitlist" },
    withheld: { code_hash: SECRET },
    erased: "deleted",
    retention: "waitlist",
  },
  daily_counts: { isPersonal: false, why: "how often something was done on a day" },
  daily_orders: { isPersonal: false, why: "sums of days" },
  product_sales: { isPersonal: false, why: "sums of products" },
  wishlists: { isPersonal: true, exported: { as: "wishlist" }, erased: "deleted", retention: "accounts" },
  cart_items: { isPersonal: true, exported: { as: "cart" }, erased: "deleted", retention: "accounts" },
  orders: {
    isPersonal: true,
    exported: { as: "orders" },
    erased: {
      keeps: ["status", "payment_status", "shipping_city", "shipping_state", "shipping_country", "shipping_method"],
    },
    retention: "orders",
  },
  order_items: {
    isPersonal: true,
    exported: { as: "orders" },
    erased: { keeps: ["name"] },
    retention: "orders",
  },
  order_events: {
    isPersonal: true,
    exported: { as: "orders" },
    erased: { keeps: ["type", "from_status", "to_status", "actor", "data"] },
    retention: "orders",
  },
  order_notes: {
    isPersonal: true,
    exported: { as: "orders" },
    withheld: { kind: "how the shop sorts its notes" },
    erased: "deleted",
    retention: "orders",
  },
  payments: {
    isPersonal: true,
    exported: { as: "orders" },
    withheld: {
      url: "a page that has closed",
      reference: "how the provider calls it",
      intent_reference: "how the provider calls it",
      hold_key: "a keyed hash, until the order is paid",
    },
    erased: { keeps: ["provider", "reference", "intent_reference", "state", "problem"] },
    retention: "orders",
  },
  payment_actions: {
    isPersonal: false,
    why: "what the provider was asked to do with a payment; what came of it stands there",
  },
  payment_inbox: { isPersonal: false, why: "the provider's names of its own events" },
  shipments: {
    isPersonal: true,
    exported: { as: "orders" },
    erased: { keeps: ["carrier", "state"] },
    retention: "orders",
  },
  shipment_items: { isPersonal: false, why: "how many units of an order's lines a parcel holds" },
  contact_messages: { isPersonal: true, exported: { as: "messages" }, erased: "deleted", retention: "messages" },
  contact_replies: { isPersonal: true, exported: { as: "messages" }, erased: "deleted", retention: "messages" },
  saved_replies: { isPersonal: false, why: "texts of the shop, sent to anybody" },
  privacy_requests: {
    isPersonal: true,
    exported: { as: "requests" },
    withheld: { email_hash: "a keyed hash of the email" },
    erased: { keeps: ["kind", "law", "channel", "email_hash", "proof", "state"] },
    retention: "privacy requests",
  },
  staff: { isPersonal: true, exported: { as: "staff" }, erased: "deleted", retention: "accounts" },
  staff_sessions: {
    isPersonal: true,
    exported: { as: "staff" },
    withheld: { token_hash: SECRET },
    erased: "deleted",
    retention: "addresses of staff",
  },
  staff_invitations: {
    isPersonal: true,
    exported: { as: "staff" },
    withheld: { token_hash: SECRET },
    erased: "deleted",
    retention: "invitations of staff",
  },
  audit_log: {
    isPersonal: true,
    exported: { not: "the shop's record of what was done to it, which names who did it by their id" },
    erased: { keeps: ["role", "action", "subject", "before", "after", "request_id"] },
    retention: "addresses of the audit log",
  },
  mailbox_messages: {
    isPersonal: true,
    exported: { not: "a copy of what was mailed to them" },
    erased: "deleted",
    retention: "mailbox",
  },
  rate_limits: { isPersonal: false, why: "its keys are keyed hashes, which name nobody, and end within a day" },
  jwks: { isPersonal: false, why: "the shop's own keys" },
  colors: { isPersonal: false, why: "the catalog" },
  products: { isPersonal: false, why: "the catalog" },
  stock: { isPersonal: false, why: "units of the catalog" },
  stock_moves: { isPersonal: false, why: "units of the catalog, and who of the staff moved them" },
  sold_out: { isPersonal: false, why: "which products of the catalog have no units" },
  product_counts: { isPersonal: false, why: "counts of the catalog" },
  sold_out_counts: { isPersonal: false, why: "counts of the catalog" },
  sold_out_changes: { isPersonal: false, why: "that these counts have to be made anew" },
  search_documents: { isPersonal: false, why: "texts of the shop and its catalog" },
  search_words: { isPersonal: false, why: "words of those texts" },
};
