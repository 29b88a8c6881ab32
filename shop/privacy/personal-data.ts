/** Personal data by table: its section of the export, its erasure, its retention rule. A test checks every table. */
import type { RetentionRule } from "./retention.server.ts";

type Personal = {
  /** Section of the export file; without one, the reason. */
  section?: string;
  notExported?: string;
  /** Columns left out of the export, with the reason. */
  withheld?: Record<string, string>;
  /** Text columns left after erasure; without them the row is deleted. */
  remaining?: string[];
  /** JSON columns that are left after erasure without some of their values. */
  reduced?: Record<string, Record<string, string>>;
  /** Kept after erasure, as the privacy policy says, until its retention ends. */
  outlivesErasure?: true;
  retention: RetentionRule;
};

const SECRET = "a secret that proves who somebody is";
const PROVIDER = "the provider's name for it";
const OTHERS = "a member of the staff";
const INTERNAL = "how the shop works, which says nothing of the person";

export const personalData: Record<string, Personal> = {
  users: { section: "account", withheld: { nameWords: INTERNAL }, retention: "accounts" },
  profiles: { section: "profile", retention: "accounts" },
  sessions: { section: "sessions", withheld: { token: SECRET, aal: INTERNAL }, retention: "sessions" },
  accounts: {
    section: "account",
    withheld: { accessToken: SECRET, refreshToken: SECRET, idToken: SECRET, password: SECRET },
    retention: "accounts",
  },
  two_factors: { notExported: "the account says that there is one; the rest is secret", retention: "accounts" },
  verifications: { notExported: SECRET, retention: "verifications" },
  waitlist: { section: "waitlist", withheld: { codeHash: SECRET, batch: INTERNAL }, retention: "waitlist" },
  letter_recipients: { section: "letters", retention: "letters" },
  consents: { section: "consents", retention: "consents" },
  wishlists: { section: "wishlist", retention: "accounts" },
  cart_items: { section: "cart", retention: "accounts" },
  orders: {
    section: "orders",
    withheld: {
      checkoutKey: SECRET,
      sessionId: SECRET,
      taxReference: PROVIDER,
      nameWords: INTERNAL,
      discountId: INTERNAL,
    },
    remaining: [
      "stage",
      "payment_status",
      "tax_reference",
      "discount_name",
      "shipping_city",
      "shipping_state",
      "shipping_country",
      "shipping_method",
    ],
    retention: "names and addresses of orders",
  },
  order_items: { section: "orders", remaining: ["name"], retention: "names and addresses of orders" },
  order_events: {
    section: "orders",
    withheld: { staffId: OTHERS },
    remaining: ["type", "from_status", "to_status", "actor", "data"],
    retention: "names and addresses of orders",
  },
  order_notes: {
    section: "orders",
    withheld: { kind: INTERNAL, staffId: OTHERS },
    retention: "names and addresses of orders",
  },
  payments: {
    section: "orders",
    withheld: {
      url: "a page that has closed",
      reference: PROVIDER,
      intentReference: PROVIDER,
      holdLimits: "keyed hashes, until the order is paid",
      savedCustomer: PROVIDER,
      savedMethod: PROVIDER,
      savedPaymentId: INTERNAL,
      warnedAt: INTERNAL,
      refusedAt: "the refused charge is a payment of its own",
      remindedAt: INTERNAL,
    },
    // The jobs delete a saved card at the provider first, then its ids.
    remaining: [
      "kind",
      "provider",
      "reference",
      "intent_reference",
      "state",
      "arrangement",
      "dispute",
      "saved_customer",
      "saved_method",
      "problem",
    ],
    retention: "names and addresses of orders",
  },
  shipments: {
    section: "orders",
    withheld: { chargeId: INTERNAL, labelId: INTERNAL, trackedAt: INTERNAL, staffId: OTHERS },
    remaining: ["carrier", "state", "progress"],
    retention: "names and addresses of orders",
  },
  labels: {
    notExported: "the labels of shipments, which have the same tracking numbers",
    remaining: ["state", "box", "units", "unshipped", "rates", "rate", "problem"],
    retention: "names and addresses of orders",
  },
  returns: {
    section: "orders",
    withheld: { formKey: INTERNAL, staffId: OTHERS },
    remaining: ["number", "kind", "state", "reason", "label_by", "refuse_reason", "deduction_reason", "outcome"],
    retention: "names and addresses of orders",
  },
  return_photos: { notExported: "pictures, on the page of the order", retention: "names and addresses of orders" },
  tax_records: {
    section: "orders",
    withheld: {
      chargeId: INTERNAL,
      refundId: INTERNAL,
      attempt: INTERNAL,
      quote: PROVIDER,
      providerReference: PROVIDER,
      problem: INTERNAL,
    },
    remaining: ["kind", "parts", "state", "quote", "provider_reference", "problem"],
    // A sale is reported with its ZIP code when it is paid; the shop's own records of tax are by state.
    reduced: { address: { postalCode: "" } },
    retention: "names and addresses of orders",
  },
  customer_notes: { section: "notes", retention: "notes about customers" },
  contact_messages: {
    section: "messages",
    withheld: { assignedTo: OTHERS, statusBy: OTHERS, words: INTERNAL, warning: INTERNAL, claimedId: INTERNAL },
    retention: "messages",
  },
  contact_replies: { section: "messages", withheld: { staffId: OTHERS }, retention: "messages" },
  incoming_emails: { section: "messages", retention: "messages" },
  incoming_pictures: { notExported: "pictures that the person sent by email", retention: "messages" },
  notice_recipients: { section: "notices", outlivesErasure: true, retention: "notices" },
  // An opt-out of arbitration outlives erasure whole, as the privacy policy says.
  privacy_requests: {
    section: "requests",
    withheld: { emailHash: "a keyed hash of the email", staffId: OTHERS, registeredBy: OTHERS },
    remaining: ["kind", "law", "channel", "email_hash", "proof", "state"],
    retention: "texts of privacy requests",
  },
  staff: { section: "staff", withheld: { invitedBy: OTHERS }, retention: "accounts" },
  staff_sessions: { section: "staff", withheld: { tokenHash: SECRET }, retention: "addresses of staff" },
  staff_invitations: {
    section: "staff",
    withheld: { tokenHash: SECRET, invitedBy: OTHERS },
    retention: "invitations of staff",
  },
  audit_log: {
    notExported: "the shop's record of changes, which names the staff by their ids",
    remaining: ["role", "action", "subject", "before", "after", "request_id"],
    retention: "addresses of the audit log",
  },
  mailbox_messages: { notExported: "a copy of emails sent to them", retention: "mailbox" },
};

/** Tables without personal data, with the reason. */
export const notPersonal: Record<string, string> = {
  backups: "times of backups",
  health_alerts: "names of alerts",
  daily_counts: "counts of events by day",
  discounts: "codes and bundles of the shop",
  daily_orders: "sums of days",
  daily_sales_by_state: "sums of days",
  product_sales: "sums of products",
  order_differences: "orders whose books do not add up, and in which sums",
  payment_actions: "requests to the provider about a payment; their results are in payments",
  payment_inbox: "the provider's names of its own events",
  product_delays: "a delay of a product's orders until it is carried out, and who of the staff asked for it",
  charges: "requests for the money of an order; its payments say how it was paid",
  charge_items: "units and amounts of charges",
  waivers: "amounts that the shop bears of an order",
  refunds: "promises to give money back, with their reasons",
  refund_items: "units and amounts of refunds",
  delay_notices: "days of an order that were promised",
  order_units: "units of an order's lines, with their prices and taxes",
  return_units: "units of an order in a return",
  shipment_units: "units of an order in a parcel",
  letters: "texts of the shop; their recipients are in letter_recipients",
  notices: "texts of the shop; its recipients are in notice_recipients",
  texts: "texts of the shop, and who of the staff wrote them",
  saved_replies: "texts of the shop",
  rate_limits: "keyed hashes, which name nobody and end within a day",
  jwks: "the shop's own keys",
  colors: "the catalog",
  products: "the catalog",
  stock: "units of the catalog",
  stock_moves: "units of the catalog, and the staff who moved them",
  settings_versions: "settings of the shop, and the staff who changed them",
  search_documents: "texts of the shop and its catalog",
  search_words: "words of those texts",
};
