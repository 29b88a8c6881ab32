/** Every email of the shop: that it reads as it should, that somebody sends it, and that the operator knows of it. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emailSamples } from "#server/email-samples.ts";
import { ACCENT } from "./support/accent.ts";
import { emailShop } from "./support/outbox.ts";
import { brand } from "#shop/brand.ts";
import { emails } from "#shop/emails.server.ts";
import { emailMoments } from "#app/routes/admin/texts/email-list.ts";

const names = Object.keys(emails).toSorted();
const samples = Object.entries(emails).flatMap(([template, of]) =>
  Object.entries(of.samples(emailShop)).map(([sample, email]) => ({ template, sample, email })),
);

describe("each email", () => {
  it("has a sample", () => {
    expect([...new Set(samples.map(({ template }) => template))].toSorted()).toEqual(names);
  });

  it.each(samples)(
    "$template $sample: subject, HTML and text are complete, and the text has every link",
    ({ email: { to, subject, html, text } }) => {
      expect(to).toMatch(/^\S+@\S+$/);
      for (const part of [subject, html, text]) {
        expect(part.trim()).not.toBe("");
        expect(part).not.toMatch(/undefined|\bNaN\b|\[object|\$\{/);
      }
      expect(`${subject}\n${text}`).not.toMatch(ACCENT);
      expect(subject).not.toMatch(/\n/);
      expect(html).toMatch(/^<!doctype html><html [^>]*lang="en-US"/);
      expect(html).toContain(`alt="${brand.name}"`);
      expect(html).toContain('src="http://localhost:3000/images/mail-wordmark.png"');
      expect(html).toContain('href="mailto:support@polara.example"');
      expect(html).not.toMatch(/<script|rel="preload"/);
      for (const [picture] of html.matchAll(/<img[^>]*-mail\.jpg[^>]*>/g)) {
        expect(picture).toContain('height="72"');
        expect(picture).toContain('width="72"');
      }
      for (const [, link = ""] of html.matchAll(/href="(http[^"]*)"/g))
        expect(text).toContain(link.replaceAll("&amp;", "&"));
    },
  );

  it.each(samples.filter(({ email }) => email.html.includes("Qty ")))(
    "$template $sample: a price keeps its distance from a long name",
    ({ email: { html } }) => {
      const prices = [...html.matchAll(/Qty[\s\S]*?<td[^>]*style="([^"]*)"/g)].map(([, style = ""]) => style);
      expect(prices.length).toBeGreaterThan(0);
      for (const style of prices) expect(style).toContain("padding-left:12px");
    },
  );

  it("is on the page for developers", async () => {
    const page = await (await emailSamples(emailShop).request("/")).text();
    expect(page.split(`srcdoc="&lt;!doctype html&gt;`)).toHaveLength(samples.length + 1);
    for (const { email } of samples) expect(page).toContain(email.subject);
  });
});

it.each(["account-deleted", "data-deleted"] as const)(
  "%s is true of canceled orders that were paid, too",
  (template) => {
    const [email] = Object.values(emails[template].samples(emailShop));
    expect(email?.text).toContain("are canceled, and we refund anything you paid for them.");
  },
);

/** The templates that the shop's code and its triggers queue. */
const queued = [
  ...globSync("{app,platform,shop}/**/*.{ts,tsx}")
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\b(?:template|situation|queued): ([^,;}]+)/g)].flatMap(
        ([, value = ""]) => [...value.matchAll(/"([a-z-]+)"/g)].map(([, name]) => name),
      ),
    ),
  ...globSync("db/migrations/*.sql").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/'template',\s*'([a-z-]+)'/g)].map(([, name]) => name),
  ),
];

it("exactly the templates are queued", () => {
  expect([...new Set(queued)].toSorted()).toEqual(names);
});

it("the list of texts says of each email when it is sent", () => {
  expect(emailMoments.map(({ template }) => template).toSorted()).toEqual(names);
});

it("docs/operations.md lists the emails", () => {
  const [, list = ""] = readFileSync("docs/operations.md", "utf8").split("\n## Emails\n");
  const rows = [...(list.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(names);
});
