import { parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, test } from "vitest";
import { US_STATE_CODES } from "#shop/us-states.ts";
import { checkoutSchema } from "./checkout-form.ts";

const filled = {
  email: "ada@example.com",
  phone: "(555) 123-4567",
  shippingFirstName: "Ada",
  shippingLastName: "Byron",
  shippingAddressLine1: "12 Orchard Street",
  shippingAddressLine2: "",
  shippingCity: "Portland",
  shippingState: "OR",
  shippingPostalCode: "97201",
  shippingCountry: "US",
  shippingMethod: "standard",
};

/** Browser form data: text only, without the omitted fields. */
function submit(changes: Record<string, string | undefined>) {
  const posted = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filled, ...changes })) {
    if (value !== undefined) posted.set(name, value);
  }
  const submission = parseWithZod(posted, { schema: checkoutSchema });
  return submission.status === "success"
    ? { value: submission.value, error: null }
    : { value: null, error: submission.error };
}

const email = "Invalid email address";
const phone = "Phone number must be at least 10 digits";
const postal = "Postal code must be at least 5 digits";

describe("refused with a message", () => {
  test.each<[field: string, value: string | undefined, message: string]>([
    ["email", undefined, email],
    ["email", "ada", email],
    ["email", `${"a".repeat(250)}@example.com`, "Email must be less than 255 characters"],
    ["phone", undefined, phone],
    ["phone", "555123456", phone],
    ["phone", "1".repeat(21), "Phone number must be at most 20 characters"],
    ["phone", "+1 (512) 555-0123 ext. 445566778", "Phone number must be at most 20 characters"],
    ["shippingFirstName", "   ", "First name is required"],
    ["shippingFirstName", "a".repeat(101), "First name must be at most 100 characters"],
    ["shippingFirstName", "A\u0000da", "First name contains a character that cannot be used"],
    ["shippingLastName", "", "Last name is required"],
    ["shippingAddressLine1", "", "Address is required"],
    ["shippingAddressLine1", "a".repeat(201), "Address must be at most 200 characters"],
    ["shippingAddressLine2", "a".repeat(201), "Address line 2 must be at most 200 characters"],
    ["shippingCity", "", "City is required"],
    ["shippingCity", "a".repeat(101), "City must be at most 100 characters"],
    ["shippingState", undefined, "State is required"],
    ["shippingState", "Oregon", "State is required"],
    ["shippingState", "DC", "State is required"],
    ["shippingPostalCode", "12207", "ZIP code 12207 is in New York. Please check the state or the ZIP code."],
    ["shippingPostalCode", "9720", postal],
    ["shippingPostalCode", "9720-", postal],
    ["shippingPostalCode", "97201-12345", "Postal code must be at most 10 characters"],
    ...["NY 100111", "787041", "9720112", "97201-12", "97201--123", "9720-11234", "o97201"].map(
      (typed): [string, string, string] => [
        "shippingPostalCode",
        typed,
        "Enter a ZIP code, such as 10001 or 10001-1234",
      ],
    ),
    ["shippingMethod", "pigeon", "Shipping method is required"],
    ["shippingCountry", "CA", "We ship within the United States"],
  ])("%s: %j", (field, value, message) => {
    expect(submit({ [field]: value }).error).toEqual({ [field]: [message] });
  });
});

describe("accepted", () => {
  test.each<[field: string, value: string | undefined, read: unknown]>([
    ["email", "  ada@example.com ", "ada@example.com"],
    [
      "email",
      `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example.com`.slice(-255),
      undefined,
    ],
    ["phone", "+1 (555) 123-4567", "+1 (555) 123-4567"],
    ["phone", "5551234567 ext. 4455", "5551234567 ext. 4455"],
    ["phone", " (512) 555-0123 ext. 4455", "(512) 555-0123 x4455"],
    ["phone", "(512) 555-0123, extension 4455", "(512) 555-0123 x4455"],
    ["phone", "+1 (512) 555-0123 x 4455", "15125550123 x4455"],
    ["phone", "(512) 555-0123 #44556677", "5125550123 x44556677"],
    ["shippingFirstName", "a".repeat(100), "a".repeat(100)],
    ["shippingLastName", "O’Brien-Núñez", "O’Brien-Núñez"],
    ["shippingAddressLine1", "a".repeat(200), "a".repeat(200)],
    ["shippingAddressLine2", "Apt 4", "Apt 4"],
    ["shippingPostalCode", "97201", "97201"],
    ["shippingPostalCode", "97201-1234", "97201-1234"],
    ["shippingPostalCode", "97201 1234", "97201 1234"],
    ["shippingPostalCode", " 972011234 ", "972011234"],
    ["shippingMethod", "overnight", "overnight"],
    ["shippingCountry", undefined, "US"],
    ["saveInformation", "on", true],
    ["saveInformation", undefined, false],
    ["billingAddressSameAsShipping", "on", true],
    ["billingAddressSameAsShipping", undefined, false],
  ])("%s: %j", (field, value, read) => {
    const { value: form, error } = submit({ [field]: value });
    expect(error).toBeNull();
    if (read !== undefined) expect(form).toMatchObject({ [field]: read });
  });

  test("accepts the 50 states", () => {
    expect(US_STATE_CODES).toHaveLength(50);
    for (const state of US_STATE_CODES) expect(submit({ shippingState: state }).error?.shippingState).toBeUndefined();
  });
});

test("an empty form names every required field, topmost first", () => {
  const nothing = Object.fromEntries(Object.keys(filled).map((name) => [name, undefined]));
  expect(submit(nothing).error).toEqual({
    email: [email],
    phone: [phone],
    shippingFirstName: ["First name is required"],
    shippingLastName: ["Last name is required"],
    shippingAddressLine1: ["Address is required"],
    shippingCity: ["City is required"],
    shippingState: ["State is required"],
    shippingPostalCode: [postal],
    shippingMethod: ["Shipping method is required"],
  });
});
