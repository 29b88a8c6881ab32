import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { MDXContent } from "mdx/types.js";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { brand } from "../brand.ts";
import { policy } from "../policies.ts";
import { POST_CATEGORIES } from "./front-matter.ts";
import { FRESHNESS_FACTOR, shelfLives } from "./shelf-life.ts";
import { findPost, legal, pages, posts } from "./texts.server.ts";

/** The bare HTML of a text: its own components become the elements they stand for. */
const html = (Content: MDXContent) =>
  renderToStaticMarkup(Content({ components: { Section: "section", Question: "details", FactTable: "table" } }));
const plain = (Content: MDXContent) =>
  html(Content)
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
const anchors = (Content: MDXContent) =>
  [...html(Content).matchAll(/<section id="([^"]+)" title="[^"]+"/g)].map(([, id]) => id);

const expected = {
  privacy:
    "information-collected legal-bases use third-parties cookies retention rights international-transfers security children dnt changes contact",
  terms:
    "acceptance definitions account products orders pricing shipping ip conduct use warranty liability indemnification arbitration governing force severability entire contact",
  warranty:
    "limited-warranty registration claim express implied return-policy refunds exchanges defective shipping cancellation international damage exclusions state-rights out-of-warranty consumables contact",
};

describe("legal texts", () => {
  it.each([
    ["privacy", 13],
    ["terms", 19],
    ["warranty", 18],
  ] as const)("%s has its %i sections in order", (name, count) => {
    const found = anchors(legal[name].Content);
    expect(found).toHaveLength(count);
    expect(found.join(" ")).toBe(expected[name]);
  });

  it("the third is called 'Warranty and Returns', and all take effect on January 1, 2025", () => {
    expect(legal.warranty.front.title).toBe("Warranty and Returns");
    expect(policy.effectiveDate).toBe("January 1, 2025");
  });

  it.each([
    ["terms", "subtotal of $100 or more"],
    ["terms", "Standard Shipping: 5-7 business days, $9.99"],
    ["terms", "Express Shipping: 2-3 business days, $19.99"],
    ["terms", "Overnight Shipping: 1 business day, $34.99"],
    ["terms", "Product concerned or $100, whichever is greater"],
    ["terms", "claims of up to $10,000"],
    ["terms", "within 30 days of your first purchase. Include your name, your address, and a clear statement"],
    ["terms", "State of Delaware"],
    ["terms", "New Castle County"],
    ["terms", "at least 18 years old"],
    ["terms", "children under 13"],
    ["terms", "credit and debit cards, PayPal, Apple Pay, and Google Pay"],
    ["terms", "at most 10 units"],
    ["warranty", "2 years from the date of the original purchase"],
    ["warranty", "gaskets have a warranty of 1 year"],
    ["warranty", "90 days, whichever is longer"],
    ["warranty", "register your product within 30 days"],
    ["warranty", "10-15 business days after we receive it"],
    ["warranty", "plus or minus 2 degrees Fahrenheit"],
    ["warranty", "120V AC 60Hz"],
    ["warranty", "designed to work for 6 months"],
    ["warranty", "together with the product or within 30 days of delivery"],
    ["warranty", "diagnostic fee is $35"],
    ["warranty", "within 30 days of delivery. There is no restocking fee"],
    ["warranty", "within 7 days of receiving it"],
    ["warranty", "within 5-7 business days after inspection"],
    ["warranty", "another 3-5 days"],
    ["warranty", "another color or model within 30 days of delivery"],
    ["warranty", "within 7 days of delivery, with photos"],
    ["warranty", "refund within 3-5 business days"],
    ["privacy", "polara_guest: a random identifier, signed by us, that keeps your cart for up to 1 year"],
    ["privacy", "On a secure connection the names begin with __Host-"],
    ["privacy", "a stranger's wrong passwords do not keep you out, for up to 1 year"],
    ["privacy", "keeps you signed in, for up to 30 days after your last visit"],
    ["privacy", "after 5 years without activity"],
    ["privacy", "Transaction records: 7 years"],
    ["privacy", "after 2 years without activity"],
    ["privacy", "messages: 3 years"],
    ["privacy", "within 30 days under the GDPR and within 45 days under the California Consumer Privacy Act"],
    ["privacy", "Our security log does record the IP address of sign-ins and sign-outs"],
    ["privacy", "it is deleted after at most 90 days"],
    ["privacy", "within 72 hours"],
    ["privacy", "Mon-Fri 9 AM-6 PM EST"],
  ] as const)("%s says: %s", (name, sentence) => {
    expect(plain(legal[name].Content).replaceAll(" :", ":").replaceAll(" .", ".")).toContain(sentence);
  });

  it("no amount, percentage or number of days stands in a legal file itself", () => {
    const folder = join(import.meta.dirname, "legal");
    for (const file of readdirSync(folder)) {
      const body = readFileSync(join(folder, file), "utf8").split("---").slice(2).join("---");
      // Rules of law, and titles, are not the shop's own numbers.
      const own = body
        .replace(/title="[^"]*"/g, "")
        .replaceAll("[30-day return policy]", "")
        .replaceAll("within 30 days when none is stated", "")
        .replaceAll("by more than 30 days", "")
        .replaceAll("within 60 days", "");
      expect([...own.matchAll(/\$\d[\d,.]*|\b\d+ ?(?:days?|hours?|years?|months?|%)/g)].map(String), file).toEqual([]);
    }
  });
});

describe("posts", () => {
  it("are one of each category, newest first", () => {
    expect(posts.map((post) => post.front.category).toSorted()).toEqual(POST_CATEGORIES.toSorted());
    const dates = posts.map((post) => post.front.date);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  it.each(posts.map((post) => [post.slug, post] as const))("%s has 600 to 900 words", (_slug, { Content }) => {
    const words = plain(Content).trim().split(" ").length;
    expect(words).toBeGreaterThanOrEqual(600);
    expect(words).toBeLessThanOrEqual(900);
  });

  it("each have a picture of their own", () => {
    expect(new Set(posts.map((post) => post.front.picture)).size).toBe(posts.length);
  });

  it("an unknown slug is the lead post", () => {
    expect(findPost("no-such-post")).toBe(posts[0]);
    expect(findPost(posts[1]?.slug ?? "")).toBe(posts[1]);
  });
});

describe("pages", () => {
  it("how it works in four steps", () => {
    expect(pages.howItWorks.front.steps.map((step) => step.title)).toEqual([
      "Smart cooling",
      "Humidity regulation",
      "Ethylene absorption",
      "3x longer freshness",
    ]);
  });

  it("the parts of the bowl, from top to bottom, with room for their numbers", () => {
    const { parts } = pages.howItWorks.front.inside;
    expect(parts.map(({ y }) => y)).toEqual(parts.map(({ y }) => y).toSorted((a, b) => a - b));
    for (const side of ["left", "right"]) {
      const heights = parts.filter((part) => part.side === side).map(({ y }) => y);
      // A number is 28 px in a picture of 320.
      for (const [i, y] of heights.slice(1).entries()) expect(y - (heights[i] ?? 0)).toBeGreaterThan(9);
    }
  });

  it("say the same of freshness as the chart draws", () => {
    expect(brand.tagline).toContain(`${FRESHNESS_FACTOR}x longer`);
    expect(pages.howItWorks.front.steps.at(-1)?.title).toBe(`${FRESHNESS_FACTOR}x longer freshness`);
    // "One week becomes three" is the longest bar.
    expect(shelfLives.at(-1)).toEqual({ produce: "Ripe tomatoes", counterDays: 7, bowlDays: 21 });
  });

  it("the science in three cards", () => {
    expect(pages.science.front.cards.map((card) => card.title)).toEqual([
      "Temperature control",
      "Ethylene filtration",
      "Humidity optimization",
    ]);
  });

  it("about with its three figures", () => {
    expect(pages.about.front.stats.map((stat) => stat.figure)).toEqual(["3x", "20K+", "45%"]);
  });

  it("support with three questions", () => {
    expect(html(pages.support.Content).match(/<details/g)).toHaveLength(3);
  });

  it("the numbers in the heads of files are the shop's own", () => {
    const heads = JSON.stringify([pages, legal], (key, value: unknown) => (key === "Content" ? undefined : value));
    expect(heads).toContain(`±${policy.temperatureToleranceF}°F`);
    const said = (pattern: RegExp) => [...heads.matchAll(pattern)].map(([, number]) => Number(number));
    expect(new Set(said(/(\d+) months/g))).toEqual(new Set([policy.filterMonths]));
    expect(new Set(said(/(\d+)-year/g))).toEqual(new Set([policy.warrantyYears]));
    expect(new Set(said(/(\d+)(?:-day| days)/g))).toEqual(new Set([policy.returnDays]));
    expect(new Set(said(/(\d+) hours/g))).toEqual(new Set([policy.batteryHours, policy.chargeHours]));
  });
});
