/** Pictures of a product, and the file inputs shared with new products. */
import { MAX_PICTURE_BYTES, MAX_PICTURES, MIN_PICTURE_WIDTH, SHOTS } from "#shop/catalog/back-office/product-form.ts";
import { AdminForm, Control, FieldError, optionList, useAdminField } from "#app/ui/admin/field.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { Section } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { Picture } from "#app/ui/product/picture.tsx";

const MEGABYTES = MAX_PICTURE_BYTES / 1024 / 1024;

export function PictureInputs({ count = MAX_PICTURES }: { count?: number }) {
  const { error } = useAdminField("pictures");
  return (
    <fieldset className="grid gap-3" aria-describedby={error ? "pictures-error" : "pictures-hint"}>
      <p id="pictures-hint" className="max-w-prose text-ink-soft">
        JPEG, PNG, WebP or AVIF, at least {MIN_PICTURE_WIDTH} pixels wide, up to {MEGABYTES} MB each. The first is the
        main picture. Camera metadata is removed.
      </p>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="grid items-start gap-x-3 gap-y-1 sm:grid-cols-[1fr_240px]">
          <div className="grid gap-1">
            <label htmlFor={`picture-file-${index}`} className="font-medium">
              Picture {index + 1}
            </label>
            <input
              id={`picture-file-${index}`}
              type="file"
              name="pictures"
              accept="image/jpeg,image/png,image/webp,image/avif"
              aria-invalid={error && index === 0 ? true : undefined}
              className="admin-field py-1.5 file:mr-3 file:rounded-full file:border file:border-line file:bg-paper file:px-3"
            />
          </div>
          <Control as="select" name="shot" label={`Shot ${index + 1}`} defaultValue="">
            {optionList(SHOTS.map(({ name, label }) => [name, label]))}
          </Control>
        </div>
      ))}
      <FieldError id="pictures-error">{error && `${error} Select the pictures again.`}</FieldError>
    </fieldset>
  );
}

export function Pictures({ images, mayEdit }: { images: string[]; mayEdit: boolean }) {
  const room = MAX_PICTURES - images.length;
  return (
    <Section title="Pictures">
      {images.length === 0 && <EmptyState>No pictures yet, so shoppers see a placeholder. Add one below.</EmptyState>}
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
                {index === 0 && <span className="py-2 text-ink-soft">Main picture</span>}
                <AdminForm intent="picture" of={name} className="flex flex-wrap gap-1.5">
                  <input type="hidden" name="key" value={name} />
                  {index > 0 && (
                    <Submit name="do" value="first" className="btn px-2.5!">
                      Make main
                    </Submit>
                  )}
                  <Submit name="do" value="remove" aria-label={`Remove picture ${index + 1}`} className="btn px-2.5!">
                    Remove
                  </Submit>
                </AdminForm>
              </div>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && room > 0 && (
        <details className="group">
          <summary className="btn list-none">Add pictures</summary>
          <AdminForm intent="pictures" encType="multipart/form-data" className="mt-3 grid gap-3">
            <PictureInputs count={room} />
            <div>
              <Submit className="btn" busy="Processing…">
                Upload
              </Submit>
            </div>
          </AdminForm>
        </details>
      )}
      {mayEdit && room <= 0 && (
        <p className="text-ink-soft">A product can have up to {MAX_PICTURES} pictures. Remove one to add another.</p>
      )}
    </Section>
  );
}
