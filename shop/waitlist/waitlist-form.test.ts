import { describe, expect, it } from "vitest";
import { COUNTDOWN_SECONDS, phoneCharacters, waitlistSchema } from "./waitlist-form.ts";

describe("the phone", () => {
  it.each([
    ["+1 (212) 555-0100", "+1 (212) 555-0100"],
    ["call 212.555", " 212555"],
    ["\t٣½#*", ""],
  ])("%j is %j", (typed, kept) => {
    expect(phoneCharacters(typed)).toBe(kept);
  });
});

describe("the server's schema", () => {
  const read = (form: Record<string, unknown>) => waitlistSchema.safeParse(form);

  it("trims, lowercases the email, and reads missing fields as null", () => {
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

  it("never refuses a campaign", () => {
    const read255 = read({ email: "ada@example.com", utm_source: "\u0000\u0007", utm_campaign: "x".repeat(5000) });
    expect(read255.data).toMatchObject({ utmSource: null, utmCampaign: "x".repeat(200) });
  });

  it.each([
    [{}, "email", "Email is required"],
    [{ email: 7 }, "email", "Email is required"],
    [{ email: "ada@example.com", phone: "1".repeat(31) }, "phone", "Phone must be at most 30 characters"],
  ])("refuses %j", (form, field, message) => {
    expect(read(form).error?.issues).toMatchObject([{ path: [field], message }]);
  });
});

it("the countdown starts at 4:21:18", () => {
  expect(COUNTDOWN_SECONDS).toBe(15_678);
});
