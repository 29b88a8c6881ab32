import { describe, expect, it } from "vitest";
import { policyWordsOf } from "#shop/policy-text.ts";
import { FIRST_SETTINGS } from "#shop/settings/settings.ts";
import { openingCatalog } from "./opening-catalog.ts";
import { accessoryFaqs, bowlFaqs, type Faq } from "./product-faqs.ts";
import { type Category, type Specs, specValue, warrantyYears } from "./product.ts";

const words = policyWordsOf(FIRST_SETTINGS);
const catalog = openingCatalog(new Date()).map(({ slug, category, specs }) => ({
  slug,
  category: category as Category,
  specs: specs as Specs,
}));
const accessories = catalog.filter(({ category }) => category === "Accessories");
const faqsOf = (product: Pick<(typeof catalog)[number], "category" | "specs">): readonly Faq[] =>
  product.category === "Accessories" ? accessoryFaqs(product) : bowlFaqs(words, product);
const textOf = (faqs: readonly Faq[]) => faqs.map(({ question, answer }) => `${question} ${answer}`).join("\n");

it.each(catalog)("the answers of $slug say what its specs say", (product) => {
  const { category, specs } = product;
  const text = textOf(faqsOf(product));
  // Each mention of these agrees with its spec.
  if (/dishwasher/i.test(text)) {
    const isSafe = /dishwasher\? Yes/.test(text);
    expect(isSafe).toBe(/^y/i.test(String(specs.dishwasher_safe ?? "No")));
  }
  for (const years of text.matchAll(/(?:covered for|Yes,) (\d+ years?) from the day you buy it/g))
    expect(years[1]).toBe(specValue("warranty_years", warrantyYears({ category, specs }) ?? 0));
  const made = /What is it made of\? (.+)\./.exec(text)?.[1];
  if (category === "Accessories" && made) expect(made).toBe(specs.materials);
  const fits = /Which bowls does it fit\? (.+)\./.exec(text)?.[1];
  if (fits) expect(fits).toBe(specs.fits);
});

it.each(accessories)("$slug has two to four questions of its own", ({ slug, ...product }) => {
  const faqs = accessoryFaqs(product);
  expect(faqs.length).toBeGreaterThanOrEqual(2);
  expect(faqs.length).toBeLessThanOrEqual(4);
  const bowls = bowlFaqs(words).map(({ answer }) => answer);
  for (const { answer } of faqs) expect(bowls).not.toContain(answer);
  expect(slug).toBeTruthy();
});

describe("an answer follows its spec", () => {
  const ask = (category: Category, specs: Specs, question: string) =>
    faqsOf({ category, specs }).find((faq) => faq.question === question)?.answer;
  it.each<[Category, Specs, string, string | undefined]>([
    ["Accessories", { dishwasher_safe: "Yes" }, "Can it go in the dishwasher?", "Yes."],
    ["Accessories", { dishwasher_safe: "No" }, "Can it go in the dishwasher?", "No."],
    ["Accessories", {}, "Can it go in the dishwasher?", undefined],
    ["Accessories", { fits: "Polara Pro" }, "Which bowls does it fit?", "Polara Pro."],
    ["Accessories", { materials: "Cork" }, "What is it made of?", "Cork."],
    ["Accessories", { warranty_years: 5 }, "Is there a warranty?", "Yes, 5 years from the day you buy it."],
    ["Accessories", { warranty_years: "none" }, "Is there a warranty?", undefined],
    ["Pro", { materials: "Steel" }, "What is it made of?", "Steel."],
    ["Pro", {}, "How long does the battery last?", undefined],
    ["Pro", { battery_life_hours: 12 }, "How long does the battery last?", "12 hours on a full charge."],
  ])("%s with %j: %s", (category, specs, question, answer) => {
    expect(ask(category, specs, question)).toBe(answer);
  });

  it.each([
    ["34–54", "Cut fruit is fine in the bowl at 37°F"],
    ["45–60", "So does cut fruit."],
  ])("a bowl for %s°F keeps no cooked food: %s", (temperature_range_f, words) => {
    const answer = ask("Pro", { temperature_range_f }, "Can I keep leftovers in it?");
    expect(answer).toMatch(/^No\. /);
    expect(answer).toContain(words);
  });

  it("of a bowl's care and warranty too", () => {
    expect(ask("Pro", {}, "How do I clean it?")).toContain("skip the dishwasher");
    expect(ask("Pro", { dishwasher_safe: "Yes" }, "How do I clean it?")).not.toContain("dishwasher");
    expect(ask("Pro", { warranty_years: 3 }, "What does the warranty cover?")).toContain("covered for 3 years");
  });

  it("of a product whose specs answer nothing there are none", () => {
    expect(accessoryFaqs({ category: "Accessories", specs: { weight_lb: 1 } })).toEqual([]);
  });
});
