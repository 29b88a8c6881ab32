/** Checkout form, validated alike in the browser and on the server. */
import { z } from "#shop/zod.ts";
import { emailField, SHORT_EMAIL_WORDS } from "#shop/email-field.ts";
import { SHIPPING_METHODS } from "#shop/shipping/methods.ts";
import { lineOfText, message, requiredLine } from "#shop/text.ts";
import { US_STATE_CODES } from "#shop/us-states.ts";
import { zipProblem } from "#shop/zip-states.ts";

const optional = (label: string, max: number) => lineOfText(label, max).optional();
const digitsIn = (text: unknown) => String(text).replace(/\D/g, "");

const PHONE_MAX = 20;
const SHORT_PHONE = "Phone number must be at least 10 digits";
const EXTENSION = /^(.*?)[\s,;]*(?:extension|ext\.?|x|#)\s*(\d+)$/i;

/** "(512) 555-0123 ext. 4455" as "(512) 555-0123 x4455", or "5125550123 x123456" if only that fits. */
function withShortExtension(typed: string): string {
  const [, number = "", extension] = EXTENSION.exec(typed.trim()) ?? [];
  if (typed.trim().length <= PHONE_MAX || !extension) return typed;
  const short = `${number} x${extension}`;
  return short.length <= PHONE_MAX ? short : `${digitsIn(number)} x${extension}`;
}

export const contactSchema = z.object({
  email: emailField(SHORT_EMAIL_WORDS),
  phone: z
    .string({ error: SHORT_PHONE })
    .overwrite(withShortExtension)
    .pipe(
      lineOfText("Phone number", PHONE_MAX, SHORT_PHONE).refine((text) => digitsIn(text).length >= 10, SHORT_PHONE),
    ),
});

/** Fits below the items of a packing slip. */
export const GIFT_MESSAGE_MAX = 300;

const ZIP_MAX = 10;
const SHORT_ZIP = "Postal code must be at least 5 digits";
/** Five digits, or nine: 10001, 10001-1234, 10001 1234 and 100011234. */
const ZIP = /^\d{5}(?:[- ]?\d{4})?$/;

type Typed = { shippingState: string; shippingPostalCode: string };

/** A form whose ZIP code must be in its state. Both are compared once each is right by itself, whatever else is wrong. */
export const zipInState = <Schema extends z.ZodObject>(schema: Schema): Schema => {
  const { shippingState, shippingPostalCode } = addressFields;
  const typed = z.object({ shippingState, shippingPostalCode });
  const problem = (value: unknown) => {
    const { shippingState: state, shippingPostalCode: zip } = value as Typed;
    return zipProblem(state, zip);
  };
  return schema.refine((value) => problem(value) === null, {
    path: ["shippingPostalCode"],
    when: ({ value }) => typed.safeParse(value).success,
    error: ({ input }) => problem(input) ?? undefined,
  });
};

const addressFields = {
  shippingFirstName: requiredLine("First name", 100, "First name is required"),
  shippingLastName: requiredLine("Last name", 100, "Last name is required"),
  shippingAddressLine1: requiredLine("Address", 200, "Address is required"),
  shippingAddressLine2: optional("Address line 2", 200),
  shippingCity: requiredLine("City", 100, "City is required"),
  shippingState: z.enum(US_STATE_CODES, { error: "State is required" }),
  shippingPostalCode: lineOfText("Postal code", ZIP_MAX, SHORT_ZIP).refine(
    (text) => text.length > ZIP_MAX || ZIP.test(text),
    {
      error: ({ input }) => (digitsIn(input).length < 5 ? SHORT_ZIP : "Enter a ZIP code, such as 10001 or 10001-1234"),
    },
  ),
};

/** Address of a delivery. */
export const addressSchema = zipInState(z.object(addressFields));

const shippingFields = {
  ...addressFields,
  shippingCountry: z.literal("US", { error: "We ship within the United States" }).default("US"),
  shippingMethod: z.enum(SHIPPING_METHODS, { error: "Shipping method is required" }),
};
export const shippingSchema = zipInState(z.object(shippingFields));

/** Fields are in the order of the page, so that the first error is the topmost one. */
export const checkoutSchema = zipInState(
  z.object({
    ...contactSchema.shape,
    ...shippingFields,
    giftMessage: message("Gift message", GIFT_MESSAGE_MAX, "Gift message is empty").optional(),
    /** Asked only where PayPal is offered beside Stripe. */
    paymentProvider: z.enum(["stripe", "paypal"], "Choose how to pay").optional(),
    // Browsers omit an unchecked box, so a missing value is unchecked; `checkoutDefaults` checks it first.
    billingAddressSameAsShipping: z.boolean().default(false),
    billingFirstName: optional("First name", 100),
    billingLastName: optional("Last name", 100),
    billingAddressLine1: optional("Address", 200),
    billingAddressLine2: optional("Address line 2", 200),
    billingCity: optional("City", 100),
    billingState: z.enum(US_STATE_CODES).optional(),
    billingPostalCode: optional("Postal code", 10),
    billingCountry: optional("Country", 2),
    saveInformation: z.boolean().default(false),
  }),
);

export type CheckoutForm = z.output<typeof checkoutSchema>;

export const checkoutDefaults = {
  shippingCountry: "US",
  paymentProvider: "stripe",
  billingAddressSameAsShipping: true,
  saveInformation: false,
} satisfies Partial<CheckoutForm>;
