/** Forms of the settings: what staff type in a section, and the day from which it counts. */
import { formatMoneyShort, readDollars } from "#shop/money.ts";
import { emailField } from "#shop/email-field.ts";
import { message, requiredLine } from "#shop/text.ts";
import { US_STATE_CODES, type StateCode } from "#shop/us-states.ts";
import { z } from "#shop/zod.ts";
import { lackOf, type Section, type Settings } from "./settings.ts";

const dollars = (min: number, max: number) => {
  const wrong = `Enter dollars, from ${formatMoneyShort(min)} to ${formatMoneyShort(max)}`;
  return z.string({ error: wrong }).transform((typed, context) => {
    const cents = readDollars(typed);
    if (cents !== null && cents >= min && cents <= max) return cents;
    context.addIssue({ code: "custom", message: wrong });
    return z.NEVER;
  });
};

const whole = (max: number, wrong: string) =>
  z
    .string({ error: wrong })
    .trim()
    .regex(/^\d+$/, wrong)
    .transform(Number)
    .refine((count) => count >= 1 && count <= max, wrong);
const days = (max: number) => whole(max, `Enter whole days, from 1 to ${max}`);

const day = z.iso.date("Enter a date, such as 2027-01-12");
/** `state` is what `listSettings` said of the section when the form was shown. */
const versioned = {
  effectiveOn: day,
  lastDay: day.or(z.literal("")).default(""),
  state: z.string({ error: "Reload" }),
};
type Versioned = z.infer<z.ZodObject<typeof versioned>>;

const change = <Value>({ effectiveOn, lastDay, state, ...value }: Versioned & Value) => ({
  effectiveOn,
  lastDay,
  state,
  value,
});

const tick = z
  .enum(["on", ""], "Reload")
  .optional()
  .transform((value) => value === "on");

const price = dollars(0, 999_00);
const transit = days(60);

export const METHODS = ["standard", "express", "overnight"] as const;
const methodName = requiredLine("The name", 40, "Enter a name");

const shipping = z
  .object({
    freeFrom: dollars(1_00, 99_999_00),
    standardName: methodName,
    standardPrice: price,
    standardMin: transit,
    standardMax: transit,
    standardOffered: tick,
    standardFree: tick,
    expressName: methodName,
    expressPrice: price,
    expressMin: transit,
    expressMax: transit,
    expressOffered: tick,
    expressFree: tick,
    overnightName: methodName,
    overnightPrice: price,
    overnightMin: transit,
    overnightMax: transit,
    overnightOffered: tick,
    overnightFree: tick,
    ...versioned,
  })
  .superRefine(
    (typed, context) => {
      const refuse = (name: keyof typeof typed, message: string) =>
        context.addIssue({ code: "custom", path: [name], message });
      const isRead = (name: keyof typeof typed) => context.issues.every(({ path }) => path?.[0] !== name);
      for (const method of METHODS)
        if (isRead(`${method}Min`) && typed[`${method}Min`] > typed[`${method}Max`])
          refuse(`${method}Max`, "“To” can’t be fewer days than “from”");
      const terms = METHODS.map((method) => ({
        method,
        isOffered: typed[`${method}Offered`],
        isFree: typed[`${method}Free`],
      }));
      const lack = lackOf(terms);
      if (lack === "offered") refuse("standardOffered", "Offer at least one method");
      if (lack === "free") {
        const { method } = terms.find(({ isOffered }) => isOffered)!;
        refuse(`${method}Free`, "Keep one offered method free: the store promises free shipping");
      }
    },
    { when: () => true },
  )
  .transform(({ effectiveOn, lastDay, state, freeFrom, ...typed }) => {
    const terms = (method: (typeof METHODS)[number]) => ({
      name: typed[`${method}Name`],
      isOffered: typed[`${method}Offered`],
      isFree: typed[`${method}Free`],
      priceCents: typed[`${method}Price`],
      businessDays: { min: typed[`${method}Min`], max: typed[`${method}Max`] },
    });
    const value: Settings["shipping"] = {
      freeFromCents: freeFrom,
      standard: terms("standard"),
      express: terms("express"),
      overnight: terms("overnight"),
    };
    return { effectiveOn, lastDay, state, value };
  });

const returns = z
  .object({ returnDays: days(365), exchangeDays: days(365), defectReportDays: days(365), ...versioned })
  .transform(change);

const address = (label: string) =>
  message(label, 300, `Enter ${label.toLowerCase()}`)
    .transform((text) => text.split("\n").flatMap((line) => line.trim() || []))
    .refine((lines) => lines.length >= 2 && lines.length <= 6, "Enter two to six lines");

const contact = z
  .object({
    supportHours: requiredLine("The hours", 60, "Enter the hours"),
    supportEmail: emailField().toLowerCase(),
    ordersEmail: emailField().toLowerCase(),
    returnAddress: address("The return address"),
    postalAddress: address("The postal address"),
    ...versioned,
  })
  .transform(change);

const payments = z
  .object({
    card: tick.refine(
      (isOn) => isOn,
      "Card must stay on: orders that ship later are charged by a saved card, and other methods may refuse a buyer",
    ),
    link: tick,
    klarna: tick,
    affirm: tick,
    amazon_pay: tick,
    cashapp: tick,
    paypal: tick,
    ...versioned,
  })
  .transform(change);

const tax = z
  .object({
    ...(Object.fromEntries(US_STATE_CODES.map((code) => [code, tick])) as Record<StateCode, typeof tick>),
    ...versioned,
  })
  .transform(change);

const limits = z
  .object({
    maxUnpaidOrders: whole(10_000, "Enter a number from 1 to 10000"),
    ...versioned,
  })
  .transform(change);

const WRONG_LINK = "Enter an address that begins with https://, or leave it empty";
const link = z
  .string()
  .trim()
  .max(200, WRONG_LINK)
  .default("")
  .refine(
    (url) => url === "" || z.url({ protocol: /^https$/, hostname: z.regexes.domain }).safeParse(url).success,
    WRONG_LINK,
  )
  .transform((url) => url || null);

const social = z.object({ instagram: link, youtube: link, pinterest: link, ...versioned }).transform(change);

export const BOXES = ["mailer", "small", "bowl", "large"] as const;
const WRONG_SIZE = "Enter three sides in inches, such as 10 x 8 x 2";
const inches = z
  .string({ error: WRONG_SIZE })
  .trim()
  .regex(/^\d{1,2}(?:\.\d)?(?:\s*[x×]\s*\d{1,2}(?:\.\d)?){2}$/i, WRONG_SIZE)
  .transform((sides) => sides.split(/[x×]/i).map(Number) as [number, number, number])
  .refine((sides) => sides.every((side) => side > 0), WRONG_SIZE);
const ounces = whole(2_400, "Enter whole ounces, from 1 to 2400");

const parcels = z
  .object({
    fromName: requiredLine("The name", 60, "Enter a name"),
    fromLine1: requiredLine("The street", 100, "Enter a street"),
    fromCity: requiredLine("The city", 60, "Enter a city"),
    fromState: z
      .string({ error: "Enter a state" })
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, "Enter a state, such as NY"),
    fromPostalCode: z
      .string({ error: "Enter a ZIP code" })
      .trim()
      .regex(/^\d{5}(-\d{4})?$/, "Enter a ZIP code, such as 12207"),
    fromPhone: requiredLine("The phone", 20, "Enter a phone number"),
    mailerInches: inches,
    mailerOunces: ounces,
    mailerHolds: ounces,
    smallInches: inches,
    smallOunces: ounces,
    smallHolds: ounces,
    bowlInches: inches,
    bowlOunces: ounces,
    bowlHolds: ounces,
    largeInches: inches,
    largeOunces: ounces,
    largeHolds: ounces,
    ...versioned,
  })
  .transform(({ effectiveOn, lastDay, state, ...typed }) => {
    const box = (name: (typeof BOXES)[number]) => ({
      inches: typed[`${name}Inches`],
      ounces: typed[`${name}Ounces`],
      holdsOunces: typed[`${name}Holds`],
    });
    const value: Settings["parcels"] = {
      shipFrom: {
        name: typed.fromName,
        line1: typed.fromLine1,
        city: typed.fromCity,
        state: typed.fromState,
        postalCode: typed.fromPostalCode,
        phone: typed.fromPhone,
      },
      mailer: box("mailer"),
      small: box("small"),
      bowl: box("bowl"),
      large: box("large"),
    };
    return { effectiveOn, lastDay, state, value };
  });

export const settingsForms = { shipping, returns, contact, payments, tax, limits, social, parcels } satisfies Record<
  Section,
  z.ZodPipe<z.ZodObject>
>;
