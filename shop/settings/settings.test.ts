import { expect, it } from "vitest";
import { settingsForms } from "./settings-form.ts";
import { typedSettings } from "./typed-settings.ts";
import {
  changesOf,
  FIRST_SETTINGS,
  settingsOf,
  valuesBefore,
  valueText,
  type Section,
  type Version,
} from "./settings.ts";

const version = (
  id: number,
  effectiveOn: string,
  value: Version["value"],
  section: Section = "returns",
  createdAt = new Date("2026-11-26T15:00:00Z"),
): Version => ({ id, section, value, effectiveOn, createdAt, withdrawnAt: null });

const versions = [
  version(1, "2026-12-01", { returnDays: 14 }),
  version(2, "2026-11-26", { returnDays: 45, exchangeDays: 45 }),
  version(3, "2026-12-01", { exchangeDays: 20 }),
  version(4, "2026-11-28", { freeFromCents: 75_00 }, "shipping"),
];

it.each([
  ["2026-11-25", 30, 30, 100_00],
  ["2026-11-26", 45, 45, 100_00],
  ["2026-11-28", 45, 45, 75_00],
  ["2026-12-01", 14, 20, 75_00],
])("on %s the return window is %i, the exchange window %i and shipping free from %i", (day, ...expected) => {
  const { returns, shipping } = settingsOf(versions, day);
  expect([returns.returnDays, returns.exchangeDays, shipping.freeFromCents]).toEqual(expected);
  expect(returns.defectReportDays).toBe(FIRST_SETTINGS.returns.defectReportDays);
});

it("a later version of the same day counts, and none that was saved after the moment asked about", () => {
  const later = version(9, "2026-11-26", { returnDays: 60 }, "returns", new Date("2026-11-26T18:00:00Z"));
  const all = [later, ...versions];
  expect(settingsOf(all, "2026-11-26").returns.returnDays).toBe(60);
  expect(settingsOf(all, "2026-11-26", new Date("2026-11-26T17:00:00Z")).returns.returnDays).toBe(45);
});

it("a change of one part of a group leaves its others, of an older shape, too, and names both values", () => {
  const dearer = version(1, "2026-11-26", { standard: { priceCents: 6_00 } }, "shipping");
  const slower = version(2, "2026-11-26", { standard: { businessDays: { max: 9, min: 8 } } }, "shipping");
  const { standard } = FIRST_SETTINGS.shipping;
  expect(settingsOf([dearer, slower], "2026-11-26").shipping.standard).toEqual({
    ...standard,
    priceCents: 6_00,
    businessDays: { min: 8, max: 9 },
  });
  expect(changesOf(slower.value, valuesBefore(slower, [slower, dearer]))).toEqual([
    { name: "standard.businessDays", from: "5-7 business days", to: "8-9 business days" },
  ]);
  const whole = version(3, "2026-11-27", { standard: { ...standard, priceCents: 5_00 } }, "shipping");
  expect(changesOf(whole.value, valuesBefore(whole, [whole, dearer]))).toEqual([
    { name: "standard.priceCents", from: "$6", to: "$5" },
  ]);
});

it.each([
  ["freeFromCents", 75_00, "$75"],
  ["businessDays", { min: 5, max: 7 }, "5-7 business days"],
  ["returnDays", 1, "1 day"],
  ["returnAddress", ["Polara", "1 Dock Road"], "Polara, 1 Dock Road"],
  ["youtube", null, "None"],
  ["klarna", true, "On"],
  ["klarna", false, "Off"],
  ["inches", [10, 8, 6], "10 × 8 × 6 in"],
  ["holdsOunces", 45, "45 oz"],
])("%s reads %s", (name, value, text) => {
  expect(valueText(name, value)).toBe(text);
});

const typed = typedSettings(FIRST_SETTINGS);
const NO_METHOD = { standardOffered: "", expressOffered: "", overnightOffered: "" };
const day = { effectiveOn: "2026-11-26", lastDay: "", state: "0-0" };

it("the forms read what they show", () => {
  for (const section of ["shipping", "returns", "contact", "payments", "tax", "limits", "social", "parcels"] as const) {
    const read = settingsForms[section].parse({ ...typed[section], ...day });
    expect(read).toEqual({ ...day, value: FIRST_SETTINGS[section] });
  }
});

it.each([
  [NO_METHOD, "standardOffered", "Offer at least one method"],
  [
    { standardOffered: "", expressFree: "", overnightFree: "" },
    "expressFree",
    "Keep one offered method free: the store promises free shipping",
  ],
])("of the methods %j is refused beside %s", (change, name, message) => {
  const read = settingsForms.shipping.safeParse({ ...typed.shipping, ...day, ...change });
  expect(read.error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([[name, message]]);
});

it("fields that are checked together are, beside others that are wrong", () => {
  const change = { standardPrice: "free", standardMin: "9", expressMin: "1000", ...NO_METHOD };
  const read = settingsForms.shipping.safeParse({ ...typed.shipping, ...day, ...change });
  expect(read.error?.issues.map(({ path }) => path[0])).toEqual([
    "standardPrice",
    "expressMin",
    "standardMax",
    "standardOffered",
  ]);
});

it.each([
  ["shipping", "freeFrom", "free", "Enter dollars, from $1 to $99,999"],
  ["shipping", "freeFrom", "0", "Enter dollars, from $1 to $99,999"],
  ["shipping", "standardPrice", "-1", "Enter dollars, from $0 to $999"],
  ["shipping", "expressMin", "4", "“To” can’t be fewer days than “from”"],
  ["shipping", "expressName", "", "Enter a name"],
  ["shipping", "overnightMax", "1.5", "Enter whole days, from 1 to 60"],
  ["returns", "returnDays", "0", "Enter whole days, from 1 to 365"],
  ["returns", "returnDays", "1000000", "Enter whole days, from 1 to 365"],
  ["contact", "supportEmail", "nobody", "Please enter a valid email address"],
  ["contact", "postalAddress", "Polara", "Enter two to six lines"],
  ["contact", "supportHours", "", "Enter the hours"],
  [
    "payments",
    "card",
    "",
    "Card must stay on: orders that ship later are charged by a saved card, and other methods may refuse a buyer",
  ],
  ["limits", "maxUnpaidOrders", "0", "Enter a number from 1 to 10000"],
  ["social", "youtube", "javascript:alert(1)", "Enter an address that begins with https://, or leave it empty"],
  ["parcels", "bowlInches", "10 by 8", "Enter three sides in inches, such as 10 x 8 x 2"],
  ["parcels", "largeHolds", "2401", "Enter whole ounces, from 1 to 2400"],
  ["parcels", "fromState", "New York", "Enter a state, such as NY"],
  ["returns", "effectiveOn", "2026-02-30", "Enter a date, such as 2027-01-12"],
] as const)("%s: %s of %s is refused beside its field", (section, name, text, message) => {
  const read = settingsForms[section].safeParse({ ...typed[section], ...day, [name]: text });
  expect(read.error?.issues.map((issue) => issue.message)).toEqual([message]);
});
