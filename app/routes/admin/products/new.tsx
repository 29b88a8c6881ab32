import { redirect, type ActionFunctionArgs } from "react-router";
import { getProduct } from "#shop/catalog/catalog.server.ts";
import { createProduct, getProductRecord } from "#shop/catalog/back-office/edit-product.server.ts";
import { NEW_PRODUCT, PRODUCT_FIELDS, typedAnotherColor } from "#shop/catalog/back-office/product-form.ts";
import { db } from "#platform/database.server.ts";
import { requireFreshStaff, staffMay } from "#app/session/staff.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { SaveBar } from "#app/ui/admin/unsaved-changes.tsx";
import { refused } from "#app/http/form.server.ts";
import { actions, fieldError, rejected, unverified } from "../action.server.ts";
import { isId } from "../guard.server.ts";
import { productChoices, currentSchema, encodeUploads, readUploadAction } from "./product-form.server.ts";
import type { Route } from "./+types/new.ts";
import { LivePreview } from "./live-preview.tsx";
import { PictureInput } from "./pictures.tsx";
import { PreviewButton, ProductFields } from "./product-fields.tsx";

/** `?from=` a product begins with its texts, specs and prices: another color of its model. */
export async function loader({ request }: Route.LoaderArgs) {
  const from = new URL(request.url).searchParams.get("from");
  const copied = isId(from) ? await getProductRecord(db, from) : null;
  return {
    choices: await productChoices(),
    model: copied?.model ?? null,
    typed: copied ? typedAnotherColor(copied) : NEW_PRODUCT,
  };
}

async function create(args: ActionFunctionArgs, intent: string) {
  const action = await readUploadAction(args, intent, PRODUCT_FIELDS);
  const read = (await currentSchema()).safeParse(Object.fromEntries(action.form));
  if (!read.success) return rejected(action, read.error);
  if (!staffMay(action.context, "products:price"))
    return refused(action, "Your role cannot set prices.", { status: 403 });
  const problem = await requireFreshStaff(action.context, action.form.get("code"));
  if (problem) return unverified(action, problem);
  const slugTaken = () => fieldError(action, "slug", "Another product has this URL handle", 409);
  if (await getProduct(db, read.data.slug)) return slugTaken();
  const encoded = await encodeUploads(action);
  if ("problem" in encoded) return fieldError(action, "pictures", encoded.problem);
  const created = await createProduct(db, action.by, read.data, encoded.names, encoded.store);
  if (!created.ok) return slugTaken();
  return redirect(`/admin/products/${created.id}?added`);
}

export const action = actions({ create });

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const FORM = "create-";
const NOTHING_YET = { id: "", images: [], thumbnail: null, inventoryCount: 0 };

export default function NewProduct({ loaderData: { choices, typed, model } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={model ? `Add a color of ${model}` : "Add product"} />
      <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        <AdminForm
          intent="create"
          encType="multipart/form-data"
          messageAt="none"
          className="grid max-w-3xl gap-5"
          key={model}
        >
          {({ sent, result }) => (
            <>
              <ProductFields typed={typed} choices={choices} model={model} />
              <section className="grid gap-3 border-t border-line pt-5">
                <h2>Pictures</h2>
                <PictureInput />
              </section>
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
