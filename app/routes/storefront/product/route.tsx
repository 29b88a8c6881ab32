import { Suspense } from "react";
import { data, isRouteErrorResponse } from "react-router";
import { getProductPage } from "../../../../shop/catalog/catalog.server.ts";
import { productContent, type ProductContent } from "../../../../shop/catalog/product-content.ts";
import {
  cardOf,
  productDetailsOf,
  type ProductCard,
  type ProductDetails,
} from "../../../../shop/catalog/shown-product.ts";
import { brand } from "../../../../shop/brand.ts";
import { productData } from "../../../../shop/discovery/product-data.ts";
import { breadcrumbs, faqPage, graph, type JsonLd } from "../../../../shop/discovery/structured-data.ts";
import { db } from "../../../database.server.ts";
import { baseUrl } from "../../../base-url.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { earliestEnd, publicCache } from "../../../http/cache-headers.ts";
import { isDeferred, defer, Deferred, type MaybeDeferred } from "../../../http/deferred.tsx";
import { ErrorPage } from "../../../ui/feedback/error-page.tsx";
import type { Route } from "./+types/route.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { Gallery } from "./gallery.tsx";
import { ProductNotFound } from "./not-found.tsx";
import { PurchasePanel } from "./purchase-panel.tsx";
import { Related } from "./related.tsx";
import { ProductSkeleton } from "./skeleton.tsx";
import { Details } from "./details.tsx";

export { publicHeaders as headers } from "../../../http/cache-headers.ts";

type PageData = {
  product: ProductDetails;
  colors: Pick<ProductDetails, "slug" | "colorVariant" | "colorHex">[];
  related: ProductCard[];
  content: ProductContent;
  jsonLd: JsonLd;
};

export async function loader({ params }: Route.LoaderArgs) {
  const page = await getProductPage(db, params.slug);
  if (!page) throw data(null, { status: 404 });
  const { product, colors, related } = page;
  const content = productContent(product);
  const site = baseUrl();
  const jsonLd = graph(
    productData(product, site, new Date()),
    breadcrumbs(site, { name: "Shop", path: "/shop" }, { name: product.name, path: `/product/${product.slug}` }),
    faqPage(content.faqs),
  );
  return data(
    { product: productDetailsOf(product), colors, related: related.map(cardOf), content, jsonLd },
    { headers: publicCache(earliestEnd([product, ...related])) },
  );
}

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => defer<PageData>(serverLoader());

/** Putting something in the cart changes nothing here. */
export function shouldRevalidate({
  formAction,
  defaultShouldRevalidate,
}: {
  formAction?: string;
  defaultShouldRevalidate: boolean;
}) {
  return formAction?.startsWith("/cart") ? false : defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  // A page that comes late, or not at all, titles itself.
  if (!loaderData || isDeferred<PageData>(loaderData)) return [];
  const { product, jsonLd } = loaderData;
  return pageMeta({
    title: product.name,
    description: `${product.name}: ${product.shortDescription}`,
    path: `/product/${product.slug}`,
    picture: product.pictures[0],
    type: "product",
    markdown: true,
    jsonLd,
  });
};

export default function ProductRoute({ loaderData, params }: Route.ComponentProps) {
  const page: MaybeDeferred<PageData> = loaderData;
  return (
    <Deferred key={params.slug} data={page} fallback={<ProductSkeleton slug={params.slug} />}>
      {({ product, colors, related, content }) => (
        <>
          {isDeferred(page) && <title>{`${product.name} | ${brand.name}`}</title>}
          <div className="page pt-4 lg:pt-6">
            <Breadcrumb name={product.name} />
            <div className="mt-3 grid gap-8 lg:mt-5 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] lg:gap-14 xl:gap-20">
              <Gallery product={product} />
              <PurchasePanel product={product} colors={colors} content={content} />
            </div>
          </div>
          <Details product={product} content={content} />
          <Suspense>{related.length > 0 && <Related products={related} />}</Suspense>
        </>
      )}
    </Deferred>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <ProductNotFound />;
  return <ErrorPage notFound={false} />;
}
