export const INTENTS = [
  "profile",
  "email",
  "password",
  "set-password",
  "factor-start",
  "factor-verify",
  "factor-remove",
  "factor-codes",
  "sign-out-one",
  "sign-out-others",
  "letters",
  "leave-waitlist",
  "privacy-request",
  "delete",
] as const;
export type Intent = (typeof INTENTS)[number];

export type Enrollment = { uri: string; secret: string; qr: string };

export type FactorData = { enrollment?: Enrollment; backupCodes?: string[] };

export const TEAM_FACTOR =
  "The team needs two-step sign-in. For a new phone, an owner resets it in the back office, under Staff.";

export const TABS = [
  { id: "dashboard", label: "Dashboard" },
  { id: "orders", label: "Orders" },
  { id: "wishlist", label: "Wishlist" },
  { id: "settings", label: "Settings" },
] as const;
export type TabId = (typeof TABS)[number]["id"];

/** The dashboard has no query, so it has one address. */
export const tabPath = (id: TabId) => (id === "dashboard" ? "/account" : `/account?tab=${id}`);
