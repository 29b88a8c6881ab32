import { useState } from "react";
import { Link } from "react-router";
import { getProductRecord } from "#shop/catalog/back-office/edit-product.server.ts";
import { typedProduct } from "#shop/catalog/back-office/product-form.ts";
import { clock } from "#shop/clock.ts";
import { delayUnderWay } from "#shop/fulfillment/delay-product.server.ts";
import { countUnsent } from "#shop/fulfillment/shipments.server.ts";
import { listStockMoves } from "#shop/inventory/stock.server.ts";
import { db } from "#platform/database.server.ts";
import { staffMay } from "#app/session/staff.server.ts";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { Form, Submit, useActionResult, useIsPending } from "#app/ui/form/form.tsx";
import { AdminCheckbox, AdminForm, CodeQuestion } from "#app/ui/admin/field.tsx";
import { PageHead, Section } from "#app/ui/admin/page-head.tsx";
import { PreviewButton, ProductFields } from "../product-fields.tsx";
import { ProductStatus } from "../route.tsx";
import { notFound, requireId } from "../../guard.server.ts";
import { productChoices, priceWords } from "../product-form.server.ts";
import type { Route } from "./+types/route.ts";
import { Pictures } from "../pictures.tsx";
import { DelayOrders } from "./delay-orders.tsx";
import { Stock } from "./stock.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const id = requireId(params.productId);
  const [product, committed, moves, choices, underWay] = await Promise.all([
    getProductRecord(db, id),
    countUnsent(db, id),
    listStockMoves(db, id),
    productChoices(),
    delayUnderWay(db, id),
  ]);
  if (!product) throw notFound();
  const { name, slug, version, isOrdered, retiredAt, isAvailable, images, inventoryCount } = product;
  return {
    product: { id, name, slug, version, isOrdered, isArchived: retiredAt !== null, isAvailable, images },
    typed: typedProduct(product),
    priceHint: priceWords(product, clock.now()),
    choices,
    stock: {
      available: inventoryCount,
      committed,
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

/** Version that a refused form was based on. */
const versionOf = (result: ActionResult | undefined): string | undefined => {
  const version = result?.ok === false ? result.submission?.initialValue?.version : undefined;
  return typeof version === "string" ? version : undefined;
};

/** Edits the product as opened or last saved here, so that changes by others never enter the form. */
function Editor({ loaded }: { loaded: Loaded }) {
  const id = `edit-${loaded.product.id}`;
  const answer = useActionResult(id);
  const isPending = useIsPending(id);
  const [seen, setSeen] = useState(loaded);
  const [handled, setHandled] = useState(answer);
  if (!isPending && answer !== handled) {
    setHandled(answer);
    if (answer?.ok) setSeen(loaded);
  }
  const { product, typed, choices, priceHint } = seen;
  return (
    <Form<Record<string, string>, { over: string }>
      id={id}
      action="?intent=edit"
      key={product.version}
      messageAt="end"
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
          <div className="flex flex-wrap gap-2">
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
          </div>
        </>
      )}
    </Form>
  );
}

function Facts({ typed, priceHint }: Pick<Loaded, "typed" | "priceHint">) {
  return (
    <div className="grid max-w-prose gap-3">
      <p>{typed.shortDescription}</p>
      <p className="text-ink-soft">{priceHint}</p>
      <p className="text-ink-soft whitespace-pre-line">{typed.specs}</p>
    </div>
  );
}

/** Products with orders are archived; others can also be deleted. */
function Archive({ isOrdered, isArchived }: Loaded["product"]) {
  return (
    <Section title="Archive">
      <AdminForm intent={isArchived ? "unretire" : "retire"}>
        <p className="text-ink-soft">
          {isArchived
            ? "This product is archived. Its page says it is no longer sold, and no list shows it."
            : "Archived products leave the store and cannot be bought. Their page stays online for people who own one."}
        </p>
        <Submit className="btn">{isArchived ? "Unarchive" : "Archive"}</Submit>
      </AdminForm>
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
  const { product, stock, delay, typed, mayEdit, mayMove } = loaderData;
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
        <a href={`/product/${product.slug}`} className="btn">
          View in store
        </a>
      </PageHead>
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        {mayEdit ? <Editor key={product.id} loaded={loaderData} /> : <Facts {...loaderData} />}
        <div className="grid content-start gap-10">
          <Stock mayMove={mayMove} {...stock} />
          {delay && <DelayOrders productId={product.id} shipsFrom={mayEdit ? typed.shipsFrom : ""} {...delay} />}
          <Pictures images={product.images} mayEdit={mayEdit} />
          {mayEdit && <Archive {...product} />}
        </div>
      </div>
    </>
  );
}
