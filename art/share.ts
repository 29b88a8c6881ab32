// Cuts every encoded picture to 1200x630, for where a page is shared. JPEG: not all that show a link know WebP.
// node art/share.ts, after art/encode.ts; needs no masters
import { join, resolve } from "node:path";
import sharp from "sharp";
import { pictures } from "../app/ui/product/pictures.generated.ts";

const imagesDir = resolve(import.meta.dirname, "../public/images");

for (const [name, picture] of Object.entries(pictures)) {
  const width = parseInt(picture);
  await sharp(join(imagesDir, `${name}-${width}.webp`))
    .resize({ width: 1200, height: 630, fit: "cover" })
    .jpeg({ quality: 78, mozjpeg: true })
    .toFile(join(imagesDir, `${name}-og.jpg`));
}
