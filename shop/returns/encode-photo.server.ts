import { MAX_PIXELS, openUpload } from "#shop/catalog/pictures/encode-picture.server.ts";
import { openTurns } from "#shop/turns.ts";
import { MAX_PHOTO_BYTES } from "./photo.ts";

const SIDE = 2000;

const PROBLEMS = {
  format: "We can’t read this file. Choose a JPEG, PNG, WebP or AVIF photo",
  pixels: "This photo has too many pixels. Choose a smaller one",
  damaged: "This photo is damaged. Choose another one",
};

/** Photos of customers do not wait for what strangers send by email. */
const turns = { returns: openTurns(), mail: openTurns() };

type Options = { source?: keyof typeof turns; maxPixels?: number };
/** `pixels` are those that were decoded, also of a damaged photo. */
type Encoded = ({ body: Buffer } | { problem: string }) & { pixels: number };

/**
 * Decodes a photo by its content, turns it upright and encodes it as a JPEG of at most 2,000 pixels and 4 MB. Metadata
 * (place, device, time) is removed.
 */
export const encodePhoto = (
  bytes: Uint8Array,
  { source = "returns", maxPixels = MAX_PIXELS }: Options = {},
): Promise<Encoded> =>
  turns[source](async () => {
    const upload = await openUpload(bytes, maxPixels);
    if (upload.problem) return { problem: PROBLEMS[upload.problem], pixels: 0 };
    const { pixels } = upload;
    const resized = upload.open().resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true });
    const body = await resized
      .flatten({ background: "#ffffff" })
      .toColorspace("srgb")
      .jpeg({ quality: 80 })
      .toBuffer()
      .catch(() => null);
    return body && body.length <= MAX_PHOTO_BYTES ? { body, pixels } : { problem: PROBLEMS.damaged, pixels };
  });
