/** Names of the fields of a text, whose place in its front matter is "steps-0-title". */

/** Parts of a page by the first name of a place, in words that staff see on it. */
const PARTS: Record<string, string> = {
  hero: "Top of the page",
  why: "Reasons to buy",
  reasons: "Reasons to buy",
  shelfLife: "How long food keeps",
  lifestyle: "Pictures of everyday life",
  waitlist: "Waitlist",
  testimonials: "Testimonials",
  callToAction: "Last call to buy",
  promises: "Promises",
  steps: "Steps",
  inside: "Inside the bowl",
  cards: "Cards",
  stats: "Figures",
  measured: "Figures with real payments",
};

const LABELS: Record<string, string> = {
  to: "Link",
  label: "Words of the link",
  pictureAlt: "What the picture shows",
  content: "Quote",
  role: "About the person",
  "stats-label": "Below the figure",
  "measured-label": "Below the figure",
};

/** The part of the page below whose name a field is folded; null for one of the whole page. */
export const partOf = (place: string): string | null => (place.includes("-") && PARTS[place.split("-")[0]!]) || null;

/** "steps-0-title" as "Title 1". */
export function labelOf(place: string): string {
  const names = place.split("-");
  const name = names.at(-1)!;
  const number = names.findLast((one) => /^\d+$/.test(one));
  const words = name.replaceAll(/[A-Z]/g, " $&").toLowerCase();
  const label = LABELS[`${names[0]}-${name}`] ?? LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
  return number ? `${label} ${Number(number) + 1}` : label;
}
