/** Up to six pictures, each with what it shows. */
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  MIN_PICTURE_WIDTH,
  SHOTS,
} from "../../../../shop/catalog/desk/picture-rules.ts";
import { useActResult } from "../../../ui/admin/act-form.tsx";
import { AdminSelect } from "../../../ui/admin/field.tsx";

const MEGABYTES = MAX_PICTURE_BYTES / 1024 / 1024;

export function PictureInputs({ count = MAX_PICTURES }: { count?: number }) {
  const error = useActResult()?.errors?.pictures;
  return (
    <fieldset className="grid gap-3" aria-describedby={error ? "pictures-error" : "pictures-hint"}>
      <p id="pictures-hint" className="max-w-prose text-ink-soft">
        JPEG, PNG, WebP or AVIF, at least {MIN_PICTURE_WIDTH} pixels wide and at most {MEGABYTES} MB each. The first
        stands for the product in lists. What a camera writes into a file is left out.
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
          <AdminSelect name="shot" label={`What picture ${index + 1} shows`} defaultValue="">
            {SHOTS.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </AdminSelect>
        </div>
      ))}
      {error && (
        <p id="pictures-error" className="font-medium text-error">
          {error} Choose the pictures again.
        </p>
      )}
    </fieldset>
  );
}
