/** The pictures of a product, in their order. */
import { MAX_PICTURES } from "../../../../../shop/catalog/desk/picture-rules.ts";
import { ActForm } from "../../../../ui/admin/act-form.tsx";
import { EmptyList } from "../../../../ui/admin/page-head.tsx";
import { Picture } from "../../../../ui/product/picture.tsx";
import { PictureInputs } from "../picture-inputs.tsx";

export function Pictures({ path, images, mayEdit }: { path: string; images: string[]; mayEdit: boolean }) {
  const room = MAX_PICTURES - images.length;
  return (
    <section aria-labelledby="pictures" className="grid gap-3">
      <h2 id="pictures">Pictures</h2>
      {images.length === 0 && <EmptyList>None yet: shoppers see a gray tile. Add the first one below.</EmptyList>}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {images.map((name, index) => (
          <li key={name} className="grid content-start gap-1.5">
            <Picture
              name={name}
              alt={`Picture ${index + 1}`}
              sizes="160px"
              imgClassName="aspect-square w-full rounded-lg object-cover"
            />
            {mayEdit && (
              <div className="flex flex-wrap gap-1.5">
                {index === 0 && <span className="py-2 text-ink-soft">Stands first</span>}
                <ActForm act="picture" path={path} rowKey={name}>
                  {index > 0 && (
                    <button type="submit" name="do" value="first" className="act px-2.5!">
                      First
                    </button>
                  )}{" "}
                  <button
                    type="submit"
                    name="do"
                    value="remove"
                    aria-label={`Remove picture ${index + 1}`}
                    className="act px-2.5!"
                  >
                    Remove
                  </button>
                </ActForm>
              </div>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && room > 0 && (
        <details className="group">
          <summary className="act list-none">Add pictures</summary>
          <ActForm act="pictures" path={path} encType="multipart/form-data" className="mt-3 grid gap-3">
            {({ isPending }) => (
              <>
                <PictureInputs count={room} />
                <div>
                  <button type="submit" className="act" disabled={isPending}>
                    {isPending ? "Making them ready…" : "Upload"}
                  </button>
                </div>
              </>
            )}
          </ActForm>
        </details>
      )}
      {mayEdit && room <= 0 && (
        <p className="text-ink-soft">A product has at most {MAX_PICTURES} pictures. Remove one to add another.</p>
      )}
    </section>
  );
}
