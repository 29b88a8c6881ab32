/** Every message of the error catalog is asserted somewhere, in its exact words. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const catalog = [
  "Please verify your email address before signing in. Check your inbox for the verification link.",
  "Login failed",
  "Signup failed",
  "Error",
  "No user email found",
  "Failed to resend verification email",
  "Email sent!",
  "Please check your inbox for the verification link.",
  "Already registered!",
  "This email is already on our waitlist. Check your inbox for the verification link.",
  "Something went wrong",
  "Please try again later.",
  "Failed to create user account",
  "You must be logged in to add items to wishlist",
  "You must be logged in",
  "Added to wishlist",
  "Product has been added to your wishlist.",
  "Removed from wishlist",
  "Product has been removed from your wishlist.",
  "Added to cart",
  "Product has been added to your cart",
  "Removed from cart",
  "Item has been removed from your cart",
  "Failed to add item to cart",
  "Failed to update quantity",
  "Failed to remove item",
  "Product Not Found",
  "Sorry, we couldn't find the product you're looking for.",
  "Return to Shop",
  "You must be logged in to update your profile",
  "Profile updated",
  "Your profile has been successfully updated.",
  "Email Verification Required",
  "You must verify your email address before placing orders. This ensures we can send you order confirmations and shipping updates.",
  "Please verify your email address to access your account.",
  "Email Verified!",
  "404Oops! Page not found",
  "Oops! Page not found",
];

const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;

/** The texts that stand in quotes in tests, also as a value in JSON, without what is only a comment. */
const quoted = new Set(
  globSync(["{app,platform,shop,server,db,tests}/**/*.test.{ts,tsx}"])
    .filter((file) => file !== "tests/messages.test.ts")
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .flatMap((line) =>
      [...line.matchAll(literal)].map((match) => (match[1] ?? match[2] ?? match[3] ?? "").replace(/^"(.*)"$/, "$1")),
    ),
);

it.each(catalog)("a test expects: %s", (message) => {
  expect(quoted).toContain(message);
});
