import { describe, expect, it } from "vitest";
import { checkoutSchema } from "#shop/checkout/checkout-form.ts";
import { profileSchema, signUpSchema } from "#shop/accounts/account-forms.ts";
import { contactSchema } from "#shop/support/contact-form.ts";
import { lineOfText, message, seenIn } from "./text.ts";
import { waitlistSchema } from "#shop/waitlist/waitlist-form.ts";

const line = lineOfText("First name", 100);
const UNUSABLE = "First name contains a character that cannot be used";

const NAMES = [
  "Ada",
  "Zoë-Marie O’Brien",
  "Søren Ångström",
  "محمد عبد الله",
  "می\u200cخواهم",
  "אַבְרָהָם",
  "क्\u200dष",
  "അവന്\u200d",
  "সৌমিক",
  "นภา",
  "山田 太郎",
  "葛\u{e0100}城",
  "김철수",
  "👩\u200d👩\u200d👧 & 🏳\ufe0f\u200d🌈",
  "Nguyễn Thị Minh Khai",
  "e\u0301cole",
];

const HIDDEN = {
  NUL: "a\0b",
  "a line break": "a\nb",
  "a tab": "a\tb",
  escape: "a\u001b[31mb",
  "a control character of the upper half": "a\u0085b",
  "half a surrogate pair": "a\ud83db",
  "what stands for broken bytes": "a\ufffdb",
  "a noncharacter": "a\uffffb",
  "an override to the left": "a\u202eb",
  "an embedding": "a\u202ab\u202c!",
  "an isolate": "a\u2066b\u2069!",
  "a direction mark": "a\u200fb",
  "an Arabic letter mark": "a\u061cb",
  "a zero-width space": "a\u200bb",
  "a word joiner": "a\u2060b",
  "a byte order mark": "a\ufeffb",
  "a soft hyphen": "a\u00adb",
  "a line separator": "a\u2028b",
  "a paragraph separator": "a\u2029b",
  "an annotation": "a\ufff9b",
  "a tag": "a\u{e0041}b",
  "a filler that looks like nothing": "a\u3164b",
  "joiners of nothing": "\u200d\u200c",
  "a joiner after a space": "a \u200db",
};

describe("a line of text", () => {
  it.each(NAMES)("%s", (name) => {
    expect(line.parse(name)).toBe(name);
    expect(seenIn(name)).toBe(name);
  });

  it.each(Object.entries(HIDDEN))("has no %s", (_what, text) => {
    const read = line.safeParse(text);
    expect(read.error?.issues.map((issue) => issue.message)).toEqual([UNUSABLE]);
    expect(line.safeParse(seenIn(text)).success).toBe(true);
  });

  it.each([
    ["  Ada ", "Ada"],
    ["\u202a+1 212 555 0100\u202c", "+1 212 555 0100"],
    ["\ufeffAda\u200f\n", "Ada"],
    ["\u200e \u200e", ""],
    ["\u3164", ""],
  ])("%j is read as %j", (typed, read) => expect(line.parse(typed)).toBe(read));

  it("has a length", () => {
    expect(line.safeParse("a".repeat(100)).success).toBe(true);
    expect(line.safeParse("a".repeat(101)).error?.issues[0]?.message).toBe("First name must be at most 100 characters");
    expect(line.safeParse(undefined).error?.issues[0]?.message).toBe("First name is missing");
  });

  it("is parsed fast, also a hostile one", () => {
    const started = process.cpuUsage();
    for (const piece of ["\u200d", " ", "\u202e", "a\u202e", " \u200b", "\u0301"])
      for (const end of ["", "a"]) expect(line.safeParse(`a${piece.repeat(10_000)}${end}`).data).not.toBe("");
    // A quadratic pattern takes seconds.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});

describe("a message", () => {
  const text = message("Message", 5000, "Message is required");
  it.each([
    ["Hello,\r\n\tworld\r!", "Hello,\n\tworld\n!"],
    ["שלום\u200f! \u202eevil\u202c", "שלום! evil"],
    ["one\u2028two", "one\ntwo"],
    ["می\u200cخواهم 👩\u200d👧", "می\u200cخواهم 👩\u200d👧"],
    ["a\ud83d", "a"],
  ])("%j is read as %j", (typed, read) => expect(text.parse(typed)).toBe(read));

  it.each([
    ["a\0b", "Message contains a character that cannot be used"],
    ["a\u001bb", "Message contains a character that cannot be used"],
    [" \u200b\n", "Message is required"],
    [undefined, "Message is required"],
  ])("%j is refused: %s", (typed, words) =>
    expect(text.safeParse(typed).error?.issues.map((issue) => issue.message)).toEqual([words]),
  );
});

const LINES = [
  [checkoutSchema, "phone", "Phone number"],
  [checkoutSchema, "shippingFirstName", "First name"],
  [checkoutSchema, "shippingLastName", "Last name"],
  [checkoutSchema, "shippingAddressLine1", "Address"],
  [checkoutSchema, "shippingAddressLine2", "Address line 2"],
  [checkoutSchema, "shippingCity", "City"],
  [checkoutSchema, "shippingPostalCode", "Postal code"],
  [checkoutSchema, "billingCity", "City"],
  [signUpSchema, "firstName", "First name"],
  [signUpSchema, "lastName", "Last name"],
  [profileSchema, "firstName", "First name"],
  [profileSchema, "lastName", "Last name"],
  [profileSchema, "phone", "Phone"],
  [contactSchema, "name", "Name"],
] as const;

describe.each(LINES)("in %#", (schema, field, label) => {
  it.each(["1\u202e2345678", "1\u00002345678", "1\u20282345678", "1\u200b2345678", "1\ufffd2345678"])(
    `${field} refuses %j`,
    (text) => {
      const issues = schema.safeParse({ [field]: text }).error?.issues ?? [];
      expect(issues.find(({ path }) => path[0] === field)?.message).toBe(
        `${label} contains a character that cannot be used`,
      );
    },
  );

  it(`${field} is missing if it is invisible`, () => {
    const shown = (text: string) =>
      (schema.safeParse({ [field]: text }).error?.issues ?? []).find(({ path }) => path[0] === field)?.message;
    expect(shown("\u200b\u202e")).toBe(shown(""));
  });
});

it("a campaign is stored without invisible characters, and never ends in half a character", () => {
  const read = (utm_source: string) => waitlistSchema.parse({ email: "ada@example.com", utm_source }).utmSource;
  expect(read("spring\u202e\u200b\u0000 sale")).toBe("spring sale");
  expect(read("\u200d\u202e")).toBeNull();
  expect(read("a".repeat(199) + "😀")).toBe("a".repeat(199));
});
