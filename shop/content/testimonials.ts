/** What people on the waitlist say: fixed sample content. Portraits are initials on a tone. */
export type Testimonial = {
  name: string;
  role: string;
  content: string;
  rating: 5;
  tone: "leaf" | "sage" | "copper" | "midnight";
};

/** How many have joined the waitlist, as the shop says it everywhere. */
export const WAITLIST_SIZE = "20,000+";

export const testimonials: readonly Testimonial[] = [
  {
    name: "Maya Torres",
    role: "Home cook, Austin",
    content:
      "I throw out half a bag of spinach every week. I joined the waitlist the evening I read about the ethylene filter.",
    rating: 5,
    tone: "leaf",
  },
  {
    name: "Daniel Okafor",
    role: "Father of three, Chicago",
    content: "Berries last two days in our house. Over 20,000 people on one list told me we are not the only ones.",
    rating: 5,
    tone: "copper",
  },
  {
    name: "Hannah Lindqvist",
    role: "Product designer, Portland",
    content:
      "Finally a kitchen device I would leave out on the counter. I signed up for the green one before I had finished the page.",
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
      "I grow tomatoes, and the fridge ruins them. A bowl that holds its own temperature was worth a place in line.",
    rating: 5,
    tone: "leaf",
  },
  {
    name: "Grace Whitfield",
    role: "Teacher, Nashville",
    content:
      "48 hours on a charge means it can come to school with me. My sister and I joined the waitlist on the same day.",
    rating: 5,
    tone: "copper",
  },
];
