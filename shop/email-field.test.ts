import { describe, expect, it } from "vitest";
import type { z } from "#shop/zod.ts";
import { forgotSchema, signInSchema, signUpSchema } from "#shop/accounts/account-forms.ts";
import { contactSchema as checkoutContactSchema } from "#shop/checkout/checkout-form.ts";
import { contactSchema } from "#shop/support/contact-form.ts";
import { waitlistSchema } from "#shop/waitlist/waitlist-form.ts";

const long = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

const GOOD = [
  "ada@example.com",
  "Ada+Bowl@Example.co.uk",
  "  ada@example.com ",
  "a.b.c@example.com",
  "o'neil@example.com",
  "_ada-@sub.example.museum",
  "ada@xn--bcher-kva.example",
  long(255),
];
const BAD = [
  "ada",
  "ada@",
  "@example.com",
  "ada@example",
  "ada@localhost",
  "ada@example.c",
  "ada@@example.com",
  "ada@-example.com",
  "ada@exa_mple.com",
  "ada.@example.com",
  ".ada@example.com",
  "a..b@example.com",
  "ada lovelace@example.com",
  '"ada"@example.com',
  "ada@[127.0.0.1]",
  "ada@example.com\u0000",
  "ada@example.com\r\nBcc: everyone@example.com",
  "\u0430da@example.com",
  "ada@b\u00fccher.example",
];

const judge = (schema: z.ZodType) => (email: string | undefined) => {
  const issues = schema.safeParse({ email }).error?.issues.filter(({ path }) => path[0] === "email") ?? [];
  expect(issues.length).toBeLessThan(2);
  return issues[0]?.message ?? null;
};
const SHORT_WORDS = { missing: "Invalid email address", invalid: "Invalid email address" };
const LONG_WORDS = { missing: "Email is required", invalid: "Please enter a valid email address" };
const FORMS = [
  { form: "sign in", judge: judge(signInSchema), words: SHORT_WORDS },
  { form: "sign up", judge: judge(signUpSchema), words: SHORT_WORDS },
  { form: "forgot", judge: judge(forgotSchema), words: SHORT_WORDS },
  { form: "checkout", judge: judge(checkoutContactSchema), words: SHORT_WORDS },
  { form: "support", judge: judge(contactSchema), words: LONG_WORDS },
  { form: "waitlist", judge: judge(waitlistSchema), words: LONG_WORDS },
];

describe.each(FORMS)("$form", ({ judge: says, words }) => {
  it.each(GOOD)("accepts %j", (email) => {
    expect(says(email)).toBeNull();
  });

  it.each(BAD)("refuses %j", (email) => {
    expect(says(email)).toBe(words.invalid);
  });

  it.each([undefined, "", "   "])("requires one: %j", (email) => {
    expect(says(email)).toBe(words.missing);
  });

  it("refuses more than 255 characters", () => {
    expect(says(long(255 + 1))).toBe("Email must be less than 255 characters");
  });
});
