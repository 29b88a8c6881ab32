import { expect, it } from "vitest";
import { type TextVersion, withPreview } from "#shop/content/published.server.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { orderPlaceholders } from "#shop/orders/order-email.tsx";
import { reworded } from "./reworded.server.tsx";

const email = {
  to: "ada@example.com",
  subject: "Your Polara order 8f3a61c2",
  text: "Thanks for your order",
  html: "<!doctype html><h1>Thanks</h1><p>It ships soon.</p>",
};
const shop = { baseUrl: "https://shop.example" };
const version = (subject: string, markdown: string): TextVersion => ({
  key: "emails-order-confirmation",
  version: 1,
  markdown,
  fields: { subject },
  publishAt: null,
  effectiveOn: null,
  replaces: null,
  staffId: "8f3a61c2-5d7e-4b19-9c04-2e6ab1d3f750",
  createdAt: new Date("2026-11-26T12:00:00Z"),
});
const read = (text: TextVersion, template = "order-confirmation") =>
  withPreview(text, () => reworded(template, email, shop));

it("an email has the subject and the opening lines of the staff, with numbers, and whole addresses", () => {
  const { subject, text, html } = read(version("Hooray! {subject}", "Within {returnDays} you may [write](/support)."));
  expect(subject).toBe("Hooray! Your Polara order 8f3a61c2");
  const { returnDays } = policyWords();
  expect(text).toBe(`Within ${returnDays} you may [write](https://shop.example/support).\n\nThanks for your order`);
  expect(html).toMatch(
    /<h1>Thanks<\/h1><div[^>]*><p>Within \d+ days you may <a href="https:\/\/shop\.example\/support">write<\/a>\.<\/p><\/div><p>It ships soon/,
  );
});

it("an email's text has the lines and lists of its HTML", () => {
  const { text, html } = read(version("Hi", "- a\n  - b\n\nKind regards,\\\nThe team"));
  expect(text).toBe("- a\n  - b\n\nKind regards,\nThe team\n\nThanks for your order");
  expect(html).toContain("<p>Kind regards,<br/>The team</p>");
});

it("names of the email's order stand for its customer, whatever the customer typed", () => {
  const named = { ...email, placeholders: { firstName: "<b>[Ada](//x.example) {brand}", orderNumber: "8f3a61c2" } };
  const words = version("{firstName}, {subject}", "Hi **{firstName}**, see [{orderNumber}](/orders?n={orderNumber}).");
  const { subject, text, html } = withPreview(words, () => reworded("order-confirmation", named, shop));
  expect(subject).toBe("<b>[Ada](//x.example) {brand}, Your Polara order 8f3a61c2");
  expect(html).toContain(
    '<p>Hi <strong>&lt;b&gt;[Ada](//x.example) {brand}</strong>, see <a href="https://shop.example/orders?n=8f3a61c2">8f3a61c2</a>.</p>',
  );
  expect(text).toContain(
    "Hi **\\<b>\\[Ada\\](//x.example) {brand}**, see [8f3a61c2](https://shop.example/orders?n=8f3a61c2).",
  );
});

it.each([
  [true, "Ada", "Ada"],
  [true, " ", "there"],
  [false, "Ada", "there"],
])("an email whose address is the account's own (%s) to “%s” greets “%s”", (isOwnEmail, shippingFirstName, greeted) => {
  expect(orderPlaceholders({ isOwnEmail, shippingFirstName }, "8f3a61c2").firstName).toBe(greeted);
});

it("without opening lines only the subject changes, and other emails stay as they are", () => {
  expect(read(version("Ordered", ""))).toEqual({ ...email, subject: "Ordered" });
  expect(read(version("Ordered", "Hello"), "contact-receipt")).toEqual(email);
});
