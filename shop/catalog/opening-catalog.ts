/** Sample catalog of a new shop. */
import type { products } from "./product.tables.ts";
import { productPolicy, warrantyPolicy } from "#shop/policies.ts";
import { bowlMaterials, materials, sizes } from "./materials.ts";

/** Ounces of a pound. */
const OUNCES = 16;

type NewProduct = typeof products.$inferInsert & { inventoryCount: number };

type ColorVariant = "Frost White" | "Earth Green" | "Midnight Black";

const kebab = (text: string) => text.toLowerCase().replaceAll(" ", "-");
const EARLY_BIRD_DAYS = 30;

const atHome: Record<ColorVariant, string> = {
  "Midnight Black": "lifestyle-desk",
  "Earth Green": "lifestyle-counter",
  "Frost White": "lifestyle-breakfast",
};

/**
 * Every color has the same shots in the same order, so that a change of color changes nothing else. A Pro is shown in use
 * after the first.
 */
const SHOTS = ["hero", "open", "lid", "front", "back"];

const BOWL_SPECS = {
  temperature_accuracy_f: `±${productPolicy.temperatureToleranceF}`,
  battery_life_hours: productPolicy.batteryHours,
  charge_time_hours: productPolicy.chargeHours,
  charging: `USB-C, ${productPolicy.power} adapter`,
  filter_life_months: productPolicy.filterMonths,
  materials: bowlMaterials,
  warranty_years: warrantyPolicy.warrantyYears,
};

function bowl(category: "Pro" | "Classic", colorVariant: ColorVariant, inventoryCount: number) {
  const name = `Polara ${category} ${colorVariant}`;
  const slug = kebab(name);
  const images = SHOTS.map((shot) => `${slug.replace("polara-", "")}-${shot}`);
  const { liters, widthIn, heightIn, pounds } = sizes[category];
  const specs = {
    ...BOWL_SPECS,
    capacity_l: liters,
    dimensions_in: `${widthIn} × ${widthIn} × ${heightIn}`,
    weight_lb: pounds,
  };
  return { name, slug, category, colorVariant, inventoryCount, images, specs, thumbnail: images[0] };
}

function pro(colorVariant: ColorVariant, inventoryCount: number, earlyBirdEndDate: Date): NewProduct {
  const shared = bowl("Pro", colorVariant, inventoryCount);
  const [first = "", ...others] = shared.images;
  return {
    ...shared,
    images: [first, atHome[colorVariant], ...others],
    shortDescription: "The smart cooling bowl with active humidity control and a 48-hour battery.",
    description:
      "Polara Pro keeps produce cool and just humid enough, and clears the air of ethylene, the gas that ripens it too soon. " +
      "Set it on the counter, close the lid, and the display settles on the temperature you chose. " +
      "The battery runs for 48 hours unplugged and recharges in two hours over USB-C. The filter in the lid lasts six months and takes seconds to change.",
    priceCents: 149_00,
    compareAtPriceCents: 129_00,
    earlyBirdPriceCents: 99_00,
    earlyBirdEndDate,
    specs: {
      ...shared.specs,
      temperature_range_f: "34–54",
      humidity_control: "Active, 70–95%",
      noise_level_db: 24,
      display: "Temperature in °F",
    },
    featured: true,
  };
}

function classic(colorVariant: ColorVariant, inventoryCount: number): NewProduct {
  const shared = bowl("Classic", colorVariant, inventoryCount);
  return {
    ...shared,
    shortDescription: "The cooling bowl with the six-month ethylene filter, for one or two people.",
    description:
      "Polara Classic does the essentials well: it keeps produce cool and clears ethylene from the air around it. " +
      "It’s a little smaller than the Pro and holds humidity with a passive vent instead of an active one. " +
      "You get the same six-month filter, the same 48-hour battery, and the same two-year warranty.",
    priceCents: 89_00,
    compareAtPriceCents: 99_00,
    specs: {
      ...shared.specs,
      temperature_range_f: "36–50",
      humidity_control: "Passive vent",
      noise_level_db: 27,
      display: "Status light",
    },
  };
}

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

/** The lid's well for the filter, the liner's floor and the foot are the same in both; the lids are not. */
const BOTH = "Polara Pro and Classic";
const FILTER_SPECS = {
  fits: BOTH,
  filter_life_months: productPolicy.filterMonths,
  media: materials.filter,
  disposal: "Household trash",
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
        "Each filter holds zeolite beads with potassium permanganate. They turn ethylene, the gas that ripens fruit, into traces of carbon dioxide and water, and go from purple to brown as they’re used up. One filter lasts six months; two last a year.",
      specs: { ...FILTER_SPECS, pieces: 2, weight_lb: 0.4 },
    }),
    accessory("Ethylene Filter 6-Pack", "Frost White", 59_00, 300, {
      compareAtPriceCents: 72_00,
      images: ["filter-6-pack", "lifestyle-filter"],
      shortDescription: "Six replacement filters: three years for one bowl.",
      description:
        "The same six-month filter as in the 2-Pack, six to a box: three years for one bowl, or a year and a half for two, at a lower price per filter. Each is sealed, so the last one works like the first.",
      specs: { ...FILTER_SPECS, pieces: 6, weight_lb: 1.1 },
    }),
    accessory("Charging Dock", "Midnight Black", 39_00, 40, {
      shortDescription: "Set the bowl down and it charges.",
      description:
        "Set the bowl on the dock and it charges in two hours and stays charged. One cable, from dock to wall. Nothing to plug into the bowl. A felt base protects your counter.",
      specs: {
        charge_time_hours: productPolicy.chargeHours,
        cable_length_ft: 5,
        input: `USB-C, ${productPolicy.chargeWatts} W`,
        fits: BOTH,
        weight_lb: 1.3,
      },
    }),
    accessory("Travel Sleeve", "Earth Green", 19_00, 85, {
      images: ["travel-sleeve", "lifestyle-picnic"],
      shortDescription: "A thick felt sleeve with a strap, for picnics and the office.",
      description:
        "Thick felt made from recycled bottles keeps the cold in and takes the bumps. The cotton strap turns the bowl into a bag, and an opening at the back keeps the fan free. Wash it by hand and dry it flat.",
      specs: {
        fits: "Polara Pro, and Classic with the strap tightened",
        insulation: "Thick felt",
        fan_opening: "Back",
        materials: materials.sleeve,
        care: "Hand wash, dry flat",
        weight_lb: 0.5,
      },
    }),
    accessory("Produce Basket", "Frost White", 15_00, 25, {
      isAvailable: false,
      shortDescription: "Lifts berries and greens off the bottom, so air moves around them.",
      description:
        "A stainless steel wire basket that sits in the bowl. Berries and greens sit loose, water drips off, and cool air reaches them from below. Lift it out to rinse everything at once.",
      specs: {
        fits: `${BOTH}, one size for both liners`,
        materials: materials.basket,
        dishwasher_safe: "Yes",
        weight_lb: 0.6,
      },
    }),
    accessory("Lid Gasket Set", null, 12_00, 3, {
      thumbnail: "gasket-set",
      images: ["gasket-set"],
      shortDescription: "Silicone gaskets that seal the lid like new, in the sizes of both bowls.",
      description:
        "A tight lid keeps the cold in. Replace the gasket when it stops springing back, usually after two or three years. You get two, one for the Pro’s lid and one for the Classic’s, with a lifter.",
      specs: {
        pieces: 2,
        fits: "One for the Polara Pro’s lid, one for the Classic’s",
        changing: "Pull the old one out of the groove in the lid, and press in the new one",
        materials: materials.gasket,
        warranty_years: warrantyPolicy.partsWarrantyYears,
        weight_lb: 0.1,
      },
    }),
  ];
  // Later entries are older, so that 'newest' and 'featured' follow this order.
  return list.map((product, i) => ({
    ...product,
    weightOz: Math.ceil(Number(product.specs?.weight_lb) * OUNCES),
    createdAt: new Date(now.getTime() - i * 60_000),
  }));
}
