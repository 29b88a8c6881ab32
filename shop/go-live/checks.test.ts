import { describe, expect, it } from "vitest";
import { findings, placeOf, type Facts } from "./checks.ts";

const NOW = new Date("2026-12-01T12:00:00Z");
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);

const READY: Facts = {
  baseUrl: "https://shop.example",
  isPublic: true,
  payments: "live",
  payBy: "credit and debit cards",
  lacksPayPal: false,
  hasSmtp: true,
  google: "google",
  hasTax: true,
  taxStates: ["Texas"],
  hasCarriers: true,
  supportEmail: "help@bowls.com",
  ordersEmail: "orders@bowls.com",
  returnAddress: ["Bowls", "1 Dock Road", "Austin, TX 78701"],
  isSampleAddress: false,
  hasOwnLegalTexts: true,
  webhookAt: hoursAgo(2),
  backupAt: hoursAgo(1),
  owners: 2,
};

const look = (change: Partial<Facts>) => findings({ ...READY, ...change }, NOW);

it("a shop that is ready misses nothing", () => {
  expect(look({}).filter(({ isDone }) => !isDone)).toEqual([]);
  expect(look({}).map(({ key }) => key)).toEqual(
    "address payments webhook mail google tax returns texts backup owner".split(" "),
  );
});

describe("is missing", () => {
  it.each<[string, Partial<Facts>, string]>([
    [
      "address",
      { isPublic: false, baseUrl: "http://localhost:3000" },
      "http://localhost:3000 is this machine only. Give the shop its own https:// address: set BASE_URL",
    ],
    [
      "payments",
      { payments: "none" },
      "Orders are placed without payment. Connect your Stripe account: set PAYMENTS=stripe",
    ],
    ["payments", { payments: "sandbox" }, "The sandbox takes test cards only."],
    ["payments", { payments: "test" }, "Stripe’s test mode takes test cards only."],
    ["payments", { lacksPayPal: true }, "not connected. Set PAYPAL_CLIENT_ID and PAYPAL_SECRET"],
    ["webhook", { webhookAt: null }, "https://shop.example/payments/stripe/events"],
    ["mail", { hasSmtp: false }, "Connect your mail server: set SMTP_URL"],
    ["mail", { supportEmail: "support@polara.example" }, "support@polara.example is a sample"],
    ["mail", { ordersEmail: "orders@polara.example" }, "orders@polara.example is a sample"],
    ["tax", { taxStates: [] }, "No sales tax is collected."],
    [
      "tax",
      { hasTax: false, taxStates: ["Ohio", "Utah"] },
      "Ohio and Utah would be taxed, but Stripe Tax is not connected: set TAX=stripe.",
    ],
    ["returns", { isSampleAddress: true }, "Change it under Settings"],
    ["texts", { hasOwnLegalTexts: false }, "are samples"],
    ["backup", { backupAt: null }, "None is known."],
    ["backup", { backupAt: hoursAgo(26.1) }, "The last one is old:"],
    ["owner", { owners: 1 }, "If the only owner"],
  ])("%s with %j", (key, change, text) => {
    const missing = look(change).filter(({ isDone }) => !isDone);
    expect(missing.map((finding) => finding.key)).toEqual([key]);
    expect(missing[0]?.text).toContain(text);
  });
});

it.each<[Facts["google"], string, boolean]>([
  ["google", "Customers can continue with Google.", false],
  ["sandbox", "At a public address “Continue with Google” is left out. To offer it, set GOOGLE_CLIENT_ID", true],
  [null, "“Continue with Google” is left out. To offer it, set GOOGLE_CLIENT_ID", true],
])("Google sign-in is not missing, but named: %s", (google, text, isOptional) => {
  const found = look({ google }).find(({ key }) => key === "google");
  expect([found?.isDone, found?.isOptional ?? false]).toEqual([true, isOptional]);
  expect(found?.text).toContain(text);
});

it.each<[string, Partial<Facts>]>([
  ["two hours late is not old", { backupAt: hoursAgo(25.9) }],
  ["a state without sales tax", { taxStates: [], returnAddress: ["1 Dock Road", "Dover, DE 19901"] }],
])("is not missing: %s", (_what, change) => {
  expect(look(change).filter(({ isDone }) => !isDone)).toEqual([]);
});

it("the state of a sample address settles nothing", () => {
  const sample = look({ taxStates: [], isSampleAddress: true, returnAddress: ["Wilmington, DE 19801"] });
  expect(sample.find(({ key }) => key === "tax")?.isDone).toBe(false);
});

it("the sandbox of payments is not taken for Stripe", () => {
  const [webhook] = look({ payments: "sandbox", webhookAt: null }).filter(({ key }) => key === "webhook");
  expect(webhook?.text).toMatch(/^No test payment yet/);
});

it("a shop without payments is asked for no webhook", () => {
  expect(look({ payments: "none", webhookAt: null }).map(({ key }) => key)).not.toContain("webhook");
});

it.each<[string, Partial<Facts>, string[]]>([
  ["everything", {}, ["payments", "mail", "tax", "address"]],
  ["nothing but email", { payments: "none", hasTax: false, hasCarriers: false }, ["mail"]],
  ["no quote without a place", { returnAddress: ["somewhere"] }, ["payments", "mail", "address"]],
])("offers the tests of what is set up: %s", (_what, change, tests) => {
  expect(look(change).flatMap(({ test }) => test ?? [])).toEqual(tests);
});

it.each([
  [["1 Dock Road", "Austin, TX 78701"], { city: "Austin", state: "TX", postalCode: "78701" }],
  [["Salt Lake City, UT 84101-2207"], { city: "Salt Lake City", state: "UT", postalCode: "84101" }],
  [["Austin, Texas"], null],
  [[], null],
])("the place of %j", (lines, place) => {
  expect(placeOf(lines)).toEqual(place);
});
