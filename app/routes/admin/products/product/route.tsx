/** One product: what it is, what it costs, how many there are. */
import { useState } from "react";
import { data, Link, useFetcher } from "react-router";
import { db } from "../../../../database.server.ts";
import { NO_STORE, privateHeaders } from "../../../../http/cache-headers.ts";
import { staffMay, staffOf } from "../../../../session/staff.server.ts";
import { ActForm } from "../../../../ui/admin/act-form.tsx";
import type { ActResult } from "../../../../ui/admin/act-result.ts";
import { CodeField } from "../../../../ui/admin/field.tsx";
import { PageHead } from "../../../../ui/admin/page-head.tsx";
import { Status } from "../../../../ui/admin/status.tsx";
import { PreviewButton, ProductFields } from "../product-fields.tsx";
import { actInBrowser } from "../../act-in-browser.ts";
import type { Route } from "./+types/route.ts";
import { Pictures } from "./pictures.tsx";
import { Retire } from "./retire.tsx";
import { Stock } from "./stock.tsx";

export const headers = privateHeaders;

const nothing = () => data(null, { status: 404 });

export async function loader({ params, context }: Route.LoaderArgs) {
  const [{ choicesNow, idSchema, priceWords, typedOf }, { getDeskProduct }, { countUnsent }, { listStockMoves }] =
    await Promise.all([
      import("../typed-product.server.ts"),
      import("../../../../../shop/catalog/desk/desk-product.server.ts"),
      import("../../../../../shop/fulfillment/unsent-units.server.ts"),
      import("../../../../../shop/inventory/stock.server.ts"),
    ]);
  const id = idSchema.safeParse(params.productId);
  if (!id.success) throw nothing();
  const [product, unsent, moves, choices] = await Promise.all([
    getDeskProduct(db, id.data),
    countUnsent(db, id.data),
    listStockMoves(db, id.data),
    choicesNow(),
  ]);
  if (!product) throw nothing();
  const { name, slug, version, isOrdered, retiredAt, isAvailable, images, inventoryCount } = product;
  return data(
    {
      product: { id: product.id, name, slug, version, isOrdered, isRetired: retiredAt !== null, isAvailable, images },
      typed: typedOf(product),
      priceHint: priceWords(product, new Date()),
      choices,
      stock: {
        units: inventoryCount,
        unsent,
        moves: moves.map(({ id: move, at, delta, reason, note, by }) => ({ id: move, at, delta, reason, note, by })),
        formKey: crypto.randomUUID(),
      },
      isFresh: staffOf(context).isFresh,
      mayEdit: staffMay(context, "products:edit"),
      mayMove: staffMay(context, "stock:move"),
    },
    { headers: NO_STORE },
  );
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const [{ productAct }, { idSchema }] = await Promise.all([
    import("./acts.server.ts"),
    import("../typed-product.server.ts"),
  ]);
  const id = idSchema.safeParse(params.productId);
  if (!id.success) throw nothing();
  return productAct(request, context, id.data);
}

type Loaded = Route.ComponentProps["loaderData"];

/** Shows the product as it was when it was opened or last saved here: what others save meanwhile never slips under it. */
function Editor({ path, loaded }: { path: string; loaded: Loaded }) {
  const { data: answer, state } = useFetcher<ActResult>({ key: `${path} edit ` });
  const [seen, setSeen] = useState(loaded);
  const [handled, setHandled] = useState(answer);
  if (state === "idle" && answer !== handled) {
    setHandled(answer);
    if (answer?.ok) setSeen(loaded);
  }
  const { product, typed, choices, priceHint } = seen;
  return (
    <ActForm act="edit" path={path} key={product.version} className="grid max-w-3xl gap-5">
      {({ isPending, result }) => (
        <>
          <input type="hidden" name="version" value={result?.typed?.version ?? product.version} />
          <ProductFields
            typed={typed}
            choices={choices}
            isRetired={product.isRetired}
            priceHint={priceHint}
            {...(product.isOrdered && { slugFixed: "It was ordered, so its address stays: links lead there." })}
          />
          {!loaded.isFresh && <p className="-mb-3 text-ink-soft">Only for a change of price:</p>}
          <CodeField isFresh={loaded.isFresh} />
          <div className="flex flex-wrap gap-2">
            {result?.typed?.over ? (
              <button type="submit" name="over" value={result.typed.over} className="act act-next">
                Save over it
              </button>
            ) : (
              <button type="submit" className="act act-next">
                {isPending ? "Saving…" : "Save"}
              </button>
            )}
            <PreviewButton productId={product.id} />
          </div>
        </>
      )}
    </ActForm>
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

export const clientAction = actInBrowser;

export default function ProductScreen({ loaderData }: Route.ComponentProps) {
  const { product, stock, mayEdit, mayMove } = loaderData;
  const path = `/admin/products/${product.id}`;
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
          product.isRetired ? (
            <Status tone="quiet">Retired</Status>
          ) : product.isAvailable ? (
            <Status tone="done">Available</Status>
          ) : (
            <Status tone="quiet">Not available</Status>
          )
        }
      >
        <a href={`/product/${product.slug}`} className="act">
          Its page in the shop
        </a>
      </PageHead>
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        {mayEdit ? <Editor key={product.id} path={path} loaded={loaderData} /> : <Facts {...loaderData} />}
        <div className="grid content-start gap-10">
          <Stock path={path} mayMove={mayMove} {...stock} />
          <Pictures path={path} images={product.images} mayEdit={mayEdit} />
          {mayEdit && <Retire path={path} product={product} />}
        </div>
      </div>
    </>
  );
}
