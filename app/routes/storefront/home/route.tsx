import { data } from "react-router";
import type { Route } from "./+types/route.ts";
import { db } from "#platform/database.server.ts";
import { listColors } from "#shop/catalog/catalog.server.ts";
import { priceOf, type Product } from "#shop/catalog/product.ts";
import { comparedModelOf, featuredProductOf, featuredStock } from "#shop/catalog/shown-product.ts";
import { unitsLeft } from "#shop/catalog/stock.ts";
import { clock } from "#shop/clock.ts";
import { home } from "#shop/content/texts.server.ts";
import { graph, organization, website } from "#shop/discovery/structured-data.ts";
import { formatMoneyShort } from "#shop/money.ts";
import { promisedArrival } from "#shop/payment-mode.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { baseUrl } from "#platform/base-url.ts";
import { pageMeta } from "#app/http/page-meta.ts";
import { earliestEnd, publicCache } from "#platform/cache-headers.ts";
import { Lifestyle } from "./lifestyle.tsx";
import { ShelfLife } from "#app/ui/product/shelf-life.tsx";
import { shelfLifeChart } from "#app/ui/product/shelf-life-chart.server.tsx";
import { CallToAction, Hero, WhyChoose } from "./sections.tsx";
import { FeaturedProducts, type FeaturedProduct } from "./featured-products.tsx";
import { Testimonials } from "./testimonials.tsx";
import { useVerificationReturn, Waitlist } from "../waitlist/waitlist.tsx";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { unlessCartAction as shouldRevalidate } from "#app/ui/product/add-to-cart.tsx";

const FIRST_COLORS = ["Midnight Black", "Earth Green", "Frost White"];

/** The first featured Pro of each color: home's colors first, then unknown ones. */
function inColorOrder(pros: readonly Product[]): Product[] {
  const colors = new Set([...FIRST_COLORS, ...pros.map((one) => one.colorVariant ?? "")]);
  return [...colors].flatMap((color) => pros.find((one) => one.colorVariant === color) ?? []);
}

/** The lowest price of a bowl in stock, else of any; null without bowls. */
function lowestPrice(bowls: readonly Product[]): string | null {
  const inStock = bowls.filter((bowl) => unitsLeft(bowl) > 0);
  const prices = (inStock.length > 0 ? inStock : bowls).map((bowl) => priceOf(bowl, clock.now()).priceCents);
  return prices.length > 0 ? formatMoneyShort(Math.min(...prices)) : null;
}

/** Stock, delivery and returns of the featured products, a sentence each. */
function availability(pros: readonly Product[]): string[] {
  const { message, shipsNow } = featuredStock(pros);
  const words = policyWords();
  const sentences = [message, shipsNow && promisedArrival(words), `${words.returnDaysAdjective} returns`];
  return sentences.flatMap((sentence) => (sentence ? `${sentence}.` : []));
}

export async function loader() {
  const [featured, classics] = await Promise.all([listColors(db, "Pro", true), listColors(db, "Classic")]);
  const pros = inColorOrder(featured);
  const [first, ...others] = pros.map((pro) => ({ ...featuredProductOf(pro), colorVariant: pro.colorVariant ?? "" }));
  const products: [FeaturedProduct, ...FeaturedProduct[]] | null = first ? [first, ...others] : null;
  return data(
    {
      price: lowestPrice([...pros, ...classics]),
      availability: availability(pros),
      products,
      classics: classics.map(comparedModelOf),
      words: home(),
      chart: shelfLifeChart,
      jsonLd: graph(organization(baseUrl()), website(baseUrl())),
    },
    { headers: publicCache(earliestEnd([...pros, ...classics])) },
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta({
    title: loaderData?.words.title ?? "",
    description: loaderData?.words.description ?? "",
    path: "/",
    jsonLd: loaderData?.jsonLd,
  });

export default function Home({
  loaderData: { price, availability, products, classics, words, chart },
}: Route.ComponentProps) {
  useVerificationReturn();
  return (
    <>
      <Hero hero={words.hero} price={price} availability={availability} />
      <ShelfLife {...words.shelfLife} chart={chart} isDark />
      <WhyChoose {...words} />
      {products && <FeaturedProducts products={products} classics={classics} />}
      <Lifestyle lifestyle={words.lifestyle} />
      {words.testimonials.length > 0 && <Testimonials {...words} />}
      <CallToAction {...words} />
      <Waitlist />
    </>
  );
}
