import { Link, useSearchParams } from "react-router";
import { getProductRecord } from "#shop/catalog/back-office/edit-product.server.ts";
import { typedProduct } from "#shop/catalog/back-office/product-form.ts";
import { specRows } from "#shop/catalog/product.ts";
import { clock } from "#shop/clock.ts";
import { countWaiting } from "#shop/consents/back-in-stock.server.ts";
import { delayUnderWay } from "#shop/fulfillment/delay-product.server.ts";
import { countUnsent } from "#shop/fulfillment/shipments.server.ts";
import { listStockMoves } from "#shop/inventory/stock.server.ts";
import { db } from "#platform/database.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { AdminCheckbox, AdminForm, CodeQuestion } from "#app/ui/admin/field.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { SaveBar, useSeen, versionOf } from "#app/ui/admin/unsaved-changes.tsx";
import { PreviewButton, ProductFields } from "../product-fields.tsx";
import { ProductStatus } from "../route.tsx";
import { notFound, requireId } from "../../guard.server.ts";
import { productChoices, priceWords } from "../product-form.server.ts";
import type { Route } from "./+types/route.ts";
import { LivePreview } from "../live-preview.tsx";
import { Pictures } from "../pictures.tsx";
import { DelayOrders } from "./delay-orders.tsx";
import { Stock } from "./stock.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const id = requireId(params.productId);
  const [product, committed, moves, choices, underWay, waiting] = await Promise.all([
    getProductRecord(db, id),
    countUnsent(db, id),
    listStockMoves(db, id),
    productChoices(),
    delayUnderWay(db, id),
    countWaiting(db, id),
  ]);
  if (!product) throw notFound();
  const { name, slug, version, isOrdered, retiredAt, isAvailable, images, pictureAlts, inventoryCount } = product;
  return {
    product: { id, name, slug, version, isOrdered, isArchived: retiredAt !== null, isAvailable, images, pictureAlts },
    typed: typedProduct(product),
    specs: specRows(product.specs).map((row) => row.join(": ")),
    priceHint: priceWords(product, clock.now()),
    choices,
    stock: {
      available: inventoryCount,
      committed,
      waiting,
      moves: moves.map(({ id: move, at, delta, reason, note, by }) => ({ id: move, at, delta, reason, note, by })),
      formKey: crypto.randomUUID(),
    },
    delay: staffMay(context, "orders:change") && (committed > 0 || underWay) ? { underWay } : null,
    mayEdit: staffMay(context, "products:edit"),
    mayMove: staffMay(context, "stock:move"),
  };
}

export { action } from "./actions.server.ts";
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../../revalidate.ts";

type Loaded = Route.ComponentProps["loaderData"];

function Editor({ loaded }: { loaded: Loaded }) {
  const id = `edit-${loaded.product.id}`;
  const { product, typed, choices, priceHint } = useSeen(id, loaded);
  return (
    <Form<Record<string, string>, { over: string }>
      id={id}
      action="?intent=edit"
      key={product.version}
      messageAt="none"
      className="grid max-w-3xl gap-5"
    >
      {({ result }) => (
        <>
          <CodeQuestion result={result} />
          <input type="hidden" name="version" value={versionOf(result) ?? product.version} />
          <ProductFields
            typed={typed}
            choices={choices}
            isArchived={product.isArchived}
            priceHint={priceHint}
            {...(product.isOrdered && { slugFixed: "This product has orders, so its URL handle cannot change." })}
          />
          <SaveBar formId={id} result={result}>
            {result?.data ? (
              <Submit name="over" value={result.data.over} className="btn btn-primary">
                Overwrite
              </Submit>
            ) : (
              <Submit busy="Saving…" className="btn btn-primary">
                Save
              </Submit>
            )}
            <PreviewButton productId={product.id} />
          </SaveBar>
        </>
      )}
    </Form>
  );
}

function Facts({ typed, specs, priceHint }: Pick<Loaded, "typed" | "specs" | "priceHint">) {
  return (
    <div className="grid max-w-prose gap-3">
      <p>{typed.shortDescription}</p>
      <p className="text-ink-soft">{priceHint}</p>
      <p className="text-ink-soft whitespace-pre-line">{specs.join("\n")}</p>
    </div>
  );
}

/** Products with orders are archived; others can also be deleted. */
function Archive({ isOrdered, isArchived }: Loaded["product"]) {
  return (
    <Section title="Archive">
      <p className="text-ink-soft">
        {isArchived
          ? "This product is archived. Its page says it is no longer sold, and no list shows it."
          : "Archived products leave the store and cannot be bought. Their page stays online for people who own one."}
      </p>
      {/* Both forms stay mounted, so the one just used can show its result. */}
      <AdminForm intent="unretire">{isArchived && <Submit className="btn">Unarchive</Submit>}</AdminForm>
      <AdminForm intent="retire">{!isArchived && <Submit className="btn">Archive</Submit>}</AdminForm>
      {isOrdered ? (
        <p className="text-ink-soft">This product has orders, so it cannot be deleted.</p>
      ) : (
        <AdminForm intent="delete">
          <AdminCheckbox
            name="sure"
            label="Permanently delete this product, its stock history, and its cart and wishlist entries"
          />
          <Submit className="btn btn-danger">Delete</Submit>
        </AdminForm>
      )}
    </Section>
  );
}

export default function ProductScreen({ loaderData }: Route.ComponentProps) {
  const { product, stock, delay, typed, choices, mayEdit, mayMove } = loaderData;
  const [query] = useSearchParams();
  return (
    <>
      <p className="mb-1">
        <Link to="/admin/products" className="admin-link">
          Products
        </Link>
      </p>
      <PageHead
        title={product.name}
        note={
          <ProductStatus isRetired={product.isArchived} isAvailable={product.isAvailable} units={stock.available} />
        }
      >
        {mayEdit && (
          <Link to={`/admin/products/new?from=${product.id}`} className="btn">
            Add a color
          </Link>
        )}
        <a href={`/product/${product.slug}`} className="btn">
          View in store
        </a>
      </PageHead>
      {query.has("added") && (
        <p role="status" className="mb-5 rounded-card bg-leaf-light px-5 py-4 font-medium">
          Product added.{stock.available === 0 && <span> Set its stock so shoppers can buy it.</span>}
        </p>
      )}
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        <div className="grid content-start gap-10">
          {mayEdit ? <Editor key={product.id} loaded={loaderData} /> : <Facts {...loaderData} />}
          <Pictures images={product.images} alts={product.pictureAlts} mayEdit={mayEdit} />
        </div>
        <div className="grid content-start gap-10">
          {mayEdit && (
            <LivePreview
              key={product.version}
              formId={`edit-${product.id}`}
              typed={typed}
              rest={{ ...product, thumbnail: null, inventoryCount: stock.available }}
              colors={choices.colors}
            />
          )}
          <Stock key={product.id} mayMove={mayMove} {...stock} />
          {delay && <DelayOrders productId={product.id} shipsFrom={mayEdit ? typed.shipsFrom : ""} {...delay} />}
          {mayEdit && <Archive {...product} />}
        </div>
      </div>
    </>
  );
}
