/**
 * Questions on product pages, answered from the product's specs, so that an answer and a spec cannot differ. Those of
 * bowls are also a text that staff may edit.
 */
import type { PolicyWords } from "#shop/policy-text.ts";
import { withUnit } from "#shop/units.ts";
import { bowlMaterials, materials } from "./materials.ts";
import { type Product, specValue, warrantyYears } from "./product.ts";

export type Faq = { question: string; answer: string };
type Asked = Pick<Product, "category" | "specs">;

/** The value of a spec with its unit; null without one. */
const specOf = ({ specs }: Asked, key: string): string | null =>
  Object.hasOwn(specs, key) ? specValue(key, specs[key]!) : null;

const isDishwasherSafe = (product: Asked): boolean => /^y/i.test(specOf(product, "dishwasher_safe") ?? "");

/** Questions about a bowl; without one about those of the first catalog. */
export function bowlFaqs(words: PolicyWords, bowl?: Asked): readonly Faq[] {
  const told = (key: string, usual: string) => (bowl ? specOf(bowl, key) : usual);
  const [battery, charge] = [
    told("battery_life_hours", words.batteryHours),
    told("charge_time_hours", words.chargeHours),
  ];
  const coldest = Number.parseFloat(told("temperature_range_f", "37") ?? "");
  const filter = told("filter_life_months", words.filterMonths);
  const made = told("materials", bowlMaterials);
  const years = bowl ? withUnit(warrantyYears(bowl) ?? 0, "year") : words.warrantyYears;
  const list: [question: string, answer: string | null | false][] = [
    [
      "How does it keep food fresh 3x longer?",
      `Three things work together: the bowl stays within ${words.temperatureToleranceF} of your setting, it keeps the air just humid enough, and its filter takes out ethylene, the gas that makes fruit ripen and then spoil.`,
    ],
    [
      "Why not just use the fridge?",
      "A fridge has one temperature for everything, and ripe fruit shares its ethylene with everything around it. You set the bowl for what’s in it: 37°F for greens and berries, 50°F for tomatoes and basil. It keeps the air moist, takes out the ethylene, and sits where you’ll see what’s ripe.",
    ],
    [
      "Can I keep leftovers in it?",
      `No. It keeps cold produce cold, but it can’t chill warm food fast enough. Leftovers, cooked food, meat, and dairy belong in a refrigerator within two hours, at 40°F or below (FDA, “Are You Storing Food Safely?”). ${coldest <= 37 ? `Cut fruit is fine in the bowl at 37°F, which it holds within ${words.temperatureToleranceF}.` : "So does cut fruit."}`,
    ],
    [
      "How long does a filter last?",
      filter &&
        `It’s designed for ${filter}${filter === words.filterMonths ? `, so you’ll use ${words.filtersPerYear} a year` : ""}. Your bowl comes with one. Replacements come in packs of 2 and 6, and you change them without tools.`,
    ],
    [
      "How long does the battery last?",
      battery &&
        `${battery} on a full charge.${charge ? ` Charging takes ${charge} over USB-C, and the bowl keeps cooling while it charges.` : ""}`,
    ],
    [
      "What is it made of?",
      made === bowlMaterials
        ? `The body is ${materials.body.toLowerCase()} and the liner is ${materials.liner.toLowerCase()}. The lid has a gasket of ${materials.gasket.toLowerCase()}. No glass anywhere.`
        : made && `${made}.`,
    ],
    [
      "How do I clean it?",
      `Wipe the steel liner and the lid with a damp cloth and a drop of dish soap. ${bowl && isDishwasherSafe(bowl) ? "" : "The liner doesn’t come out, so skip the dishwasher. "}The filter never needs washing.`,
    ],
    [
      "What if I don’t like it?",
      `Send it back within ${words.returnDays} of delivery for a full refund. There’s no restocking fee. It should be in like-new condition, in its original packaging.`,
    ],
    [
      "What does the warranty cover?",
      `Your bowl is covered for ${years} from the day you buy it; the backup battery and gaskets, for ${words.partsWarrantyYears}. We repair or replace it, usually within ${words.repairBusinessDays} of receiving it.`,
    ],
  ];
  return list.flatMap(([question, answer]) => (answer ? [{ question, answer }] : []));
}

const MOST = 4;

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);

/** Questions about a spec; null if it does not answer this one. The first ones are shown. */
type Question = [spec: string, question: string, answer: (value: string, product: Asked) => string | null];
const ACCESSORY_QUESTIONS: readonly Question[] = [
  [
    "input",
    "Which adapter does it need?",
    (input, product) => {
      const feet = specOf(product, "cable_length_ft");
      return `One with ${input}.${feet ? ` The cable is ${feet} long.` : ""}`;
    },
  ],
  [
    "charge_time_hours",
    "Does the bowl cool while it charges?",
    (time) => `Yes. Charging takes ${time}, and the bowl keeps cooling.`,
  ],
  [
    "insulation",
    "Is it insulated?",
    (with_) => `Yes, with ${lower(with_)}. It slows the heat down, and the bowl does the cooling.`,
  ],
  ["fan_opening", "Does it block the bowl’s fan?", (where) => `No. There’s an opening for it at the ${lower(where)}.`],
  [
    "filter_life_months",
    "When do I change a filter, and how?",
    (life) =>
      `After ${life}, or once its beads have turned from purple to brown. Twist the old one out of the lid and click in the new one. No tools needed.`,
  ],
  ["disposal", "What do I do with a used one?", (where) => `It goes in the ${lower(where)}.`],
  ["changing", "How do I change it?", (how) => `${how}.`],
  ["fits", "Which bowls does it fit?", (bowls) => `${bowls}.`],
  ["dishwasher_safe", "Can it go in the dishwasher?", (isSafe) => `${isSafe}.`],
  ["care", "How do I clean it?", (care) => `${care}.`],
  ["materials", "What is it made of?", (made) => `${made}.`],
  ["warranty_years", "Is there a warranty?", (_, product) => warrantyWords(product)],
];

const warrantyWords = (product: Asked): string | null => {
  const years = warrantyYears(product);
  return years === null ? null : `Yes, ${withUnit(years, "year")} from the day you buy it.`;
};

/** Questions that the specs of an accessory answer, four at most; none if they answer none. */
export const accessoryFaqs = (product: Asked): Faq[] =>
  ACCESSORY_QUESTIONS.flatMap(([spec, question, answerOf]) => {
    const value = specOf(product, spec);
    const answer = value === null ? null : answerOf(value, product);
    return answer ? [{ question, answer }] : [];
  }).slice(0, MOST);
