import { describe, expect, it } from "vitest";
import { z } from "zod";
import { waitlistSchema } from "./waitlist-entry.ts";
import { emailProblem } from "../email-address.ts";
import { COUNTDOWN_SECONDS, phoneCharacters } from "./waitlist-form.ts";

const long = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

describe("the email", () => {
  it.each([
    ["", "Email is required"],
    ["   ", "Email is required"],
    ["ada", "Please enter a valid email address"],
    ["ada@", "Please enter a valid email address"],
    ["ada@example", "Please enter a valid email address"],
    ["ada lovelace@example.com", "Please enter a valid email address"],
    ["ada@example.com\u0000", "Please enter a valid email address"],
    [long(256), "Email must be less than 255 characters"],
    [long(255), null],
    ["  ada@example.com ", null],
    ["Ada+Bowl@Example.co.uk", null],
  ])("%j: %j", (typed, problem) => {
    expect(emailProblem(typed)).toBe(problem);
  });

  it.each([
    "ada@example.com",
    "a.b.c@example.com",
    "a..b@example.com",
    ".a@example.com",
    "o'neil@example.com",
    "ada.@example.com",
    "ada@exa_mple.com",
    "ada@-example.com",
    "ada@example.c",
    "ada@localhost",
    '"ada"@example.com',
    "ada@@example.com",
  ])("is judged as the other forms judge it: %s", (email) => {
    expect(emailProblem(email) === null).toBe(z.email().safeParse(email).success);
  });
});

describe("the phone", () => {
  it.each([
    ["+1 (212) 555-0100", "+1 (212) 555-0100"],
    ["call 212.555", " 212555"],
    ["\t٣½#*", ""],
  ])("%j keeps %j", (typed, kept) => {
    expect(phoneCharacters(typed)).toBe(kept);
  });
});

describe("what the server reads", () => {
  const read = (form: Record<string, unknown>) => waitlistSchema.safeParse(form);

  it("trims, lowers the email, and takes nothing for what is not there", () => {
    expect(read({ email: "  Ada@Example.com " }).data).toEqual({
      email: "ada@example.com",
      phone: null,
      utmSource: null,
      utmCampaign: null,
    });
    expect(
      read({ email: "ada@example.com", phone: " 212 555x0100 ", utm_source: " mail ", utm_campaign: "spring" }).data,
    ).toEqual({ email: "ada@example.com", phone: "212 5550100", utmSource: "mail", utmCampaign: "spring" });
  });

  it("never refuses anybody for the campaign that brought them", () => {
    const read255 = read({ email: "ada@example.com", utm_source: "\u0000\u0007", utm_campaign: "x".repeat(5000) });
    expect(read255.data).toMatchObject({ utmSource: null, utmCampaign: "x".repeat(200) });
  });

  it.each([
    [{}, "email", "Email is required"],
    [{ email: 7 }, "email", "Email is required"],
    [{ email: "ada" }, "email", "Please enter a valid email address"],
    [{ email: long(256) }, "email", "Email must be less than 255 characters"],
    [{ email: "ada@example.com", phone: "1".repeat(31) }, "phone", "Phone must be at most 30 characters"],
  ])("refuses %j", (form, field, message) => {
    expect(read(form).error?.issues).toMatchObject([{ path: [field], message }]);
  });
});

it("counts from 4:21:18", () => {
  expect(COUNTDOWN_SECONDS).toBe(15_678);
});
