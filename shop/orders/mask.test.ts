import { expect, it } from "vitest";
import { maskAddress, maskEmail } from "./mask.ts";

it.each([
  ["ada@example.com", "a•••@example.com"],
  ["a@b.co", "a•••@b.co"],
  ["", "•••"],
  ["@example.com", "•••"],
])("the email %s is shown as %s", (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});

it("of a name its initials, of an address state and region", () => {
  const address = { shippingFirstName: "Ada", shippingLastName: "Lovelace", shippingState: "NY" };
  expect(maskAddress({ ...address, shippingPostalCode: "10001-1234" })).toEqual(["A••• L•••", "NY 100••"]);
  expect(maskAddress({ ...address, shippingPostalCode: "call me" })).toEqual(["A••• L•••", "NY"]);
});

it("of an order without a person nothing is left but the state", () => {
  const gone = { shippingFirstName: "", shippingLastName: "", shippingState: "NY", shippingPostalCode: "" };
  expect(maskAddress(gone)).toEqual(["NY"]);
});
