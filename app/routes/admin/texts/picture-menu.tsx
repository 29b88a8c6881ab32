/** Pictures for a text, chosen or uploaded above it. Without JavaScript an upload answers in another tab. */
import { useEffect, useRef } from "react";
import { AdminText } from "#app/ui/admin/field.tsx";
import { picture, type MarkdownPicture } from "#app/ui/admin/markdown-edits.ts";
import { typeInto } from "#app/ui/admin/markdown-toolbar.tsx";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { Picture } from "#app/ui/product/picture.tsx";
import { pictures } from "#app/ui/product/pictures.generated.ts";
import { PictureInput } from "./fields.tsx";

/** The popover that the picture button of the text opens. */
export const PICTURE_MENU = "pictures";

function insert(chosen: MarkdownPicture): void {
  const area = document.forms.namedItem("text")?.elements.namedItem("markdown");
  if (area instanceof HTMLTextAreaElement) typeInto(area, picture(chosen)(area));
}

export function PictureMenu() {
  const menu = useRef<HTMLElement>(null);
  const answer = useActionResult<MarkdownPicture>("picture");
  const handled = useRef(answer);
  useEffect(() => {
    if (answer === handled.current) return;
    handled.current = answer;
    if (!answer?.data) return;
    menu.current?.hidePopover();
    insert(answer.data);
  }, [answer]);
  return (
    <section
      ref={menu}
      id={PICTURE_MENU}
      popover="auto"
      aria-label="Insert a picture"
      className="admin-menu inset-0 m-auto max-h-[80dvh] w-88 overflow-y-auto [position-area:none] noscript:static noscript:block noscript:max-h-none"
    >
      <Form
        id="picture"
        action="?intent=picture"
        encType="multipart/form-data"
        target="_blank"
        messageAt="end"
        className="grid justify-items-start gap-3"
      >
        <PictureInput label="Upload a picture" />
        <AdminText
          name="alt"
          label="Alternative text"
          hint="What the picture shows, for people who can’t see it."
          className="w-full"
        />
        <Submit busy="Uploading…" className="btn">
          Upload picture
        </Submit>
      </Form>
      <p className="mt-5 mb-2 font-medium noscript:hidden">Pictures of the shop</p>
      <ul className="grid grid-cols-3 gap-2 noscript:hidden">
        {Object.keys(pictures).map((name) => (
          <li key={name}>
            <button
              type="button"
              popoverTarget={PICTURE_MENU}
              popoverTargetAction="hide"
              title={name}
              onClick={() => insert({ name, alt: "" })}
            >
              <Picture
                name={name}
                alt={name.replaceAll("-", " ")}
                sizes="96px"
                imgClassName="aspect-3/2 rounded-lg object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
