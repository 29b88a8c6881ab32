import { expect, it } from "vitest";
import { type TextVersion, withPreview } from "#shop/content/published.server.ts";
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
  expect(text).toBe("Within 30 days you may [write](https://shop.example/support).\n\nThanks for your order");
  expect(html).toMatch(
    /<h1>Thanks<\/h1><div[^>]*><p>Within 30 days you may <a href="https:\/\/shop\.example\/support">write<\/a>\.<\/p><\/div><p>It ships soon/,
  );
});

it("without opening lines only the subject changes, and other emails stay as they are", () => {
  expect(read(version("Ordered", ""))).toEqual({ ...email, subject: "Ordered" });
  expect(read(version("Ordered", "Hello"), "contact-receipt")).toEqual(email);
});
