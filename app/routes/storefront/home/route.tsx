import { data } from "react-router";
import type { Route } from "./+types/route.ts";
import { db } from "#platform/database.server.ts";
import { listColors } from "#shop/catalog/catalog.server.ts";
import type { Product } from "#shop/catalog/product.ts";
import { comparedModelOf, featuredProductOf } from "#shop/catalog/shown-product.ts";
import { homeClaims, testimonials } from "#shop/content/home.ts";
import { graph, organization, website } from "#shop/discovery/structured-data.ts";
import { baseUrl } from "#platform/base-url.ts";
import { pageMeta } from "#app/http/page-meta.ts";
import { earliestEnd, publicCache } from "#platform/cache-headers.ts";
import { Lifestyle } from "./lifestyle.tsx";
import { CallToAction, Hero, ShelfLife, WhyChoose } from "./sections.tsx";
import { shelfLifeChart } from "./shelf-life-chart.server.tsx";
import { FeaturedProducts, type FeaturedProduct } from "./featured-products.tsx";
import { Testimonials } from "./testimonials.tsx";
import { useVerificationReturn, Waitlist } from "../waitlist/waitlist.tsx";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { unlessCartAction as shouldRevalidate } from "#app/ui/product/add-to-cart.tsx";

const FIRST_COLORS = ["Midnight Black", "Earth Green", "Frost White"];

/** Featured Pros in home's color order, unknown colors last; null if none is featured. */
function featuredProducts(pros: readonly Product[]): [FeaturedProduct, ...FeaturedProduct[]] | null {
  const colors = new Set([...FIRST_COLORS, ...pros.map((one) => one.colorVariant ?? "")]);
  const [first, ...others] = [...colors].flatMap((colorVariant) => {
    const product = pros.find((one) => one.colorVariant === colorVariant);
    return product ? [{ ...featuredProductOf(product), colorVariant }] : [];
  });
  return first ? [first, ...others] : null;
}

export async function loader() {
  const [pros, classics] = await Promise.all([listColors(db, "Pro", true), listColors(db, "Classic")]);
  const products = featuredProducts(pros);
  return data(
    {
      products,
      classics: classics.map(comparedModelOf),
      claims: homeClaims,
      testimonials,
      chart: shelfLifeChart,
      jsonLd: graph(organization(baseUrl()), website(baseUrl())),
    },
    { headers: publicCache(earliestEnd([...pros, ...classics])) },
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta({
    title: "The bowl that keeps food fresh 3x longer",
    description: loaderData?.claims.description ?? "",
    path: "/",
    jsonLd: loaderData?.jsonLd,
  });

export default function Home({
  loaderData: { products, classics, claims, testimonials, chart },
}: Route.ComponentProps) {
  useVerificationReturn();
  return (
    <>
      <Hero />
      <WhyChoose reasons={claims.reasons} />
      <ShelfLife chart={chart} />
      {products && <FeaturedProducts products={products} classics={classics} />}
      <Lifestyle picnic={claims.picnic} />
      <Testimonials testimonials={testimonials} />
      <CallToAction promises={claims.promises} />
      <Waitlist />
    </>
  );
}
