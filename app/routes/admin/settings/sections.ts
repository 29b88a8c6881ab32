/** Sections of the settings, with their fields in the order of the screen. */
import { METHOD_NAMES, type MethodName, PAYMENT_METHODS } from "#shop/payments/payment-method.ts";
import type { Section, Settings } from "#shop/settings/settings.ts";
import type { Permission } from "#shop/staff/permissions.ts";
import { nexusWords } from "#shop/tax/nexus.ts";
import { US_STATES } from "#shop/us-states.ts";

type Field = { name: string; label: string; hint?: string | undefined; as?: "area" | "tick" };

type Shown = {
  title: string;
  /** To change it. */
  permission: Permission;
  note?: string;
  fields: Field[];
};

const method = (name: string, label: string): Field[] => [
  { name: `${name}Price`, label: `${label}, dollars` },
  { name: `${name}Min`, label: `${label}, business days from` },
  { name: `${name}Max`, label: `${label}, business days to` },
];

const box = (name: string, label: string): Field[] => [
  { name: `${name}Inches`, label: `${label}, inches` },
  { name: `${name}Ounces`, label: `${label}, empty (oz)` },
  { name: `${name}Holds`, label: `${label}, holds up to (oz)` },
];

const SINCE_DELIVERY = "Days from delivery";
const PROFILE = "Address of the profile, or empty";

function methodHint(name: MethodName): string | undefined {
  if (name === "card") return "With Apple Pay and Google Pay";
  return PAYMENT_METHODS[name].provider === "stripe" ? "Turn it on at Stripe too" : undefined;
}

export const SECTIONS: Record<Section, Shown> = {
  shipping: {
    title: "Shipping",
    permission: "settings:edit",
    fields: [
      ...method("standard", "Standard"),
      ...method("express", "Express"),
      ...method("overnight", "Overnight"),
      {
        name: "freeFrom",
        label: "Free from",
        hint: "Subtotal in dollars. From it every method is free, Express and Overnight too.",
      },
    ],
  },
  returns: {
    title: "Returns",
    permission: "settings:edit",
    fields: [
      { name: "returnDays", label: "Return window", hint: SINCE_DELIVERY },
      { name: "exchangeDays", label: "Exchange window", hint: SINCE_DELIVERY },
      { name: "defectReportDays", label: "Window for defects", hint: SINCE_DELIVERY },
    ],
  },
  contact: {
    title: "Hours and addresses",
    permission: "settings:owner",
    fields: [
      { name: "supportHours", label: "Support hours", hint: "On pages and in emails" },
      { name: "supportEmail", label: "Support email", hint: "For customers; receives the contact form" },
      { name: "ordersEmail", label: "Sender of emails", hint: "Your mail server must allow it" },
      { name: "returnAddress", label: "Return address", hint: "Where customers send returns", as: "area" },
      { name: "postalAddress", label: "Postal address", hint: "Your company’s, in every email", as: "area" },
    ],
  },
  payments: {
    title: "Ways to pay",
    permission: "settings:owner",
    fields: METHOD_NAMES.map((name) => ({
      name,
      label: PAYMENT_METHODS[name].name,
      hint: methodHint(name),
      as: "tick",
    })),
  },
  tax: {
    title: "Sales tax",
    permission: "settings:owner",
    note: "States in which you are registered, with Stripe too, which calculates the tax once TAX is set. To begin or to end on a later day, save the change with that day.",
    fields: Object.entries(US_STATES).flatMap(([name, label]) =>
      nexusWords(name) ? [{ name, label, as: "tick" }] : [],
    ),
  },
  parcels: {
    title: "Parcels",
    permission: "settings:owner",
    fields: [
      { name: "fromName", label: "Ships from, name" },
      { name: "fromLine1", label: "Street" },
      { name: "fromCity", label: "City" },
      { name: "fromState", label: "State" },
      { name: "fromPostalCode", label: "ZIP code" },
      { name: "fromPhone", label: "Phone" },
      ...box("mailer", "Padded mailer"),
      ...box("small", "Small box"),
      ...box("bowl", "Bowl box"),
      ...box("large", "Large box"),
    ],
  },
  social: {
    title: "Social profiles",
    permission: "settings:edit",
    fields: [
      { name: "instagram", label: "Instagram", hint: PROFILE },
      { name: "youtube", label: "YouTube", hint: PROFILE },
      { name: "pinterest", label: "Pinterest", hint: PROFILE },
    ],
  },
  limits: {
    title: "Limits",
    permission: "settings:owner",
    fields: [
      {
        name: "maxUnpaidOrders",
        label: "Unpaid orders of one network",
        hint: "That wait for payment at a time. A carrier may put a whole town behind one address.",
      },
    ],
  },
};

/** Names of settings that no field has. */
const NAMES: Partial<Record<keyof Settings["shipping"] | keyof Settings["parcels"], string>> = {
  freeFromCents: "Free from",
  standard: "Standard",
  express: "Express",
  overnight: "Overnight",
  shipFrom: "Ships from",
  mailer: "Padded mailer",
  small: "Small box",
  bowl: "Bowl box",
  large: "Large box",
};

export const settingName = (section: Section, name: string): string =>
  SECTIONS[section].fields.find((field) => field.name === name)?.label ?? NAMES[name as keyof typeof NAMES] ?? name;
