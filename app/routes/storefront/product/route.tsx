import { Fragment, useEffect, type CSSProperties } from "react";
import { data, isRouteErrorResponse, useLocation } from "react-router";
import { Link } from "#app/ui/chrome/link.tsx";
import { brand } from "#shop/brand.ts";
import { getProductPage } from "#shop/catalog/catalog.server.ts";
import { productContent } from "#shop/catalog/product-content.ts";
import { home, productFaqs } from "#shop/content/texts.server.ts";
import { costToRun, isFilter } from "#shop/catalog/product-sections.ts";
import {
  cardOf,
  comparedModelOf,
  productDetailsOf,
  type ComparedModel,
  type ProductCard as Card,
} from "#shop/catalog/shown-product.ts";
import { shipsLater } from "#shop/catalog/stock.ts";
import { priceOf } from "#shop/catalog/product.ts";
import { clock } from "#shop/clock.ts";
import { breadcrumbs, faqPage, graph, productData } from "#shop/discovery/structured-data.ts";
import { policyWords, settings } from "#shop/settings/settings.server.ts";
import { db } from "#platform/database.server.ts";
import { baseUrl } from "#platform/base-url.ts";
import { pageMeta } from "#app/http/page-meta.ts";
import { earliestEnd, publicCache } from "#platform/cache-headers.ts";
import { ErrorPage, logMissing } from "#app/ui/feedback/error-page.tsx";
import { MessagePage } from "#app/ui/feedback/message-page.tsx";
import { Carousel } from "#app/ui/product/carousel.tsx";
import { Comparison } from "#app/ui/product/comparison.tsx";
import { ProductCard } from "#app/ui/product/product-card.tsx";
import { ShelfLife } from "#app/ui/product/shelf-life.tsx";
import { shelfLifeChart } from "#app/ui/product/shelf-life-chart.server.tsx";
import type { Route } from "./+types/route.ts";
import { Gallery } from "./gallery.tsx";
import { PurchasePanel } from "./purchase-panel.tsx";
import { Details } from "./details.tsx";
import { InUse, Sections } from "./sections.tsx";

export { publicHeaders as headers } from "#platform/cache-headers.ts";
export { unlessCartAction as shouldRevalidate } from "#app/ui/product/add-to-cart.tsx";

/** Products in the last row of the page. */
const ROW = 4;

export async function loader({ params }: Route.LoaderArgs) {
  const page = await getProductPage(db, params.slug);
  if (!page) throw data(null, { status: 404 });
  const { product, colors, related, counterpart, accessories } = page;
  const content = { ...productContent(product, policyWords()), faqs: productFaqs(product) };
  const { freeFromCents } = settings().shipping;
  const site = baseUrl();
  const now = clock.now();
  const jsonLd = graph(
    productData(product, site, now, settings()),
    breadcrumbs(site, { name: "Shop", path: "/shop" }, { name: product.name, path: `/product/${product.slug}` }),
    ...(content.faqs.length > 0 ? [faqPage(content.faqs)] : []),
  );
  const filter = accessories.find((one) => isFilter(one));
  const addOn = accessories.find((one) => isFilter(one) && !shipsLater(one, now));
  return data(
    {
      product: productDetailsOf(product),
      colors,
      models: counterpart && [comparedModelOf(product), comparedModelOf(counterpart)],
      related: related.map(cardOf),
      goesWith: accessories.slice(0, ROW - Math.min(ROW, related.length)).map(cardOf),
      addOn: addOn && { ...cardOf(addOn), shortDescription: addOn.shortDescription, freeFromCents },
      content,
      costToRun: costToRun(product, filter && { ...filter, ...priceOf(filter, now) }),
      shelfLife: content.sections.temperatures && { ...home().shelfLife, chart: shelfLifeChart },
      jsonLd,
    },
    { headers: publicCache(earliestEnd([product, ...related, ...accessories, ...(counterpart ? [counterpart] : [])])) },
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

export default function ProductRoute({ loaderData }: Route.ComponentProps) {
  const { product, colors, models, related, goesWith, addOn, content, costToRun: cost, shelfLife } = loaderData;
  return (
    <Fragment key={product.slug}>
      <div className="page pt-2 lg:pt-6">
        <Breadcrumb name={product.name} />
        <div className="mt-1 grid gap-8 lg:mt-5 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] lg:gap-14 xl:gap-20">
          <Gallery product={product} />
          <PurchasePanel product={product} colors={colors} content={content} addOn={addOn} />
        </div>
      </div>
      {content.sections.inUse && <InUse {...content.sections.inUse} />}
      <Details product={product} content={content} faqs={content.faqs} costToRun={cost} />
      {shelfLife && <ShelfLife {...shelfLife} />}
      <Sections sections={content.sections} colorHex={product.colorHex} />
      {models && <Models models={models} current={product.slug} />}
      {related.length + goesWith.length > 0 && (
        <div className="page flex flex-wrap gap-x-6 gap-y-16 pt-10 pb-16 lg:pt-16 lg:pb-28">
          <Row label="You Might Also Like" products={related} />
          <Row label="Goes With It" products={goesWith} />
        </div>
      )}
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
    <>
      <title>{`Product Not Found | ${brand.name}`}</title>
      <meta name="robots" content="noindex" />
      <MessagePage
        heading="Product Not Found"
        text="Sorry, we couldn't find the product you're looking for."
        picture="pro-midnight-black-open"
      >
        <Link to="/shop" className="button button-primary">
          Return to Shop
        </Link>
        <Link to="/search" className="button button-quiet">
          Search
        </Link>
      </MessagePage>
    </>
  );
}

/** Both models in this product's color. */
function Models({ models: [one, other], current }: { models: ComparedModel[]; current: string }) {
  if (!one || !other) return null;
  const pair: [ComparedModel, ComparedModel] = one.category === "Pro" ? [one, other] : [other, one];
  return (
    <section aria-labelledby="models" className="page section pb-6! lg:pb-10!">
      <h2 id="models" className="display mb-8 lg:mb-12">
        Pro or Classic
      </h2>
      <Comparison models={pair} current={current} />
    </section>
  );
}

/** A part of the last row, as wide as its share of it. */
function Row({ label, products }: { label: string; products: Card[] }) {
  if (products.length === 0) return null;
  const share = {
    "--share": `calc((100% - ${ROW - 1} * 24px) / ${ROW} * ${products.length} + ${products.length - 1} * 24px)`,
  };
  const item = { "--item": `calc((100% - ${products.length - 1} * 24px) / ${products.length})` };
  return (
    <div style={{ ...share, ...item } as CSSProperties} className="w-full min-w-0 lg:w-(--share)">
      <Carousel
        label={label}
        heading={<h2 className="heading">{label}</h2>}
        itemClassName="w-[72%] sm:w-[40%] lg:w-(--item)"
      >
        {products.map((product) => (
          <ProductCard key={product.id} product={product} />
        ))}
      </Carousel>
    </div>
  );
}
