/** Words and testimonials of home. Its loader sends them, so that no script carries the numbers. */
import { brand } from "#shop/brand.ts";
import { showsSamples } from "#shop/payment-mode.ts";
import type { PolicyWords } from "#shop/policy-text.ts";

/** The edition of the code; `home` in texts.server.ts reads what staff have published. */
export const homeWords = (words: PolicyWords) => ({
  title: "The bowl that keeps food fresh 3x longer",
  description: `A smart cooling bowl with temperature and humidity control and a ${words.filterMonthsAdjective} ethylene filter. Fruit and vegetables stay fresh 3x longer.`,
  hero: {
    heading: "Fresh food, 3x\u00a0longer.",
    text: `${brand.name} is a countertop bowl that chills and filters the air around your produce.`,
  },
  why: { heading: `Why Choose ${brand.name}` },
  reasons: [
    {
      figure: `±${words.temperatureToleranceF}`,
      title: "Smart Cooling Control",
      text: `Set a temperature and the bowl holds it within ${words.temperatureTolerance}. It keeps the air just humid enough for greens and fruit.`,
    },
    {
      figure: words.filterMonths,
      title: "Ethylene Gas Absorption",
      text: `Ripening fruit gives off ethylene, which ripens everything around it. One filter breaks it down for ${words.filterMonths}.`,
    },
    {
      title: "Eco-Friendly Design",
      ...(showsSamples()
        ? {
            figure: "45% less",
            text: "Fresh food gets eaten, so less of it ends up in the trash: 45% less, by our estimate. The body is recycled aluminum.",
          }
        : {
            figure: "Recycled",
            text: "Fresh food gets eaten, so less of it ends up in the trash. The body is recycled aluminum, and you can replace what wears out by hand.",
          }),
    },
  ],
  shelfLife: {
    heading: "Why Not My Refrigerator?",
    text: `It has one temperature, dry air, and a drawer where food gets forgotten. ${brand.name} holds 37°F for greens or 50°F for tomatoes, keeps the air humid and clear of ethylene, and stays in sight.`,
  },
  lifestyle: {
    heading: "At Home Anywhere You Eat",
    scenes: [
      { title: "The best seat in the kitchen." },
      { title: "Berries that make it to the weekend." },
      { title: `${words.batteryHours} unplugged.` },
      { title: "Lunch for two, held at 37°F." },
    ],
  },
  waitlist: { heading: showsSamples() ? "20,000+ Have Joined the Waitlist" : "From the Waitlist" },
  testimonials: showsSamples() ? testimonials : [],
  callToAction: { heading: "Get Yours Before It's Gone" },
  promises: [
    { title: "Free Shipping", text: `On orders ${words.freeShippingFrom}+` },
    { title: `${words.returnDaysTitle} Returns`, text: "Your money back, no restocking fee" },
    {
      title: `${words.partsWarrantyYearsTitle} Warranty`,
      text: `${words.warrantyYears} on the bowl, ${words.partsWarrantyYears} on battery and gaskets`,
    },
  ],
});
export type HomeWords = ReturnType<typeof homeWords>;

/** Fixed sample content, with initials as portraits, shown only without real payments. */
export type Testimonial = {
  name: string;
  role: string;
  content: string;
  rating: number;
  tone: "leaf" | "sage" | "copper" | "midnight";
};

export const testimonials: readonly Testimonial[] = [
  {
    name: "Maya Torres",
    role: "Home cook, Austin",
    content:
      "I throw out half a bag of spinach every week. I joined the waitlist the night I read about the ethylene filter.",
    rating: 5,
    tone: "leaf",
  },
  {
    name: "Daniel Okafor",
    role: "Father of three, Chicago",
    content: "Berries last two days in our house. Over 20,000 people on one list told me we’re not the only ones.",
    rating: 5,
    tone: "copper",
  },
  {
    name: "Hannah Lindqvist",
    role: "Product designer, Portland",
    content:
      "Finally, a kitchen gadget I’d actually leave out. I signed up for the green one before I’d finished the page.",
    rating: 5,
    tone: "sage",
  },
  {
    name: "Priya Raman",
    role: "Nutritionist, Boston",
    content:
      "My clients eat what they can see. Fruit that stays fresh in plain view is why I joined, and why I sent the link to all of them.",
    rating: 5,
    tone: "midnight",
  },
  {
    name: "Luis Herrera",
    role: "Market gardener, Sacramento",
    content:
      "I grow tomatoes, and the fridge ruins them. A bowl that holds its own temperature was worth getting in line for.",
    rating: 5,
    tone: "leaf",
  },
  {
    name: "Grace Whitfield",
    role: "Teacher, Nashville",
    content:
      "48 hours on a charge means I can bring it to school. My sister and I joined the waitlist on the same day.",
    rating: 5,
    tone: "copper",
  },
];
