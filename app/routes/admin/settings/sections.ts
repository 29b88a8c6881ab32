/** Sections of the settings, with their fields in the order of the screen. */
import { METHOD_NAMES, type MethodName, PAYMENT_METHODS } from "#shop/payments/payment-method.ts";
import { isGroup, valueText, type Section } from "#shop/settings/settings.ts";
import type { Permission } from "#shop/staff/permissions.ts";
import { nexusWords } from "#shop/tax/nexus.ts";
import { US_STATES } from "#shop/us-states.ts";

export type Field = {
  name: string;
  label: string;
  hint?: string | undefined;
  as?: "area" | "tick";
  /** Fields that belong together. */
  group?: string;
};

type Shown = {
  title: string;
  /** To change it. */
  permission: Permission;
  /** Effect of a change. */
  note?: string;
  /** It has promotions and planned changes. */
  hasDays?: true;
  /** Boxes of which few are ticked: those are listed below the title, the others are folded. */
  ticked?: { title: string; others: string };
  fields: Field[];
};

const method = (name: string, group: string): Field[] => [
  { group, name: `${name}Name`, label: "Name at checkout" },
  { group, name: `${name}Price`, label: "Price ($)" },
  { group, name: `${name}Min`, label: "Business days, from" },
  { group, name: `${name}Max`, label: "Business days, to" },
  { group, name: `${name}Offered`, label: "Offered at checkout", as: "tick" },
  { group, name: `${name}Free`, label: "Free on larger orders", as: "tick" },
];

const box = (name: string, group: string): Field[] => [
  { group, name: `${name}Inches`, label: "Inside (inches)" },
  { group, name: `${name}Ounces`, label: "Empty weight (oz)" },
  { group, name: `${name}Holds`, label: "Holds up to (oz)" },
];

const SHIPS_FROM = "Ships from";
const PROFILE = "Address of the profile, or empty";
const KEEPS = "For new orders: an order keeps what was promised when it was placed.";

function methodHint(name: MethodName): string | undefined {
  if (name === "card") return "With Apple Pay and Google Pay";
  return PAYMENT_METHODS[name].provider === "stripe" ? "Turn it on at Stripe too" : undefined;
}

export const SECTIONS: Record<Section, Shown> = {
  shipping: {
    title: "Shipping",
    hasDays: true,
    permission: "settings:edit",
    note: KEEPS,
    fields: [
      {
        name: "freeFrom",
        label: "Free at ($)",
        hint: "Subtotal, for the methods marked below",
      },
      ...method("standard", "Standard"),
      ...method("express", "Express"),
      ...method("overnight", "Overnight"),
    ],
  },
  returns: {
    title: "Returns",
    hasDays: true,
    permission: "settings:edit",
    note: `Days from delivery. ${KEEPS}`,
    fields: [
      { name: "returnDays", label: "Return window (days)" },
      { name: "exchangeDays", label: "Exchange window (days)" },
      { name: "defectReportDays", label: "To report a defect (days)" },
    ],
  },
  contact: {
    title: "Hours and addresses",
    permission: "settings:owner",
    note: "On pages and in emails, including those about earlier orders.",
    fields: [
      { name: "supportHours", label: "Support hours" },
      { name: "supportEmail", label: "Support email", hint: "For customers; receives the contact form" },
      { name: "ordersEmail", label: "Sender of emails", hint: "Your mail server must allow it" },
      { name: "returnAddress", label: "Return address", hint: "Where customers send returns", as: "area" },
      { name: "postalAddress", label: "Postal address", hint: "Your company’s, in every email", as: "area" },
    ],
  },
  payments: {
    title: "Ways to pay",
    hasDays: true,
    permission: "settings:owner",
    note: "Offered for new payments. Payments already started keep theirs.",
    fields: METHOD_NAMES.map((name) => ({
      name,
      label: PAYMENT_METHODS[name].name,
      hint: methodHint(name),
      as: "tick",
    })),
  },
  tax: {
    title: "Sales tax",
    hasDays: true,
    permission: "settings:owner",
    ticked: { title: "Registered in", others: "Add states" },
    note: "States where you are registered, with Stripe too, which calculates the tax once TAX is set. To start or stop on a later day, save the change with that day.",
    fields: Object.entries(US_STATES).flatMap(([name, label]) =>
      nexusWords(name) ? [{ name, label, as: "tick" }] : [],
    ),
  },
  parcels: {
    title: "Parcels",
    permission: "settings:owner",
    note: "For labels that you buy here: where they leave from, and the boxes to choose from.",
    fields: [
      { group: SHIPS_FROM, name: "fromName", label: "Name" },
      { group: SHIPS_FROM, name: "fromLine1", label: "Street" },
      { group: SHIPS_FROM, name: "fromCity", label: "City" },
      { group: SHIPS_FROM, name: "fromState", label: "State" },
      { group: SHIPS_FROM, name: "fromPostalCode", label: "ZIP code" },
      { group: SHIPS_FROM, name: "fromPhone", label: "Phone" },
      ...box("mailer", "Padded mailer"),
      ...box("small", "Small box"),
      ...box("bowl", "Bowl box"),
      ...box("large", "Large box"),
    ],
  },
  social: {
    title: "Social profiles",
    permission: "settings:edit",
    note: "Linked in the footer and in emails.",
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
        label: "Unpaid orders from one internet connection",
        hint: "How many may wait for payment at a time. Everyone on one phone network may share a connection.",
      },
    ],
  },
};

/** Names of settings and of their parts that no field has. */
const NAMES: Record<string, string> = {
  freeFromCents: "Free at",
  returnDays: "Return window",
  exchangeDays: "Exchange window",
  defectReportDays: "To report a defect",
  standard: "Standard",
  express: "Express",
  overnight: "Overnight",
  shipFrom: SHIPS_FROM,
  mailer: "Padded mailer",
  small: "Small box",
  bowl: "Bowl box",
  large: "Large box",
  isOffered: "offered",
  isFree: "free on larger orders",
  priceCents: "price",
  businessDays: "days",
  inches: "inside",
  ounces: "empty",
  holdsOunces: "holds up to",
  line1: "street",
  postalCode: "ZIP code",
};

/** The name of a setting, or of a part of one: "Return window", "Standard price". */
export const settingName = (section: Section, name: string): string =>
  name
    .split(".")
    .map((part) => NAMES[part] ?? SECTIONS[section].fields.find((field) => field.name === part)?.label ?? part)
    .join(" ");

/** The values of a section in a line; of boxes those that are checked. */
export const summaryOf = (section: Section, values: object): string =>
  Object.entries(values)
    .filter(([, value]) => value !== false && value !== null)
    .map(([name, value]) => {
      const label = isGroup(value) && typeof value.name === "string" ? value.name : settingName(section, name);
      return label + (value === true ? "" : ` ${summaryText(name, value)}`);
    })
    .join(" · ") || "None";

function summaryText(name: string, value: unknown): string {
  if (!isGroup(value)) return valueText(name, value);
  if (value.isOffered === false) return "off";
  const parts = Object.entries(value)
    .filter(([part, each]) => !/name|ounces/i.test(part) && typeof each !== "boolean")
    .map(([part, each]) => valueText(part, each));
  return [...parts, ...(value.isFree === true ? ["free on larger orders"] : [])].join(", ");
}
