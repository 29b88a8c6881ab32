/** Pictures of a product, and the file input shared with new products. */
import { counted } from "#shop/units.ts";
import { useState, type DragEvent } from "react";
import { MAX_ALT, MAX_PICTURE_BYTES, MAX_PICTURES, MIN_PICTURE_WIDTH } from "#shop/catalog/back-office/product-form.ts";
import { AdminForm, Control, FieldError, useAdminField } from "#app/ui/admin/field.tsx";
import { Submit } from "#app/ui/form/form.tsx";
import { Section } from "#app/ui/admin/page-head.tsx";
import { EmptyState } from "#app/ui/admin/table.tsx";
import { Picture } from "#app/ui/product/picture.tsx";

const MEGABYTES = MAX_PICTURE_BYTES / 1024 / 1024;

/** The policy of the page allows data addresses for pictures, and no others. */
const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.readAsDataURL(file);
  });

/** Files are selected or dropped on the input. */
export function PictureInput({ room = MAX_PICTURES }: { room?: number }) {
  const { error } = useAdminField("pictures");
  const [previews, setPreviews] = useState<string[]>([]);
  return (
    <div className="grid w-full gap-2">
      <label htmlFor="pictures" className="font-medium">
        Select pictures, or drop them here
      </label>
      <input
        id="pictures"
        type="file"
        name="pictures"
        multiple
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "pictures-error" : "pictures-hint"}
        onChange={({ target }) => void Promise.all([...(target.files ?? [])].map(dataUrl)).then(setPreviews)}
        className="admin-field border-dashed px-4 py-8 file:mr-3 file:rounded-full file:border file:border-line file:bg-paper file:px-3"
      />
      <p id="pictures-hint" className="text-ink-soft">
        {`${counted(room, "picture")} at most: JPEG, PNG, WebP or AVIF, at least ${MIN_PICTURE_WIDTH} pixels wide, up to ${MEGABYTES} MB each. The first is the main picture. Camera metadata is removed.`}
      </p>
      <FieldError id="pictures-error">{error}</FieldError>
      {previews.length > 0 && (
        <ul aria-label="Selected pictures" className="grid grid-cols-4 gap-2">
          {previews.map((url, index) => (
            <li key={url}>
              <img src={url} alt={`Selection ${index + 1}`} className="aspect-square w-full rounded-lg object-cover" />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Sends the form with a move: `{name}:{new index}`, or `{name}:remove`. */
function sendMove(form: HTMLFormElement, move: string): void {
  const button = form.querySelector<HTMLButtonElement>("button[hidden]");
  if (!button) return;
  button.value = move;
  form.requestSubmit(button);
}

type OneProps = { name: string; alt: string; index: number; last: number };

function OnePicture({ name, alt, index, last }: OneProps) {
  const number = index + 1;
  const drop = (event: DragEvent<HTMLLIElement>) => {
    event.preventDefault();
    const moved = event.dataTransfer.getData("text/plain");
    const form = event.currentTarget.closest("form");
    if (form && moved && moved !== name) sendMove(form, `${moved}:${index}`);
  };
  return (
    <li
      draggable
      onDragStart={({ dataTransfer }) => dataTransfer.setData("text/plain", name)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      className="grid grid-cols-[96px_minmax(0,1fr)] gap-3 border-t border-line py-3"
    >
      <Picture
        name={name}
        alt={alt || `Picture ${number}`}
        sizes="96px"
        imgClassName="pointer-events-none aspect-square w-full cursor-grab rounded-lg object-cover"
      />
      <div className="grid content-start gap-2">
        <input type="hidden" name="key" value={name} />
        <Control
          as="input"
          name="alt"
          label={index === 0 ? "Description of the main picture" : `Description of picture ${number}`}
          defaultValue={alt}
          maxLength={MAX_ALT}
        />
        <div className="flex flex-wrap gap-1.5">
          {index > 0 && (
            <Submit
              name="do"
              value={`${name}:${index - 1}`}
              aria-label={`Move picture ${number} up`}
              className="btn px-2.5!"
            >
              Up
            </Submit>
          )}
          {index < last && (
            <Submit
              name="do"
              value={`${name}:${index + 1}`}
              aria-label={`Move picture ${number} down`}
              className="btn px-2.5!"
            >
              Down
            </Submit>
          )}
          <Submit name="do" value={`${name}:remove`} aria-label={`Remove picture ${number}`} className="btn px-2.5!">
            Remove
          </Submit>
        </div>
      </div>
    </li>
  );
}

type PicturesProps = { images: string[]; alts: Record<string, string>; mayEdit: boolean };

function Arranged({ images, alts }: Omit<PicturesProps, "mayEdit">) {
  return (
    <AdminForm intent="picture" className="grid justify-items-start gap-2">
      {/* The first button answers Enter in a field, and sends what was dragged. */}
      <Submit name="do" value="" hidden>
        Save
      </Submit>
      <ul className="w-full">
        {images.map((name, index) => (
          <OnePicture
            key={`${name} ${alts[name] ?? ""}`}
            name={name}
            alt={alts[name] ?? ""}
            index={index}
            last={images.length - 1}
          />
        ))}
      </ul>
      <p className="text-ink-soft">
        Drag pictures to change their order. Descriptions are read to people who can’t see them.
      </p>
      <Submit name="do" value="" className="btn">
        Save descriptions
      </Submit>
    </AdminForm>
  );
}

export function Pictures({ images, alts, mayEdit }: PicturesProps) {
  const room = MAX_PICTURES - images.length;
  return (
    <Section title="Pictures">
      {images.length === 0 && <EmptyState>No pictures yet, so shoppers see a placeholder. Add one below.</EmptyState>}
      {mayEdit && images.length > 0 && <Arranged images={images} alts={alts} />}
      {!mayEdit && (
        <ul className="grid grid-cols-3 gap-3">
          {images.map((name, index) => (
            <li key={name}>
              <Picture
                name={name}
                alt={alts[name] ?? `Picture ${index + 1}`}
                sizes="160px"
                imgClassName="aspect-square w-full rounded-lg object-cover"
              />
            </li>
          ))}
        </ul>
      )}
      {mayEdit && room > 0 && (
        <AdminForm
          intent="pictures"
          encType="multipart/form-data"
          // A new form after an upload has no selected files.
          key={images.length}
        >
          <PictureInput room={room} />
          <Submit className="btn" busy="Processing…">
            Upload
          </Submit>
        </AdminForm>
      )}
      {mayEdit && room <= 0 && (
        <p className="text-ink-soft">{`A product can have up to ${MAX_PICTURES} pictures. Remove one to add another.`}</p>
      )}
    </Section>
  );
}
