import { redirect, type ActionFunctionArgs } from "react-router";
import { getProduct } from "#shop/catalog/catalog.server.ts";
import { createProduct } from "#shop/catalog/back-office/edit-product.server.ts";
import { NEW_PRODUCT, PRODUCT_FIELDS } from "#shop/catalog/back-office/product-form.ts";
import { db } from "#platform/database.server.ts";
import { requireFreshStaff, staffMay } from "#app/session/staff.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead } from "#app/ui/admin/page-head.tsx";
import { refused } from "#app/http/form.server.ts";
import { actions, fieldError, rejected, unverified } from "../action.server.ts";
import { productChoices, currentSchema, encodeUploads, readUploadAction } from "./product-form.server.ts";
import type { Route } from "./+types/new.ts";
import { PictureInputs } from "./pictures.tsx";
import { PreviewButton, ProductFields } from "./product-fields.tsx";

export async function loader() {
  return { choices: await productChoices(), typed: NEW_PRODUCT };
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
  return redirect(`/admin/products/${created.id}`);
}

export const action = actions({ create });

export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

export default function NewProduct({ loaderData: { choices, typed } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Add product" />
      <AdminForm intent="create" encType="multipart/form-data" className="grid max-w-3xl gap-5">
        {({ sent }) => (
          <>
            <ProductFields typed={typed} choices={choices} />
            <section className="grid gap-3 border-t border-line pt-5">
              <h2>Pictures</h2>
              <PictureInputs />
            </section>
            <div className="flex flex-wrap gap-2">
              <Submit className="btn btn-primary" busy="Saving…">
                Save product
              </Submit>
              <PreviewButton />
            </div>
            {sent && <p className="text-ink-soft">Processing pictures. This takes a few seconds each.</p>}
          </>
        )}
      </AdminForm>
    </>
  );
}
