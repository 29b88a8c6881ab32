/** Checkout form, validated alike in the browser and on the server. */
import { z } from "#shop/zod.ts";
import { emailField, SHORT_EMAIL_WORDS } from "#shop/email-field.ts";
import { SHIPPING_METHODS } from "#shop/shipping/methods.ts";
import { lineOfText, requiredLine } from "#shop/text.ts";
import { US_STATE_CODES } from "#shop/us-states.ts";

const optional = (label: string, max: number) => lineOfText(label, max).optional();
const hasDigits = (count: number) => (text: string) => text.replace(/\D/g, "").length >= count;

export const contactSchema = z.object({
  email: emailField(SHORT_EMAIL_WORDS),
  phone: lineOfText("Phone number", 20, "Phone number must be at least 10 digits").refine(
    hasDigits(10),
    "Phone number must be at least 10 digits",
  ),
});

/** Address of a delivery. */
export const addressSchema = z.object({
  shippingFirstName: requiredLine("First name", 100, "First name is required"),
  shippingLastName: requiredLine("Last name", 100, "Last name is required"),
  shippingAddressLine1: requiredLine("Address", 200, "Address is required"),
  shippingAddressLine2: optional("Address line 2", 200),
  shippingCity: requiredLine("City", 100, "City is required"),
  shippingState: z.enum(US_STATE_CODES, { error: "State is required" }),
  shippingPostalCode: lineOfText("Postal code", 10, "Postal code must be at least 5 digits").refine(
    hasDigits(5),
    "Postal code must be at least 5 digits",
  ),
});

export const shippingSchema = z.object({
  ...addressSchema.shape,
  shippingCountry: z.literal("US", { error: "We ship within the United States" }).default("US"),
  shippingMethod: z.enum(SHIPPING_METHODS, { error: "Shipping method is required" }),
});

/** Fields are in the order of the page, so that the first error is the topmost one. */
export const checkoutSchema = z.object({
  ...contactSchema.shape,
  ...shippingSchema.shape,
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
});

export type CheckoutForm = z.output<typeof checkoutSchema>;

export const checkoutDefaults = {
  shippingCountry: "US",
  paymentProvider: "stripe",
  billingAddressSameAsShipping: true,
  saveInformation: false,
} satisfies Partial<CheckoutForm>;
