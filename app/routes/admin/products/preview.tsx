/** Preview of unsaved changes: the storefront's card and page. */
import { data } from "react-router";
import { listAllColors } from "#shop/catalog/colors.server.ts";
import { getProductRecord } from "#shop/catalog/back-office/edit-product.server.ts";
import { PRODUCT_FIELDS, type ProductValues } from "#shop/catalog/back-office/product-form.ts";
import { openingStock } from "#shop/inventory/move-form.ts";
import { productContent, type ProductContent } from "#shop/catalog/product-content.ts";
import type { Faq } from "#shop/catalog/product-faqs.ts";
import { productFaqs } from "#shop/content/texts.server.ts";
import { cardOf, productDetailsOf } from "#shop/catalog/shown-product.ts";
import type { Product } from "#shop/catalog/product.ts";
import { db } from "#platform/database.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { CODE_FIELD } from "#app/session/staff.server.ts";
import { VisitorStateProvider } from "#app/ui/chrome/visitor-state.tsx";
import { ProductCard } from "#app/ui/product/product-card.tsx";
import { Details } from "#app/routes/storefront/product/details.tsx";
import { Gallery } from "#app/routes/storefront/product/gallery.tsx";
import { PurchasePanel } from "#app/routes/storefront/product/purchase-panel.tsx";
import { InUse, Sections } from "#app/routes/storefront/product/sections.tsx";
import { clock } from "#shop/clock.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { isId } from "../guard.server.ts";
import type { Route } from "./+types/preview.ts";
import { priceWords, currentSchema } from "./product-form.server.ts";

export const handle = { isBare: true };

/** Fields outside the form. */
async function restOf(id: string | null) {
  const known = isId(id) ? await getProductRecord(db, id) : null;
  return (
    known ?? {
      id: "",
      model: "",
      thumbnail: null,
      images: [],
      pictureAlts: {},
      inventoryCount: 0,
      waitlistOnlyUntil: null,
      retiredAt: null,
      createdAt: clock.now(),
    }
  );
}

const hexOf = async ({ colorVariant, anotherColor }: ProductValues) =>
  (anotherColor ?? (await listAllColors(db)).find(({ name }) => name === colorVariant))?.hex ?? null;

type PreviewProps = { product: Product; content: ProductContent; faqs: readonly Faq[]; price: string };

function Preview({ product, content, faqs, price }: PreviewProps) {
  const details = productDetailsOf(product);
  return (
    <VisitorStateProvider>
      <main className="pb-20">
        <title>Preview</title>
        <p className="page py-3 text-sm text-ink-soft">
          {`Preview of unsaved changes. Close this page to continue editing. ${price}`}
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
        {content.sections.inUse && <InUse {...content.sections.inUse} />}
        <Details product={details} content={content} faqs={faqs} />
        <Sections sections={content.sections} colorHex={details.colorHex} />
      </main>
    </VisitorStateProvider>
  );
}

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request, [CODE_FIELD, "version", "over", "stock", ...PRODUCT_FIELDS], ["pictures"]);
  const read = (await currentSchema()).and(openingStock).safeParse(Object.fromEntries(form));
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`);
    return data({ ok: false, problems } as const, 400);
  }
  const rest = await restOf(new URL(request.url).searchParams.get("id"));
  const { stock = rest.inventoryCount, ...values } = read.data;
  const product = { ...rest, ...values, inventoryCount: stock, colorHex: await hexOf(values) };
  const content = productContent(product, policyWords());
  const faqs = productFaqs(product);
  return { ok: true, product, content, faqs, price: priceWords(product, clock.now()) } as const;
}

export default function PreviewScreen({ actionData }: Route.ComponentProps) {
  if (actionData?.ok) return <Preview {...actionData} />;
  return (
    <main className="page py-10">
      <title>Preview</title>
      <h1 className="text-2xl font-semibold">Nothing to preview yet</h1>
      <p className="mt-2">Close this page, fix the fields below, then try again.</p>
      <ul className="mt-4 list-disc pl-5">
        {actionData?.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </main>
  );
}
