import { Suspense } from "react";
import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import type { Route } from "./+types/route.ts";
import { db } from "../../../database.server.ts";
import { listColors } from "../../../../shop/catalog/catalog.server.ts";
import { comparedModelOf } from "../../../../shop/catalog/shown-product.ts";
import { homeClaims } from "../../../../shop/content/claims.ts";
import { testimonials } from "../../../../shop/content/testimonials.ts";
import { graph, organization, website } from "../../../../shop/discovery/structured-data.ts";
import { baseUrl } from "../../../base-url.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { earliestEnd, publicCache } from "../../../http/cache-headers.ts";
import { staticPart } from "../../../ui/content/static.tsx";
import { Hero } from "./hero.tsx";
import { shelfLifeChart } from "./shelf-life-chart.server.tsx";
import { ShopWindow } from "./shop-window.tsx";
import { Testimonials } from "./testimonials.tsx";
import { useVerificationReturn } from "../waitlist/verification-return.ts";
import { Waitlist } from "../waitlist/waitlist.tsx";
import { windowProducts } from "./window-products.ts";

const furtherDown = { className: "further-down" };

const WhyChoose = staticPart(() => import("./why-choose.tsx"), furtherDown);
const ShelfLife = staticPart(() => import("./shelf-life.tsx"), furtherDown);
const Lifestyle = staticPart(() => import("./lifestyle.tsx"), furtherDown);
const Closing = staticPart(() => import("./closing.tsx"), furtherDown);

export { publicHeaders as headers } from "../../../http/cache-headers.ts";

export async function loader() {
  const [pros, classics] = await Promise.all([listColors(db, "Pro", true), listColors(db, "Classic")]);
  const products = windowProducts(pros);
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

/** What lies in a cart changes nothing here. */
export const shouldRevalidate = ({ formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formAction?.startsWith("/cart/") ? false : defaultShouldRevalidate;

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
      {products && <ShopWindow products={products} classics={classics} />}
      <Lifestyle picnic={claims.picnic} />
      <Suspense>
        <Testimonials testimonials={testimonials} />
      </Suspense>
      <Closing promises={claims.promises} />
      <Waitlist />
    </>
  );
}
