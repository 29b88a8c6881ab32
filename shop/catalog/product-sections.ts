/**
 * The sections of a product page between its panel and its tabs, from one table by category. Figures are read from the
 * product's specs: a section whose figures are missing is left out.
 */
import { productPolicy } from "#shop/policies.ts";
import { formatMoneyShort } from "#shop/money.ts";
import { policyText } from "#shop/policy-text.ts";
import { inTheBox, mug, sizes } from "./materials.ts";
import { type Product, specValue } from "./product.ts";
import { sceneIn, type Shot } from "./scenes.ts";

type Shown = Pick<Product, "slug" | "category" | "colorVariant" | "specs" | "images">;
type InUse = Shot & { heading: string; text: string };
type Benefit = Shot & { figure: string; title: string; text: string };
type Frame = Shot & { title: string; text: string };

/** Foods that like the same temperature; null is too warm for the bowl. */
type Food = { temperature: number | null; foods: string; why: string };
/** The light of a bowl without a display blinks so often, in that color, at a setting. */
type LightState = { temperature: number; blinks: number; color: "blue" | "green" | "amber" };
type Temperatures = {
  range: [low: number, high: number];
  text: string;
  foods: readonly Food[];
  shots: readonly Shot[];
  /** Settings of a bowl without a display. */
  light: { text: string; states: readonly LightState[] } | null;
};

type Size = {
  widthIn: number;
  heightIn: number;
  mug: typeof mug;
  text: string;
  facts: [label: string, value: string][];
  /** Replaces the drawing. */
  shot: Shot | null;
};

export type ProductSections = {
  inUse: InUse | null;
  benefits: { list: Benefit[]; source: string | null };
  temperatures: Temperatures | null;
  size: Size | null;
  inTheBox: (Shot & { items: readonly string[] }) | null;
  filterChange: Frame[];
};

/** The temperatures of USDA Agriculture Handbook 66, as on /science. */
export const FOODS: readonly Food[] = [
  {
    temperature: 37,
    foods: "Berries, grapes, leafy greens, broccoli, carrots",
    why: "The colder they are without freezing, the longer they last.",
  },
  { temperature: 45, foods: "Cucumbers, sweet peppers, eggplant", why: "Colder than that, and the skins pit." },
  {
    temperature: 50,
    foods: "Ripe tomatoes, basil",
    why: "A refrigerator dulls a tomato’s flavor and turns basil black.",
  },
  { temperature: null, foods: "Bananas, sweet potatoes", why: "Anything below about 55°F damages them." },
];

/** The Classic has no display. Its blinks tell the settings apart without color. */
const CLASSIC_LIGHT: NonNullable<Temperatures["light"]> = {
  text: "Touch + or − to move a degree at a time. The light blinks at the three settings that matter, and glows white once the bowl is there.",
  states: [
    { temperature: 37, blinks: 1, color: "blue" },
    { temperature: 45, blinks: 2, color: "green" },
    { temperature: 50, blinks: 3, color: "amber" },
  ],
};

/** The closed Classic among things of known size, by color. */
const CLASSIC_SCALE: Record<string, string> = {
  "Midnight Black": "classic-midnight-black-scale",
  "Earth Green": "classic-earth-green-scale",
  "Frost White": "classic-frost-white-scale",
};

/** Source of the sounds that the bowl is compared with. */
const NOISE_SOURCE = "Whisper and refrigerator: CDC, “What Noises Cause Hearing Loss?”";

function inUseOf(product: Shown, category: "Pro" | "Classic"): InUse {
  if (category === "Classic")
    return {
      heading: "Sized for Two",
      text: "Fill it after the farmers market and eat from it all week. It stays on the counter, where you’ll see what’s ripe.",
      picture: shotOf(product, "open"),
      alt: `The Polara Classic in ${product.colorVariant}, open and full, its lid leaning on the rim`,
    };
  return {
    heading: "Fresh Food Where You Can See It",
    text: "You eat what’s in sight. The bowl keeps it cold on the counter, so it doesn’t get lost in the back of the fridge.",
    ...sceneIn(
      product.colorVariant,
      "lifestyle-counter",
      (color) =>
        `The Polara Pro in ${color} on a kitchen counter in window light, open and full, with its lid next to it`,
    ),
  };
}

/** The same for all bowls and filters. */
const FILTER_CHANGE: Frame[] = [
  {
    title: "Twist it out",
    text: "The filter sits in the middle of the lid. Twist it a little and lift it out by hand.",
    picture: "filter-twist",
    alt: "A used filter lifted out of its well in the lid, its beads brown",
  },
  {
    title: "Check the color",
    text: "The beads inside are purple when they’re new and brown when they’re used up.",
    picture: "filter-used",
    alt: "Two filters on their caps next to the open well: the used one has brown beads, the new one purple ones",
  },
  {
    title: "Click in the new one",
    text: `Write the date on it. The next one’s due in ${policyText.filterMonths}.`,
    picture: "filter-click",
    alt: "The new filter in the lid, flush with it, and the ring of light around it lit",
  },
];

/** Accessories with a scene of their own. */
const ACCESSORY_IN_USE: Record<string, InUse> = {
  "travel-sleeve": {
    heading: `${productPolicy.batteryHours} Hours Unplugged`,
    text: "The bowl runs on its battery, and the sleeve takes the bumps along the way.",
    picture: "lifestyle-picnic",
    alt: "A Frost White bowl in its felt sleeve on a picnic blanket in the grass",
  },
};

/** The product's own picture of a shot. */
function shotOf({ images }: Shown, shot: string): string {
  return images.find((name) => name.endsWith(`-${shot}`)) ?? images[0] ?? "";
}

/** True for replacement filters. */
export const isFilter = ({ category, specs }: Pick<Product, "category" | "specs">): boolean =>
  category === "Accessories" && specs.filter_life_months !== undefined;

/** Average price for homes in the US in 2024, by the Energy Information Administration. */
const CENTS_PER_KILOWATT_HOUR = 16.5;

type Filter = Pick<Product, "specs"> & { priceCents: number };

/**
 * The cost of a year at home in a sentence, in whole dollars: electricity to charge the battery as often as it runs down, and
 * filters. Null for a product that does not say what it needs.
 */
export function costToRun({ specs }: Pick<Product, "specs">, filter: Filter | undefined): string | null {
  const [battery, charge] = [Number(specs.battery_life_hours), Number(specs.charge_time_hours)];
  const [pieces, months] = [Number(filter?.specs.pieces), Number(specs.filter_life_months)];
  if (!filter || !(battery > 0 && charge > 0 && pieces > 0 && months > 0)) return null;
  const kilowattHours = ((productPolicy.chargeWatts * charge) / battery) * 24 * 0.365;
  const filterCents = (filter.priceCents / pieces) * (12 / months);
  const [electricity, filters] = [kilowattHours * CENTS_PER_KILOWATT_HOUR, filterCents].map((cents) =>
    formatMoneyShort(Math.ceil(cents / 100) * 100),
  );
  return `Costs about ${electricity} a year in electricity, at the US average price, and ${filters} in filters.`;
}

/** Returns the sections of a product's page. */
export function productSections(product: Shown): ProductSections {
  const { category, slug } = product;
  const isBowl = category !== "Accessories";
  return {
    inUse: isBowl ? inUseOf(product, category) : (ACCESSORY_IN_USE[slug] ?? null),
    benefits: isBowl ? benefitsOf(product, category) : { list: [], source: null },
    temperatures: isBowl ? temperaturesOf(product) : null,
    size: isBowl ? sizeOf(product) : null,
    inTheBox: isBowl
      ? {
          ...sceneIn(
            product.colorVariant,
            "in-the-box",
            (color) =>
              `A tray of paper pulp from above: the bowl in ${color} with a card in it, the lid with its filter, a USB-C cable and an adapter`,
          ),
          items: inTheBox,
        }
      : null,
    filterChange: isBowl || isFilter(product) ? FILTER_CHANGE : [],
  };
}

/** A Pro where someone sits next to it, by color. */
const QUIET_SCENES: Record<string, Shot> = {
  "Midnight Black": {
    picture: "lifestyle-desk",
    alt: "An open Midnight Black Polara Pro full of greens and grapes on a desk, next to a keyboard and a mug",
  },
  "Frost White": {
    picture: "lifestyle-breakfast",
    alt: "An open Frost White Polara Pro full of berries on a wooden counter, with its lid next to it",
  },
};
const quietScene = (colorVariant: string | null): Shot =>
  QUIET_SCENES[colorVariant ?? ""] ?? {
    picture: "banner-phone",
    alt: "An open Earth Green Polara Pro full of greens and fruit, next to a mug",
  };

function benefitsOf(product: Shown, category: "Pro" | "Classic"): ProductSections["benefits"] {
  const { noise_level_db: noise, battery_life_hours: battery, filter_life_months: filter } = product.specs;
  const { charge_time_hours: charge } = product.specs;
  const isPro = category === "Pro";
  const list: Benefit[] = [];
  if (noise !== undefined)
    list.push({
      figure: specValue("noise_level_db", noise),
      title: "Quieter Than a Whisper",
      text: "A soft whisper is 30 dB; a fridge is 40. You can work right next to it.",
      ...(isPro
        ? quietScene(product.colorVariant)
        : { picture: shotOf(product, "hero"), alt: "The closed bowl at an angle" }),
    });
  if (battery !== undefined && charge !== undefined)
    list.push({
      figure: `${battery} hrs`,
      title: "Goes Where You Go",
      text: `It recharges in ${specValue("charge_time_hours", charge)} over USB-C and keeps cooling while it does.`,
      picture: isPro ? "lifestyle-picnic" : shotOf(product, "back"),
      alt: isPro
        ? "A Frost White Polara Pro in its travel sleeve on a picnic blanket"
        : "The back of the bowl with its USB-C port",
    });
  if (filter !== undefined)
    list.push({
      figure: specValue("filter_life_months", filter),
      title: "From One Filter",
      text: "Beads in the lid turn ethylene, the gas that ripens fruit, into traces of carbon dioxide and water.",
      picture: "macro-beads",
      alt: "The purple beads of a new filter, close up",
    });
  return { list, source: noise === undefined ? null : NOISE_SOURCE };
}

function temperaturesOf(product: Shown): Temperatures | null {
  const { category, specs } = product;
  const [, low, high] = /^(\d+)–(\d+)$/.exec(String(specs.temperature_range_f)) ?? [];
  if (!low || !high) return null;
  return {
    range: [Number(low), Number(high)],
    text: `Set the ${category} anywhere from ${low} to ${high}°F. It stays within ${policyText.temperatureToleranceF}.`,
    foods: FOODS,
    shots:
      category === "Pro"
        ? [
            sceneIn(
              product.colorVariant,
              "temperature-37",
              (color) =>
                `The Polara Pro in ${color} at 37°F, open and full of strawberries, blueberries, broccoli and lettuce`,
            ),
            sceneIn(
              product.colorVariant,
              "temperature-50",
              (color) => `The bowl in ${color} at 50°F, full of tomatoes and basil`,
            ),
          ]
        : [],
    light: category === "Classic" ? CLASSIC_LIGHT : null,
  };
}

/** The outer size, read from the specs as staff may change them. */
function sizeOf(product: Shown): Size | null {
  const { category, specs } = product;
  const [, width, height] = /^([\d.]+) × [\d.]+ × ([\d.]+)$/.exec(String(specs.dimensions_in)) ?? [];
  if (!width || !height) return null;
  const { capacity_l: liters, weight_lb: pounds } = specs;
  const facts: Size["facts"] = [
    ["Across", `${width} in`],
    ["Tall", `${height} in`],
  ];
  if (liters !== undefined) facts.push(["Holds", specValue("capacity_l", liters)]);
  if (pounds !== undefined) facts.push(["Weighs", specValue("weight_lb", pounds)]);
  return {
    widthIn: Number(width),
    heightIn: Number(height),
    mug,
    text:
      category === "Classic"
        ? `${(sizes.Pro.widthIn - sizes.Classic.widthIn).toFixed(1)} in narrower than the Pro, and ${(sizes.Pro.pounds - sizes.Classic.pounds).toFixed(1)} lb lighter. Room for two pints of berries and a bunch of grapes.`
        : "As wide as a big mixing bowl and about twice as tall as a mug. Room for a quart of strawberries, a crown of broccoli, and a small head of lettuce.",
    facts,
    shot: scaleShot(product),
  };
}

/** The closed bowl among things of known size; null shows the drawing. */
function scaleShot(product: Shown): Shot | null {
  const { category, colorVariant } = product;
  const among = (color: string | null) =>
    `The closed Polara ${category} in ${color} on a counter, between a mug and a wine bottle, which is about twice as tall`;
  if (category === "Pro") return sceneIn(product.colorVariant, "scale-counter", among);
  const picture = CLASSIC_SCALE[colorVariant ?? ""];
  return picture ? { picture, alt: among(colorVariant) } : null;
}
