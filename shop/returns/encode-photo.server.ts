import { inTurn, openUpload } from "#shop/catalog/pictures/encode-picture.server.ts";
import { MAX_PHOTO_BYTES } from "./photo.ts";

const SIDE = 2000;

const PROBLEMS = {
  format: "We can’t read this file. Choose a JPEG, PNG, WebP or AVIF photo",
  pixels: "This photo has too many pixels. Choose a smaller one",
  damaged: "This photo is damaged. Choose another one",
};

/**
 * Decodes a photo by its content, turns it upright and encodes it as a JPEG of at most 2,000 pixels and 4 MB. Metadata
 * (place, device, time) is removed.
 */
export const encodePhoto = (bytes: Uint8Array): Promise<{ body: Buffer } | { problem: string }> =>
  inTurn(async () => {
    const upload = await openUpload(bytes);
    if (upload.problem) return { problem: PROBLEMS[upload.problem] };
    const resized = upload.open().resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true });
    const body = await resized
      .flatten({ background: "#ffffff" })
      .toColorspace("srgb")
      .jpeg({ quality: 80 })
      .toBuffer()
      .catch(() => null);
    return body && body.length <= MAX_PHOTO_BYTES ? { body } : { problem: PROBLEMS.damaged };
  });
