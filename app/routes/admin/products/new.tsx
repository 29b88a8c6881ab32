import { redirect, type ActionFunctionArgs } from "react-router";
import { getProduct } from "#shop/catalog/catalog.server.ts";
import { listOtherColors } from "#shop/catalog/colors.server.ts";
import { createProduct, getProductRecord } from "#shop/catalog/back-office/edit-product.server.ts";
import { NEW_PRODUCT, PRODUCT_FIELDS, typedAnotherColor } from "#shop/catalog/back-office/product-form.ts";
import { unsentUnits } from "#shop/fulfillment/shipments.server.ts";
import { openingStock } from "#shop/inventory/move-form.ts";
import { moveStock } from "#shop/inventory/stock.server.ts";
import { db } from "#platform/database.server.ts";
import { requireFreshStaff, staffMay } from "#app/session/staff.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { SaveBar } from "#app/ui/admin/unsaved-changes.tsx";
import { refused } from "#app/http/form.server.ts";
import { actions, fieldError, rejected, unverified } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import { productChoices, currentSchema, readUploadAction, storeUploads } from "./product-form.server.ts";
import type { Route } from "./+types/new.ts";
import { LivePreview } from "./live-preview.tsx";
import { PreviewButton, ProductFields } from "./product-fields.tsx";

/** `?from=` a product begins with its texts, specs and prices: another color of its model. */
async function copiedProduct(request: Request) {
  const from = new URL(request.url).searchParams.get("from");
  return isId(from) ? getProductRecord(db, from) : null;
}

export async function loader({ request }: Route.LoaderArgs) {
  const copied = await copiedProduct(request);
  return {
    choices: await productChoices(copied ? listOtherColors(db, copied) : undefined),
    from: copied?.id ?? null,
    model: copied?.model ?? null,
    typed: copied ? typedAnotherColor(copied) : NEW_PRODUCT,
  };
}

async function create(args: ActionFunctionArgs, intent: string) {
  const action = await readUploadAction(args, intent, [...PRODUCT_FIELDS, "stock"]);
  const read = (await currentSchema()).and(openingStock).safeParse(Object.fromEntries(action.form));
  if (!read.success) return rejected(action, read.error);
  const { stock, ...values } = read.data;
  if (values.colorVariant === null && (await copiedProduct(args.request)))
    return fieldError(action, "colorVariant", "Choose a color");
  if (!staffMay(action.context, "products:price") || !staffMay(action.context, "stock:move"))
    return refused(action, "Your role cannot set prices and stock.", { status: 403 });
  const problem = await requireFreshStaff(action.context, action.form.get("code"));
  if (problem) return unverified(action, problem);
  const slugTaken = () => fieldError(action, "slug", "Another product has this URL handle", 409);
  if (await getProduct(db, values.slug)) return slugTaken();
  const stored = await storeUploads(action);
  if ("problem" in stored) return fieldError(action, "pictures", stored.problem);
  const created = await createProduct(db, action.by, values, stored.names, async (tx, productId) => {
    const opening = { productId, reason: "counted", note: "Opening stock", formKey: crypto.randomUUID() } as const;
    if (stock !== undefined) await moveStock(tx, action.by, { ...opening, counted: stock }, unsentUnits(productId));
  });
  if (!created.ok) return slugTaken();
  return redirect(`/admin/products/${created.id}?added`);
}

export const action = actions({ create });

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const FORM = "create-";
const NOTHING_YET = { id: "", images: [], thumbnail: null, inventoryCount: 0 };

export default function NewProduct({ loaderData: { choices, typed, from, model } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={model ? `Add a color of ${model}` : "Add product"} />
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        <AdminForm
          intent="create"
          action={from ? `?intent=create&from=${from}` : "?intent=create"}
          encType="multipart/form-data"
          messageAt="none"
          className="grid max-w-3xl gap-5"
          key={model}
        >
          {({ sent, result }) => (
            <>
              <ProductFields typed={typed} choices={choices} model={model} />
              <SaveBar formId={FORM} result={result}>
                <Submit className="btn btn-primary" busy="Saving…">
                  Save product
                </Submit>
                <PreviewButton />
              </SaveBar>
              {sent && <p className="text-ink-soft">Processing pictures. This takes a few seconds each.</p>}
            </>
          )}
        </AdminForm>
        <LivePreview formId={FORM} typed={typed} rest={NOTHING_YET} colors={choices.colors} />
      </div>
    </>
  );
}
