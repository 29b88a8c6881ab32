/** The merchant's settings by section. `policies.ts` has their first edition; versions change them from a day on. */
import { formatMoneyShort } from "#shop/money.ts";
import { contactPolicy, parcelPolicy, paymentPolicy, returnPolicy, shippingPolicy } from "#shop/policies.ts";
import { type Range, withUnit } from "#shop/units.ts";
import { US_STATE_CODES, type StateCode } from "#shop/us-states.ts";

export type MethodTerms = {
  name: string;
  /** Offered at checkout. At least one method is. */
  isOffered: boolean;
  /** Free from the free-shipping subtotal on. At least one offered method is. */
  isFree: boolean;
  /** Below the free-shipping subtotal. */
  priceCents: number;
  /** Transit. */
  businessDays: Range;
};

/** Lack of methods together: an offered one, or an offered one that is free; null for none. */
export function lackOf(methods: readonly Pick<MethodTerms, "isOffered" | "isFree">[]): "offered" | "free" | null {
  const offered = methods.filter(({ isOffered }) => isOffered);
  if (offered.length === 0) return "offered";
  return offered.some(({ isFree }) => isFree) ? null : "free";
}

export type ShippingSettings = {
  freeFromCents: number;
  standard: MethodTerms;
  express: MethodTerms;
  overnight: MethodTerms;
};

/** Days from delivery. An order keeps those of the time at which it was placed. */
export type ReturnSettings = { returnDays: number; exchangeDays: number; defectReportDays: number };

export type ContactSettings = {
  supportHours: string;
  supportEmail: string;
  ordersEmail: string;
  returnAddress: string[];
  postalAddress: string[];
};

/** Methods of payment that the shop offers, of those whose provider is set up; cards always. */
export type PaymentSettings = Record<keyof typeof paymentPolicy.methods, boolean>;

/** States in which the shop is registered, and collects sales tax. An order keeps those of the time at which it was placed. */
export type TaxSettings = Record<StateCode, boolean>;

/** Orders of one network that wait for payment at a time. */
export type LimitSettings = { maxUnpaidOrders: number };

/** Addresses of the profiles; null without one. */
export type SocialSettings = { instagram: string | null; youtube: string | null; pinterest: string | null };

/** Inner size, weight of the empty box with its padding, and weight of the contents for which it is suggested. */
type Box = { inches: [length: number, width: number, height: number]; ounces: number; holdsOunces: number };

export type ParcelSettings = {
  shipFrom: Record<"name" | "line1" | "city" | "state" | "postalCode" | "phone", string>;
} & Record<"mailer" | "small" | "bowl" | "large", Box>;

export type Settings = {
  shipping: ShippingSettings;
  returns: ReturnSettings;
  contact: ContactSettings;
  payments: PaymentSettings;
  tax: TaxSettings;
  limits: LimitSettings;
  social: SocialSettings;
  parcels: ParcelSettings;
};
export type Section = keyof Settings;

const { freeFromCents, standard, express, overnight } = shippingPolicy;
const { returnDays, exchangeDays, defectReportDays } = returnPolicy;

export const FIRST_SETTINGS: Settings = {
  shipping: { freeFromCents, standard, express, overnight },
  returns: { returnDays, exchangeDays, defectReportDays },
  contact: structuredClone(contactPolicy) as unknown as ContactSettings,
  payments: paymentPolicy.methods,
  tax: Object.fromEntries(US_STATE_CODES.map((state) => [state, false])) as TaxSettings,
  limits: { maxUnpaidOrders: paymentPolicy.maxUnpaidOrders },
  social: { instagram: null, youtube: null, pinterest: null },
  parcels: structuredClone(parcelPolicy) as unknown as ParcelSettings,
};

/** A change of a section from a day on, YYYY-MM-DD in New York: only the values that change. */
export type Version = {
  id: number;
  section: Section;
  value: Record<string, unknown>;
  effectiveOn: string;
  createdAt: Date;
  /** Taken back before its day. */
  withdrawnAt: Date | null;
};

/**
 * The settings of a day that the versions make, each over those with an earlier day, and over those of its day that were
 * saved before it. Withdrawn ones never count; with `until`, only those saved by then do.
 */
export function settingsOf(versions: readonly Version[], day: string, until?: Date): Settings {
  const counting = versions
    .filter(({ effectiveOn, createdAt, withdrawnAt }) => {
      return !withdrawnAt && effectiveOn <= day && (!until || createdAt <= until);
    })
    .toSorted((a, b) => a.effectiveOn.localeCompare(b.effectiveOn) || a.id - b.id);
  const settings = structuredClone(FIRST_SETTINGS);
  for (const { section, value } of counting) {
    // A newer process may know more sections.
    const own: Record<string, unknown> = settings[section] ?? {};
    for (const [name, to] of Object.entries(value)) own[name] = isGroup(to) ? { ...asGroup(own[name]), ...to } : to;
  }
  return settings;
}

type Group = Record<string, unknown>;

/** True for a value whose parts change one by one, such as a method of shipping; a range of days has none. */
export const isGroup = (value: unknown): value is Group =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("min" in value);
const asGroup = (value: unknown): Group => (isGroup(value) ? value : {});

/** The values of a section by name, and of a group by "name.part", in words. */
const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isGroup(value)
        ? Object.entries(value).map(([part, each]) => [`${name}.${part}`, valueText(part, each)])
        : [[name, valueText(name, value)]],
    ),
  );

export type SettingChange = { name: string; from: string; to: string };

/** Changes of a version in words, compared with `before`. */
export function changesOf(value: Version["value"], before: object): SettingChange[] {
  const was = textsOf(before);
  return Object.entries(textsOf(value))
    .map(([name, to]) => ({ name, from: was[name] ?? "None", to }))
    .filter(({ from, to }) => from !== to);
}

/** The values of its section on its day before a version counted. */
export const valuesBefore = ({ id, section, effectiveOn }: Version, versions: readonly Version[]): object =>
  settingsOf(
    versions.filter((version) => version.id < id),
    effectiveOn,
  )[section] ?? {};

/** A value of a setting for people: "$75", "30 days", "5-7 business days". */
export function valueText(name: string, value: unknown): string {
  if (Array.isArray(value)) return name === "inches" ? `${value.join(" × ")} in` : value.join(", ");
  if (typeof value === "object" && value !== null) return withUnit(value as Range, "business day");
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "On" : "Off";
  if (typeof value !== "number") return "None";
  if (name.endsWith("Cents")) return formatMoneyShort(value);
  if (/ounces$/i.test(name)) return `${value} oz`;
  return name.endsWith("Days") ? withUnit(value, "day") : String(value);
}
