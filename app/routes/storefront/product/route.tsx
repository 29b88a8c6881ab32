import { Fragment, useEffect } from "react";
import { data, isRouteErrorResponse, Link, useLocation } from "react-router";
import { brand } from "#shop/brand.ts";
import { getProductPage } from "#shop/catalog/catalog.server.ts";
import { productContent } from "#shop/catalog/product-content.ts";
import { cardOf, productDetailsOf, type ProductCard as Card } from "#shop/catalog/shown-product.ts";
import { breadcrumbs, faqPage, graph, productData } from "#shop/discovery/structured-data.ts";
import { db } from "#platform/database.server.ts";
import { baseUrl } from "#platform/base-url.ts";
import { pageMeta } from "#app/http/page-meta.ts";
import { earliestEnd, publicCache } from "#platform/cache-headers.ts";
import { ErrorPage, logMissing } from "#app/ui/feedback/error-page.tsx";
import { Carousel } from "#app/ui/product/carousel.tsx";
import { ProductCard } from "#app/ui/product/product-card.tsx";
import type { Route } from "./+types/route.ts";
import { Gallery } from "./gallery.tsx";
import { PurchasePanel } from "./purchase-panel.tsx";
import { Details } from "./details.tsx";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { unlessCartAction as shouldRevalidate } from "#app/ui/product/add-to-cart.tsx";

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

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return [];
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

export default function ProductRoute({ loaderData: { product, colors, related, content } }: Route.ComponentProps) {
  return (
    <Fragment key={product.slug}>
      <div className="page pt-4 lg:pt-6">
        <Breadcrumb name={product.name} />
        <div className="mt-3 grid gap-8 lg:mt-5 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] lg:gap-14 xl:gap-20">
          <Gallery product={product} />
          <PurchasePanel product={product} colors={colors} content={content} />
        </div>
      </div>
      <Details product={product} content={content} />
      {related.length > 0 && <Related products={related} />}
    </Fragment>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <ProductNotFound />;
  return <ErrorPage notFound={false} />;
}

function Breadcrumb({ name }: { name: string }) {
  const link = "-mx-1 inline-flex min-h-11 items-center px-1 hover:underline hover:underline-offset-4";
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-2 text-[15px] text-ink-soft">
        <li>
          <Link to="/" prefetch="intent" className={link}>
            Home
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li>
          <Link to="/shop" prefetch="intent" className={link}>
            Shop
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li aria-current="page" className="text-ink">
          {name}
        </li>
      </ol>
    </nav>
  );
}

function ProductNotFound() {
  const { pathname } = useLocation();
  useEffect(() => logMissing(pathname), [pathname]);

  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <title>{`Product Not Found | ${brand.name}`}</title>
      <meta name="robots" content="noindex" />
      <h1 className="heading">Product Not Found</h1>
      <p className="max-w-md text-lg text-ink-soft">Sorry, we couldn't find the product you're looking for.</p>
      <Link to="/shop" className="button button-primary mt-2">
        Return to Shop
      </Link>
    </section>
  );
}

function Related({ products }: { products: Card[] }) {
  // Two items leave half a row empty, which the heading fills.
  const few = products.length < 3;
  return (
    <div
      className={`page pt-10 pb-16 lg:pt-16 lg:pb-28 ${few ? "lg:*:grid lg:*:grid-cols-2 lg:*:items-start lg:[&_ul]:mt-0" : ""}`}
    >
      <Carousel
        label="You Might Also Like"
        heading={<h2 className="heading">You Might Also Like</h2>}
        itemClassName={`w-[72%] sm:w-[40%] ${few ? "lg:w-[calc((100%-24px)/2)]" : "lg:w-[23.4%]"}`}
      >
        {products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </Carousel>
    </div>
  );
}
