/** What the forms of the account page ask for, and what they are told. */
export const INTENTS = [
  "profile",
  "password",
  "set-password",
  "factor-start",
  "factor-verify",
  "factor-remove",
  "factor-codes",
  "sign-out-one",
  "sign-out-others",
  "delete",
] as const;
export type Intent = (typeof INTENTS)[number];

/** A second factor on its way: what the authenticator app needs. */
export type Enrollment = { uri: string; secret: string; qr: string };

export type AccountActionResult = {
  intent: Intent;
  ok: boolean;
  /** What is said in a toast, or without JavaScript in the page. */
  title?: string;
  message?: string;
  /** What is said under a field. */
  errors?: Partial<Record<string, string>>;
  /** What was typed, for a form that comes back; never a password. */
  typed?: Record<string, string>;
  enrollment?: Enrollment;
  backupCodes?: string[];
};

export const TABS = [
  { id: "dashboard", label: "Dashboard" },
  { id: "orders", label: "Orders" },
  { id: "wishlist", label: "Wishlist" },
  { id: "settings", label: "Settings" },
] as const;
export type TabId = (typeof TABS)[number]["id"];

/** The tab an address asks for; nonsense asks for the dashboard. */
export function readTab(query: URLSearchParams): TabId {
  return TABS.find(({ id }) => id === query.get("tab"))?.id ?? "dashboard";
}

/** The dashboard's address has no query, so that there is one of it. */
export const tabPath = (id: TabId) => (id === "dashboard" ? "/account" : `/account?tab=${id}`);
