import { brand } from "../../../shop/brand.ts";
import { priceOf } from "../../../shop/catalog/price.ts";
import type { Product } from "../../../shop/catalog/product.ts";
import { unitsLeft } from "../../../shop/catalog/stock.ts";

/** The product as search engines read it (schema.org). */
export function structuredData(product: Product, baseUrl: string) {
  // The catalog sends no early-bird price that is over, so any moment before its end gives what is paid.
  const { priceCents, earlyBird } = priceOf(product, new Date(0));
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.name,
    description: product.shortDescription,
    sku: product.slug,
    brand: { "@type": "Brand", name: brand.name },
    ...(product.colorVariant && { color: product.colorVariant }),
    ...(product.images.length > 0 && { image: product.images.map((name) => `${baseUrl}/images/${name}-1200.webp`) }),
    offers: {
      "@type": "Offer",
      url: `${baseUrl}/product/${product.slug}`,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: "USD",
      availability: `https://schema.org/${unitsLeft(product) > 0 ? "InStock" : "OutOfStock"}`,
      itemCondition: "https://schema.org/NewCondition",
      ...(earlyBird && { priceValidUntil: earlyBird.endsAt.toISOString() }),
    },
  };
}
