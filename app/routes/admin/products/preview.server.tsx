/** Renders the storefront's own card and page on the server, with its stylesheet and without its script. */
import { renderToReadableStream } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type StaticHandlerContext } from "react-router";
import { listAllColors } from "../../../../shop/catalog/colors.server.ts";
import { getDeskProduct } from "../../../../shop/catalog/desk/desk-product.server.ts";
import { PRODUCT_FIELDS, type ProductValues } from "../../../../shop/catalog/desk/product-form.ts";
import { productContent } from "../../../../shop/catalog/product-content.ts";
import { cardOf, productDetailsOf } from "../../../../shop/catalog/shown-product.ts";
import type { Product } from "../../../../shop/catalog/product.ts";
import { db } from "../../../database.server.ts";
import { NO_STORE } from "../../../http/cache-headers.ts";
import { contentSecurityPolicy } from "../../../http/content-security-policy.ts";
import { fieldErrors } from "../../../http/field-errors.ts";
import { readForm } from "../../../http/form.server.ts";
import { CODE_FIELD } from "../../../session/staff.server.ts";
import { VisitorStateProvider } from "../../../ui/chrome/visitor-state.tsx";
import { ALL_STYLES } from "../../../ui/chrome/stylesheets.tsx";
import { ProductCard } from "../../../ui/product/product-card.tsx";
import { Details } from "../../storefront/product/details.tsx";
import { Gallery } from "../../storefront/product/gallery.tsx";
import { PurchasePanel } from "../../storefront/product/purchase-panel.tsx";
import { idSchema, priceWords, schemaNow } from "./typed-product.server.ts";

/** What a product has beside what is typed. */
async function restOf(id: string | null) {
  const read = idSchema.safeParse(id);
  const known = read.success ? await getDeskProduct(db, read.data) : null;
  return (
    known ?? {
      id: "",
      model: "",
      thumbnail: null,
      images: [],
      inventoryCount: 0,
      waitlistOnlyUntil: null,
      retiredAt: null,
      createdAt: new Date(),
    }
  );
}

const hexOf = async ({ colorVariant, anotherColor }: ProductValues) =>
  (anotherColor ?? (await listAllColors(db)).find(({ name }) => name === colorVariant))?.hex ?? null;

function Preview({ product, price }: { product: Product; price: string }) {
  const details = productDetailsOf(product);
  const content = productContent(product);
  return (
    <main className="pb-20">
      <p className="page py-3 text-sm text-ink-soft">
        As shoppers would see it. Nothing is saved: close this page to go on. Tabs and countdown stand still here.{" "}
        {price}
      </p>
      <section
        aria-label="In lists"
        className="page grid gap-4 border-t border-line pt-6 sm:grid-cols-3 xl:grid-cols-4"
      >
        <ProductCard product={cardOf(product)} />
      </section>
      <div className="page mt-10 border-t border-line pt-6">
        <div className="mt-3 grid gap-8 lg:mt-5 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] lg:gap-14 xl:gap-20">
          <Gallery product={details} />
          <PurchasePanel product={details} colors={[]} content={content} />
        </div>
      </div>
      <Details product={details} content={content} />
    </main>
  );
}

async function page(body: React.ReactNode): Promise<string> {
  const routes = [{ path: "*", element: <VisitorStateProvider>{body}</VisitorStateProvider> }];
  const handler = createStaticHandler(routes);
  const context = (await handler.query(new Request("http://preview.invalid/"))) as StaticHandlerContext;
  const router = createStaticRouter(handler.dataRoutes, context);
  const stream = await renderToReadableStream(
    <html lang="en-US">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Preview</title>
        {ALL_STYLES.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body className="font-sans">
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </body>
    </html>,
    { progressiveChunkSize: Infinity },
  );
  await stream.allReady;
  return new Response(stream).text();
}

const problems = (errors: Partial<Record<string, string>>) => (
  <main className="page py-10">
    <h1 className="text-2xl font-semibold">There is nothing to show yet</h1>
    <p className="mt-2">Close this page, correct what is below, then look again.</p>
    <ul className="mt-4 list-disc pl-5">
      {Object.entries(errors).map(([field, message]) => (
        <li key={field}>
          {field}: {message}
        </li>
      ))}
    </ul>
  </main>
);

export async function preview(request: Request): Promise<Response> {
  const form = await readForm(request, ["key", CODE_FIELD, "version", "over", ...PRODUCT_FIELDS], ["pictures", "shot"]);
  const read = (await schemaNow()).safeParse(Object.fromEntries(form));
  const rest = await restOf(new URL(request.url).searchParams.get("id"));
  const body = read.success ? (
    <Preview
      product={{ ...rest, ...read.data, colorHex: await hexOf(read.data) }}
      price={priceWords(read.data, new Date())}
    />
  ) : (
    problems(fieldErrors(read.error))
  );
  const rendered = Buffer.from(await page(body)).toString("latin1");
  const { html, policy } = contentSecurityPolicy(rendered, "", new URL(request.url).pathname);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy, ...NO_STORE };
  return new Response(Buffer.from(html, "latin1"), { status: read.success ? 200 : 400, headers });
}
