/** A new product, with its pictures. */
import { data, redirect } from "react-router";
import { db } from "../../../database.server.ts";
import { NO_STORE, privateHeaders } from "../../../http/cache-headers.ts";
import { actingOf, requireFreshStaff, staffMay, staffOf } from "../../../session/staff.server.ts";
import { ActForm } from "../../../ui/admin/act-form.tsx";
import { CodeField } from "../../../ui/admin/field.tsx";
import { PageHead } from "../../../ui/admin/page-head.tsx";
import { invalid, refused, unproved } from "../act.server.ts";
import { actInBrowser } from "../act-in-browser.ts";
import type { Route } from "./+types/new.ts";
import { PictureInputs } from "./picture-inputs.tsx";
import { PreviewButton, ProductFields } from "./product-fields.tsx";

export const headers = privateHeaders;

export async function loader({ context }: Route.LoaderArgs) {
  const { choicesNow, NOTHING_TYPED } = await import("./typed-product.server.ts");
  return data(
    { choices: await choicesNow(), typed: NOTHING_TYPED, isFresh: staffOf(context).isFresh },
    { headers: NO_STORE },
  );
}

export async function action({ request, context }: Route.ActionArgs) {
  const [{ schemaNow }, { PRODUCT_FIELDS }, { createProduct }, upload] = await Promise.all([
    import("./typed-product.server.ts"),
    import("../../../../shop/catalog/desk/product-form.ts"),
    import("../../../../shop/catalog/desk/create-product.server.ts"),
    import("./upload-act.server.ts"),
  ]);
  const act = await upload.readUploadAct(request, PRODUCT_FIELDS);
  const read = (await schemaNow()).safeParse(Object.fromEntries(act.form));
  if (!read.success) return invalid(act, read.error);
  if (!staffMay(context, "products:price")) return refused(act, "Your role sets no prices.", { status: 403 });
  const unproven = await requireFreshStaff(context, act.form.get("code"));
  if (unproven) return unproved(act, unproven);
  const kept = await upload.keepUploads(act);
  if ("problem" in kept) return refused(act, "", { status: 400, errors: { pictures: kept.problem } });
  const created = await createProduct(db, actingOf(context), read.data, kept.names);
  if (!created.ok) {
    return refused(act, "", { errors: { slug: "Another product has this address" } });
  }
  return redirect(`/admin/products/${created.id}`);
}

export const clientAction = actInBrowser;

export default function NewProduct({ loaderData: { choices, typed, isFresh } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="New product" />
      <ActForm act="create" path="/admin/products/new" encType="multipart/form-data" className="grid max-w-3xl gap-5">
        {({ isPending }) => (
          <>
            <ProductFields typed={typed} choices={choices} />
            <section className="grid gap-3 border-t border-line pt-5">
              <h2>Pictures</h2>
              <PictureInputs />
            </section>
            <CodeField isFresh={isFresh} />
            <div className="flex flex-wrap gap-2">
              <button type="submit" className="act act-next" disabled={isPending}>
                {isPending ? "Adding…" : "Add the product"}
              </button>
              <PreviewButton />
            </div>
            {isPending && (
              <p className="text-ink-soft">Pictures are made ready in four sizes: that takes some seconds each.</p>
            )}
          </>
        )}
      </ActForm>
    </>
  );
}
