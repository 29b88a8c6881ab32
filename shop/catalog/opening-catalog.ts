/** Sample catalog of a new shop. */
import type { products } from "./product.tables.ts";
import { productPolicy, warrantyPolicy } from "#shop/policies.ts";

type NewProduct = typeof products.$inferInsert & { inventoryCount: number };

type ColorVariant = "Frost White" | "Earth Green" | "Midnight Black";

const kebab = (text: string) => text.toLowerCase().replaceAll(" ", "-");
const EARLY_BIRD_DAYS = 30;

const proFinish: Record<ColorVariant, string> = {
  "Midnight Black": "A soft matte black that keeps fingerprints to itself.",
  "Earth Green": "The gray-green of sage and olive leaves, matte to the touch.",
  "Frost White": "A warm, matte white that sits quietly on any counter.",
};

const atHome: Record<ColorVariant, string> = {
  "Midnight Black": "lifestyle-desk",
  "Earth Green": "lifestyle-counter",
  "Frost White": "lifestyle-breakfast",
};

/** Every color has the same shots in the same order, so that a change of color changes nothing else. */
const SHOTS = ["hero", "front", "open", "lid", "back"];

const BOWL_SPECS = {
  temperature_accuracy_f: `±${productPolicy.temperatureToleranceF}`,
  battery_life_hours: productPolicy.batteryHours,
  charge_time_hours: productPolicy.chargeHours,
  charging: `USB-C, ${productPolicy.power} adapter`,
  filter_life_months: productPolicy.filterMonths,
  materials: "Recycled aluminum, BPA-free Tritan",
  warranty_years: warrantyPolicy.warrantyYears,
};

function bowl(category: "Pro" | "Classic", colorVariant: ColorVariant, inventoryCount: number) {
  const name = `Polara ${category} ${colorVariant}`;
  const slug = kebab(name);
  const images = SHOTS.map((shot) => `${slug.replace("polara-", "")}-${shot}`);
  return { name, slug, category, colorVariant, inventoryCount, images, thumbnail: images[0] };
}

function pro(colorVariant: ColorVariant, inventoryCount: number, earlyBirdEndDate: Date): NewProduct {
  const shared = bowl("Pro", colorVariant, inventoryCount);
  return {
    ...shared,
    images: [...shared.images, atHome[colorVariant]],
    shortDescription: "The smart cooling bowl with active humidity control and a 48-hour battery.",
    description:
      "Polara Pro cools what you put in it, holds the humidity that fruit and leaves like, and takes the ethylene out of the air that makes produce ripen too fast. " +
      `Set it on the counter, close the lid, and the display settles at 37°F. ${proFinish[colorVariant]} ` +
      "The battery runs for 48 hours away from the wall and is full again after two hours on USB-C. The filter in the lid works for six months and changes in seconds.",
    priceCents: 149_00,
    compareAtPriceCents: 129_00,
    earlyBirdPriceCents: 99_00,
    earlyBirdEndDate,
    specs: {
      ...BOWL_SPECS,
      capacity_l: 4.2,
      temperature_range_f: "34–54",
      humidity_control: "Active, 70–95%",
      noise_level_db: 24,
      dimensions_in: "11.4 × 11.4 × 6.9",
      weight_lb: 4.6,
    },
    featured: true,
  };
}

const classic = (colorVariant: ColorVariant, inventoryCount: number): NewProduct => ({
  ...bowl("Classic", colorVariant, inventoryCount),
  shortDescription: "The cooling bowl with the six-month ethylene filter, for one or two people.",
  description:
    "Polara Classic does the essential things well: it keeps produce cool and takes the ethylene out of the air around it. " +
    "It is a little smaller than the Pro and holds humidity with a passive vent instead of an active one. " +
    "The same six-month filter sits in the lid, the same 48-hour battery in the base, and the same two-year warranty stands behind it.",
  priceCents: 89_00,
  compareAtPriceCents: 99_00,
  specs: {
    ...BOWL_SPECS,
    capacity_l: 3.1,
    temperature_range_f: "36–50",
    humidity_control: "Passive vent",
    noise_level_db: 27,
    dimensions_in: "10.2 × 10.2 × 6.1",
    weight_lb: 3.5,
  },
});

function accessory(
  name: string,
  colorVariant: ColorVariant | null,
  price: number,
  inventoryCount: number,
  rest: Pick<NewProduct, "shortDescription" | "description" | "specs"> & Partial<NewProduct>,
): NewProduct {
  const slug = kebab(name);
  const picture = slug.replace("ethylene-", "");
  return {
    name,
    slug,
    colorVariant,
    priceCents: price,
    inventoryCount,
    category: "Accessories",
    thumbnail: picture,
    images: [picture],
    ...rest,
  };
}

const FITS = { fits: "Polara Pro and Classic" };
const FILTER_SPECS = {
  ...FITS,
  filter_life_months: productPolicy.filterMonths,
  media: "Zeolite with potassium permanganate",
};

export function openingCatalog(now: Date): NewProduct[] {
  // Whole minutes, as in the product form.
  const earlyBirdEnd = new Date(now.getTime() + EARLY_BIRD_DAYS * 24 * 3600 * 1000);
  earlyBirdEnd.setUTCSeconds(0, 0);
  const list: NewProduct[] = [
    pro("Midnight Black", 240, earlyBirdEnd),
    pro("Earth Green", 180, earlyBirdEnd),
    pro("Frost White", 7, earlyBirdEnd),
    classic("Midnight Black", 120),
    classic("Earth Green", 0),
    classic("Frost White", 64),
    accessory("Ethylene Filter 2-Pack", "Frost White", 24_00, 500, {
      images: ["filter-2-pack", "lifestyle-filter"],
      shortDescription: "Two replacement filters: a year of fresher produce.",
      description:
        "Each filter holds zeolite beads charged with potassium permanganate, which turn ethylene, the gas that ripens fruit, into traces of carbon dioxide and water. One filter works for six months. Two carry a bowl through a year.",
      specs: { ...FILTER_SPECS, pieces: 2, weight_lb: 0.4 },
    }),
    accessory("Ethylene Filter 6-Pack", "Frost White", 59_00, 300, {
      compareAtPriceCents: 72_00,
      images: ["filter-6-pack", "lifestyle-filter"],
      shortDescription: "Six replacement filters: three years for one bowl.",
      description:
        "The same six-month filter as in the 2-Pack, six to a box. Three years for one bowl, or a year and a half for two, at a lower price for each filter. Sealed one by one, so that the last works like the first.",
      specs: { ...FILTER_SPECS, pieces: 6, weight_lb: 1.1 },
    }),
    accessory("Charging Dock", "Midnight Black", 39_00, 40, {
      shortDescription: "Set the bowl down and it charges.",
      description:
        "A weighted dock with a USB-C cable underneath. The bowl finds its place by itself, charges in two hours and stays full while it stands there. A felt foot keeps the counter as it was.",
      specs: {
        charge_time_hours: productPolicy.chargeHours,
        cable_length_ft: 5,
        input: "USB-C, 45 W",
        ...FITS,
        weight_lb: 1.3,
      },
    }),
    accessory("Travel Sleeve", "Earth Green", 19_00, 85, {
      images: ["travel-sleeve", "lifestyle-picnic"],
      shortDescription: "A felted sleeve with a strap, for picnics and the office.",
      description:
        "Thick felt made from recycled bottles holds the cold in and the knocks out. The cotton strap carries the bowl like a bag. Wash it by hand, let it dry flat.",
      specs: {
        ...FITS,
        materials: "Recycled PET felt, cotton strap",
        care: "Hand wash, dry flat",
        weight_lb: 0.5,
      },
    }),
    accessory("Produce Basket", "Frost White", 15_00, 25, {
      isAvailable: false,
      shortDescription: "Lifts berries and leaves off the bottom, so air moves around them.",
      description:
        "A fine steel basket that hangs in the bowl. Berries and leaves lie loose, water drips off, and cool air reaches them from below. Lift it out to rinse everything at once.",
      specs: {
        ...FITS,
        materials: "Powder-coated stainless steel",
        dishwasher_safe: "Yes",
        weight_lb: 0.6,
      },
    }),
    accessory("Lid Gasket Set", null, 12_00, 3, {
      thumbnail: null,
      images: [],
      shortDescription: "Two silicone gaskets that seal the lid like new.",
      description:
        "A lid that closes tightly keeps cold in and ethylene out. Change the gasket when it no longer springs back, usually after two or three years. Two in the set, with a lifter.",
      specs: {
        pieces: 2,
        ...FITS,
        materials: "Food-grade silicone",
        warranty_years: warrantyPolicy.partsWarrantyYears,
        weight_lb: 0.1,
      },
    }),
  ];
  // Later entries are older, so that 'newest' and 'featured' follow this order.
  return list.map((product, i) => ({ ...product, createdAt: new Date(now.getTime() - i * 60_000) }));
}
