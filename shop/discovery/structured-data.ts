/** JSON-LD (schema.org), one graph for each page. */
import type {
  BreadcrumbList,
  FAQPage,
  Graph,
  ItemList,
  MerchantReturnPolicy,
  OfferShippingDetails,
  OnlineStore,
  Product as ProductData,
  SearchAction,
  Thing,
  WebSite,
  WithActionConstraints,
} from "schema-dts";
import { brand } from "#shop/brand.ts";
import { supportEmail } from "#shop/contact-addresses.server.ts";
import { priceOf, type Product } from "#shop/catalog/product.ts";
import { publicAvailability } from "#shop/catalog/stock.ts";
import { decimalMoney } from "#shop/money.ts";
import type { Settings } from "#shop/settings/settings.ts";
import { deliveries, type Delivery } from "#shop/shipping/methods.ts";
import { socialLinks } from "#shop/social-links.ts";

export type JsonLd = { "@context": string; "@graph": unknown[] };

export type Part = Exclude<Thing, string>;

export function graph(...parts: Part[]): JsonLd {
  const whole: Graph = { "@context": "https://schema.org", "@graph": parts };
  return { ...whole, "@graph": [...whole["@graph"]] };
}

export const organizationId = (site: string) => ({ "@id": `${site}/#organization` });

export function organization(site: string): Exclude<OnlineStore, string> {
  const profiles = socialLinks().flatMap(({ url }) => url ?? []);
  return {
    "@type": "OnlineStore",
    ...organizationId(site),
    name: brand.name,
    url: `${site}/`,
    slogan: brand.tagline,
    logo: `${site}/icon-512.png`,
    image: `${site}/images/og.jpg`,
    email: supportEmail(),
    ...(profiles.length > 0 && { sameAs: profiles }),
    contactPoint: {
      "@type": "ContactPoint",
      contactType: "customer support",
      email: supportEmail(),
      url: `${site}/support`,
      areaServed: "US",
      availableLanguage: "en",
    },
  };
}

export function website(site: string): WebSite {
  const search: WithActionConstraints<SearchAction> = {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${site}/search?q={search_term_string}` },
    "query-input": "required name=search_term_string",
  };
  return {
    "@type": "WebSite",
    "@id": `${site}/#website`,
    name: brand.name,
    url: `${site}/`,
    inLanguage: "en-US",
    publisher: organizationId(site),
    potentialAction: search,
  };
}

/** The breadcrumb from home to the page itself. */
export function breadcrumbs(site: string, ...trail: { name: string; path: string }[]): BreadcrumbList {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [{ name: "Home", path: "/" }, ...trail].map(({ name, path }, i) => ({
      "@type": "ListItem",
      position: i + 1,
      name,
      item: site + path,
    })),
  };
}

export function faqPage(faqs: readonly { question: string; answer: string }[]): FAQPage {
  return {
    "@type": "FAQPage",
    mainEntity: faqs.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

/** A product list that starts after `before` products. */
export function productList(site: string, products: readonly { name: string; slug: string }[], before = 0): ItemList {
  return {
    "@type": "ItemList",
    itemListElement: products.map(({ name, slug }, i) => ({
      "@type": "ListItem",
      position: before + i + 1,
      name,
      url: `${site}/product/${slug}`,
    })),
  };
}

/** A product with its offer at the price of `now`, shipping and returns included. */
export function productData(product: Product, site: string, now: Date, settings: Settings): ProductData {
  const { name, slug, description, shortDescription, colorVariant, images, category } = product;
  const { priceCents, earlyBird } = priceOf(product, now);
  const url = `${site}/product/${slug}`;
  return {
    "@type": "Product",
    "@id": `${url}#product`,
    url,
    name,
    description: `${shortDescription} ${description}`,
    sku: slug,
    category,
    brand: { "@type": "Brand", name: brand.name },
    ...(colorVariant && { color: colorVariant }),
    ...(images.length > 0 && { image: images.map((picture) => `${site}/images/${picture}-1200.webp`) }),
    offers: {
      "@type": "Offer",
      url,
      price: decimalMoney(priceCents),
      priceCurrency: "USD",
      ...(earlyBird && { priceValidUntil: earlyBird.endsAt.toISOString() }),
      ...availability(product, now),
      itemCondition: "https://schema.org/NewCondition",
      seller: organizationId(site),
      shippingDetails: deliveries(settings.shipping, priceCents).map(shippingDetails),
      hasMerchantReturnPolicy: merchantReturnPolicy(site, settings.returns.returnDays),
    },
  };
}

function availability(product: Product, now: Date) {
  if (product.retiredAt) return { availability: "https://schema.org/Discontinued" } as const;
  const is = publicAvailability(product, now);
  if (is === "out_of_stock") return { availability: "https://schema.org/OutOfStock" } as const;
  if (is === "in_stock") return { availability: "https://schema.org/InStock" } as const;
  return { availability: "https://schema.org/PreOrder", availabilityStarts: product.shipsFrom! } as const;
}

function shippingDetails({ priceCents, businessDays: { min, max } }: Delivery): OfferShippingDetails {
  return {
    "@type": "OfferShippingDetails",
    shippingRate: { "@type": "MonetaryAmount", value: decimalMoney(priceCents), currency: "USD" },
    shippingDestination: { "@type": "DefinedRegion", addressCountry: "US" },
    deliveryTime: {
      "@type": "ShippingDeliveryTime",
      transitTime: { "@type": "QuantitativeValue", minValue: min, maxValue: max, unitCode: "DAY" },
    },
  };
}

function merchantReturnPolicy(site: string, returnDays: number): MerchantReturnPolicy {
  return {
    "@type": "MerchantReturnPolicy",
    applicableCountry: "US",
    returnPolicyCountry: "US",
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: returnDays,
    merchantReturnLink: `${site}/warranty#return-policy`,
    returnMethod: "https://schema.org/ReturnByMail",
    returnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
    refundType: "https://schema.org/FullRefund",
    itemCondition: "https://schema.org/NewCondition",
  };
}
