/** A product with its offer as search engines read it: the price paid at `now`, shipping and returns included. */
import type { MerchantReturnPolicy, OfferShippingDetails, Product as ProductData } from "schema-dts";
import { brand } from "../brand.ts";
import { priceOf } from "../catalog/price.ts";
import type { Product } from "../catalog/product.ts";
import { isWaitlistFirst, shipsLater } from "../catalog/ships-from.ts";
import { unitsLeft } from "../catalog/stock.ts";
import { decimalMoney } from "../money.ts";
import { returnPolicy } from "../policies.ts";
import { deliveries, type Delivery } from "../shipping/methods.ts";

export function productData(product: Product, site: string, now: Date): ProductData {
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
      seller: { "@id": `${site}/#organization` },
      shippingDetails: deliveries(priceCents).map(shippingDetails),
      hasMerchantReturnPolicy: merchantReturnPolicy(site),
    },
  };
}

function availability(product: Product, now: Date) {
  if (product.retiredAt) return { availability: "https://schema.org/Discontinued" } as const;
  if (unitsLeft(product) === 0) return { availability: "https://schema.org/OutOfStock" } as const;
  if (isWaitlistFirst(product, now)) return { availability: "https://schema.org/PreSale" } as const;
  if (!shipsLater(product, now)) return { availability: "https://schema.org/InStock" } as const;
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

function merchantReturnPolicy(site: string): MerchantReturnPolicy {
  return {
    "@type": "MerchantReturnPolicy",
    applicableCountry: "US",
    returnPolicyCountry: "US",
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: returnPolicy.returnDays,
    merchantReturnLink: `${site}/warranty#return-policy`,
    returnMethod: "https://schema.org/ReturnByMail",
    returnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
    refundType: "https://schema.org/FullRefund",
    itemCondition: "https://schema.org/NewCondition",
  };
}
