import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { MDXContent } from "mdx/types.js";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { brand } from "#shop/brand.ts";
import { formatMoneyShort } from "#shop/money.ts";
import { setAvailableMethods } from "#shop/payment-mode.ts";
import { METHOD_NAMES as PAYMENT_NAMES, type MethodName } from "#shop/payments/payment-method.ts";
import { onlinePaymentMethods } from "#shop/payments/offered.server.ts";
import { policyWords, settings } from "#shop/settings/settings.server.ts";
import { SHIPPING_METHODS, transitWords } from "#shop/shipping/methods.ts";
import { findPost, pages, plainTextAt, posts } from "./texts.server.ts";
import { FOODS } from "#shop/catalog/product-sections.ts";
import { basilTrial, shelfLives } from "./shelf-life.ts";
import { markdownOf, plainText } from "./text-forms.ts";
import { plainTexts } from "#shop/pages.ts";
import { ACCENT } from "#tests/support/accent.ts";

const say = policyWords();
const { shipping } = settings();
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
    const found = anchors(plainTextAt(`/${name}`).Content);
    expect(found).toHaveLength(count);
    expect(found.join(" ")).toBe(expected[name]);
  });

  it("the warranty page is titled 'Warranty and Returns'", () => {
    expect(plainTextAt("/warranty").front.title).toBe("Warranty and Returns");
  });

  it.each([
    ["terms", `subtotal of ${say.freeShippingFrom} or more`],
    ...SHIPPING_METHODS.map((method) => {
      const price = formatMoneyShort(shipping[method].priceCents);
      return ["terms", `${shipping[method].name}: ${transitWords(shipping, method)}, ${price}`] as const;
    }),
    ["terms", `Product concerned or ${say.liabilityFloor}, whichever is greater`],
    ["terms", `claims of up to ${say.arbitrationFeesUpTo}`],
    [
      "terms",
      `within ${say.arbitrationOptOutDays} of your first purchase. Include your name, your address, and a clear statement`,
    ],
    ["terms", `State of ${say.governingState}`],
    ["terms", say.courts],
    ["terms", `at least ${say.minimumAge} years old`],
    ["terms", `children under ${say.childAge}`],
    ["terms", say.paymentMethods],
    ["terms", `at most ${say.maxLineQuantity} units`],
    ["terms", `or within ${say.shipWithinDays} when none is stated`],
    ["warranty", `${say.warrantyYears} from the date of the original purchase`],
    ["warranty", `gaskets have a warranty of ${say.partsWarrantyYears}`],
    ["warranty", `${say.replacementPartDays}, whichever is longer`],
    ["warranty", `register your product within ${say.registrationDays}`],
    ["warranty", `${say.repairBusinessDays} after we receive it`],
    ["warranty", `plus or minus ${say.temperatureTolerance} Fahrenheit`],
    ["warranty", say.power],
    ["warranty", `designed to work for ${say.filterMonths}`],
    ["warranty", `together with the product or within ${say.extendedPlanDays} of delivery`],
    ["warranty", `diagnostic fee is ${say.diagnosticFee}`],
    ["warranty", `within ${say.returnDays} of delivery. There is no restocking fee`],
    ["warranty", `within ${say.shipBackDays} of receiving it`],
    ["warranty", `within ${say.refundBusinessDays} after inspection`],
    ["warranty", `another ${say.refundBankDays} to post it`],
    ["warranty", `another color or model within ${say.exchangeDays} of delivery`],
    ["warranty", `within ${say.defectReportDays} of delivery, with photos`],
    ["warranty", `refund within ${say.cancellationRefundBusinessDays}`],
    [
      "privacy",
      `polara_guest: a random identifier, signed by us, that keeps your cart for up to ${say.guestCookieYears}`,
    ],
    ["privacy", "On a secure connection the names begin with __Host-"],
    ["privacy", `a stranger’s wrong passwords do not keep you out, for up to ${say.deviceCookieYears}`],
    ["privacy", `keeps you signed in, for up to ${say.sessionDays} after your last visit`],
    ["privacy", `after ${say.accountInactiveYears} without activity`],
    ["privacy", `Transaction records: ${say.transactionYears}`],
    ["privacy", `after ${say.marketingInactiveYears} without activity`],
    ["privacy", `messages: ${say.supportYears}`],
    [
      "privacy",
      `within ${say.gdprResponseDays} under the GDPR and within ${say.ccpaResponseDays} under the California Consumer Privacy Act`,
    ],
    ["privacy", "Our security log does record the IP address of sign-ins and sign-outs"],
    ["privacy", `it is deleted after at most ${say.securityLogDays}`],
    ["privacy", `within ${say.breachNoticeHours}`],
    ["privacy", say.supportHours],
    ["privacy", "Administrative access is role-based and requires multi-factor authentication"],
  ] as const)("%s says: %s", (name, sentence) => {
    expect(
      plain(plainTextAt(`/${name}`).Content)
        .replaceAll(" :", ":")
        .replaceAll(" .", "."),
    ).toContain(sentence);
  });
});

describe("policy numbers", () => {
  const files = (folder: string) =>
    readdirSync(join(import.meta.dirname, folder)).map(
      (file) => [file, readFileSync(join(import.meta.dirname, folder, file), "utf8")] as const,
    );

  it.each([...files("legal"), ...files("pages")])("%s has no literal number", (_file, written) => {
    const unit = "(?:business )?(?:minutes?|days?|weeks?|hours?|years?|months?|degrees)";
    const word = "one|two|three|four|five|six|seven|ten|twelve|fifteen|thirty|sixty|ninety";
    const own = new RegExp(`\\$\\d[\\d,.]*|\\b(?:\\d+|${word})[- ]?${unit}\\b|±\\d`, "gi");
    expect([...written.matchAll(own)].map(String)).toEqual([]);
  });

  it.each([...files("legal"), ...files("pages"), ...files("posts")])(
    "%s has only known placeholders",
    (_file, written) => {
      for (const [, name = ""] of written.matchAll(/policyWords\(\)\.(\w+)/g)) expect(say).toHaveProperty(name);
    },
  );

  it("are filled into titles and descriptions", () => {
    const heads = JSON.stringify([pages(), plainTexts.map(({ path }) => plainTextAt(path))], (key, value: unknown) =>
      key === "Content" ? undefined : value,
    );
    expect(heads).toContain(`±${say.temperatureToleranceF}`);
    expect(heads).not.toContain("policyWords()");
  });

  it("are the same on the page, in Markdown, in search and in its metadata", () => {
    const { front, Content } = plainTextAt("/warranty");
    const sentence = `within ${say.returnDays} of delivery. There is no restocking fee.`;
    expect(plain(Content)).toContain(sentence);
    expect(markdownOf(Content, "https://shop.example/warranty")).toContain(sentence);
    expect(plainText(Content).text).toContain(sentence);
    expect(front.intro).toContain(`can come back within ${say.returnDays}.`);
    const title = `${say.returnDaysTitle} Return Policy`;
    expect(markdownOf(Content, "https://shop.example/warranty")).toContain(`. ${title}\n`);
    expect(plainText(Content).parts.map((part) => part.title)).toContain(title);
  });
});

it.each(
  [...Object.values(pages()), ...posts(), ...plainTexts.map(({ path }) => plainTextAt(path))].map(
    (text) => [text.front.title, text] as const,
  ),
)("%s has curly quotes, and says email", (_title, { front, Content }) => {
  expect(JSON.stringify([front, plainText(Content).text])).not.toMatch(/'|\\"|\be-mail|\bmail(s|ed)?\b/i);
});

it.each([...Object.values(pages()), ...posts()].map((text) => [text.front.title, text] as const))(
  "%s has the voice of the store",
  (_title, { front, Content }) => {
    expect(JSON.stringify([front, plainText(Content).text])).not.toMatch(ACCENT);
  },
);

describe("posts", () => {
  it("cover every category, newest first", () => {
    expect(new Set(posts().map((post) => post.front.category))).toEqual(new Set(["Tips", "Science", "Sustainability"]));
    const dates = posts().map((post) => post.front.date);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  it.each(posts().map((post) => [post.slug, post] as const))("%s has 600 to 1,000 words", (_slug, { Content }) => {
    const words = plain(Content).trim().split(" ").length;
    expect(words).toBeGreaterThanOrEqual(600);
    expect(words).toBeLessThanOrEqual(1000);
  });

  it("each have their own picture", () => {
    expect(new Set(posts().map((post) => post.front.picture)).size).toBe(posts().length);
  });

  it("an unknown slug shows the lead post", () => {
    expect(findPost("no-such-post").slug).toBe(posts()[0]?.slug);
    expect(findPost(posts()[1]?.slug ?? "").slug).toBe(posts()[1]?.slug);
  });
});

describe("pages", () => {
  it("how-it-works has four steps", () => {
    expect(pages().howItWorks.front.steps.map((step) => step.title)).toEqual([
      "Smart Cooling",
      "Humidity Regulation",
      "Ethylene Absorption",
      "3x Longer Freshness",
    ]);
  });

  it("the parts of the bowl from top to bottom", () => {
    const { parts } = pages().howItWorks.front.inside;
    expect(parts.map(({ y }) => y)).toEqual(parts.map(({ y }) => y).toSorted((a, b) => a - b));
    for (const side of ["left", "right"]) {
      const heights = parts.filter((part) => part.side === side).map(({ y }) => y);
      // PolicyWords are 28 px wide on a picture of 320 px.
      for (const [i, y] of heights.slice(1).entries()) expect(y - (heights[i] ?? 0)).toBeGreaterThan(9);
    }
  });

  it("have the freshness figures of the chart", () => {
    expect(brand.tagline).toContain("3x longer");
    expect(pages().howItWorks.front.steps.at(-1)?.title).toBe("3x Longer Freshness");
  });

  it("say the same shelf lives as the chart, in which the bowl wins", () => {
    const post = readFileSync("shop/content/posts/what-37-degrees-does.mdx", "utf8");
    const [broccoli, tomatoes, basil] = shelfLives;
    expect(shelfLives.map(({ produce }) => produce)).toEqual(["Broccoli", "Ripe tomatoes", "Basil"]);
    for (const { produce, fridgeDays, bowlDays, counterDays } of shelfLives)
      expect(bowlDays, produce).toBeGreaterThan(Math.max(fridgeDays, counterDays));
    expect(post).toContain(`about ${broccoli!.bowlDays} days at 41°F`);
    expect(post).toContain("After only one or three days in the cold, the tomatoes had hardly changed.");
    expect(tomatoes!.fridgeDays).toBe(3);
    expect(post).toContain(
      `it lasted ${basilTrial.coldDays} days at ${basilTrial.coldF}°F, with dark spots on the leaves, and about ${basilTrial.warmDays} days at ${basilTrial.warmF}°F`,
    );
    expect(basil).toMatchObject({ fridgeDays: 3, bowlDays: 7 });
    // The panel of temperatures names each food at the setting of the chart.
    for (const { produce, setting } of shelfLives)
      expect(FOODS.find(({ foods }) => foods.toLowerCase().includes(produce.toLowerCase()))?.temperature).toBe(setting);
  });

  it("put no whole melon in the bowl, which holds half of one", () => {
    const texts = [...Object.values(pages()), ...posts()].map(({ Content }) => plain(Content));
    const foods = FOODS.map((one) => one.foods);
    expect([...texts, ...foods].filter((text) => /(?:uncut|whole) (?:melon|honeydew|cantaloupe)/.test(text))).toEqual(
      [],
    );
  });

  it("science has three cards", () => {
    expect(pages().science.front.cards.map((card) => card.title)).toEqual([
      "Temperature Control",
      "Ethylene Filtration",
      "Humidity Optimization",
    ]);
  });

  it("about has three figures", () => {
    expect(pages().about.front.stats.map((stat) => stat.figure)).toEqual(["3x", "20K+", "45%"]);
  });

  it("about says how far the gain in the chart is from 3x", () => {
    const gains = shelfLives.map(({ produce, bowlDays, counterDays }) => ({ produce, gain: bowlDays / counterDays }));
    const [least, ...rest] = gains.toSorted((a, b) => a.gain - b.gain);
    const [{ produce, gain }] = rest.slice(-1) as [typeof least & object];
    expect(plain(pages().about.Content)).toContain(
      `from ${least!.gain.toFixed(1)}x for ${least!.produce.toLowerCase()} to ${gain.toFixed(1)}x for ${produce.toLowerCase()}.`,
    );
  });

  it("support has three questions", () => {
    expect(html(pages().support.Content).match(/<details/g)).toHaveLength(3);
  });
});

describe("the texts about payment", () => {
  const setHasPayments = (hasPayments: boolean) => setAvailableMethods(hasPayments ? PAYMENT_NAMES : []);
  /** As after a change of the settings. */
  const turnOn = (...names: MethodName[]) => {
    setHasPayments(true);
    Object.assign(settings().payments, Object.fromEntries(PAYMENT_NAMES.map((name) => [name, names.includes(name)])));
  };
  afterEach(() => {
    turnOn("card");
    setHasPayments(false);
  });
  const said = (name: string, hasPayments: boolean) => {
    setHasPayments(hasPayments);
    return plain(plainTextAt(`/${name}`).Content);
  };

  it.each([
    [
      "terms",
      `Payment methods are ${say.paymentMethods}. Online payment is not open yet: at present you place your Order without being charged, and we will contact you about payment before we ship. We never charge you`,
      "Payment methods are credit and debit cards, Apple Pay, and Google Pay. You pay on a page of Stripe",
    ],
    [
      "privacy",
      "payment processors, once online payment is open. They handle your card",
      "Stripe, our payment processor.",
    ],
    [
      "warranty",
      "we can send you a new link . If you have paid,",
      "we can send you a new link . You are charged only when the order ships",
    ],
  ])("%s is correct with and without a provider", (name, without, withOne) => {
    expect(said(name, false)).toContain(without);
    expect(said(name, false)).not.toContain("Stripe");
    expect(said(name, true)).toContain(withOne);
    expect(said(name, true)).not.toContain(without);
    expect(said(name, true)).not.toContain("PayPal");
  });

  it("the terms name every method that is offered, and no other", () => {
    turnOn("cashapp", "klarna", "card");
    const text = plain(plainTextAt("/terms").Content);
    expect(onlinePaymentMethods()).toBe("credit and debit cards, Apple Pay, Google Pay, Klarna, and Cash App");
    expect(text).toContain(`Payment methods are ${onlinePaymentMethods()}.`);
    expect(text).not.toMatch(/PayPal|Affirm|Amazon|Link,/);
  });

  it("the terms and the privacy policy name PayPal where it is offered", () => {
    turnOn("card", "paypal");
    const terms = plain(plainTextAt("/terms").Content);
    expect(terms).toContain(
      "You pay on a page of Stripe, our payment processor, or of PayPal, where your bank or PayPal",
    );
    expect(terms).toContain("PayPal is not offered for such an Order");
    expect(plain(plainTextAt("/privacy").Content)).toContain("If you choose PayPal, you pay on its own page instead");
  });

  it.each([false, true])("the warranty page leads to the order's page to cancel, with payments %s", (hasPayments) => {
    setHasPayments(hasPayments);
    const [, section = ""] = /id="cancellation"(.*?)<\/section>/s.exec(html(plainTextAt("/warranty").Content)) ?? [];
    expect(section).toContain("Do so on your order’s page");
    expect([...section.matchAll(/href="([^"#]+)"/g)].map(([, href]) => href)).toEqual(["/orders/find"]);
  });

  it("Markdown has the same text as its page", () => {
    setHasPayments(true);
    expect(markdownOf(plainTextAt("/terms").Content, "http://localhost/terms")).toContain(
      "You pay on a page of Stripe",
    );
  });
});
