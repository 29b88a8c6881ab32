/** Pictures in emails, encoded again; other attachments are not kept. */
import { encodePhoto } from "#shop/returns/encode-photo.server.ts";
import type { Attachment } from "./parse-mail.server.ts";

const MAX_PICTURES = 10;
/** Pixels of all pictures of an email. */
const MAX_PIXELS = 60_000_000;

export type Kept = { pictures: { name: string; image: Buffer }[]; refused: string[] };

/** Encodes up to ten pictures of together 60 million pixels, which are counted before they are decoded. */
export async function keepPictures(attachments: Attachment[]): Promise<Kept> {
  const kept: Kept = { pictures: [], refused: [] };
  let pixels = MAX_PIXELS;
  for (const { name, bytes } of attachments) {
    const encoded =
      bytes && kept.pictures.length < MAX_PICTURES
        ? await encodePhoto(bytes, { source: "mail", maxPixels: pixels })
        : null;
    pixels -= encoded?.pixels ?? 0;
    if (encoded && "body" in encoded) kept.pictures.push({ name, image: encoded.body });
    else kept.refused.push(name);
  }
  return kept;
}
