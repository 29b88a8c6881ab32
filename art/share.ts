// Cuts every picture of the site to 1200x630 for those it is shared with, and draws the icons.
// node art/share.ts, after art/encode.ts
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { pictures } from "../app/ui/pictures.generated.ts";

const SIZE = { width: 1200, height: 630 };
const LEAF = "#4F5F3F";
const publicDir = resolve(import.meta.dirname, "../public");

// JPEG, because not everything that shows a link knows WebP.
for (const [name, { width }] of Object.entries(pictures)) {
  const file = join(publicDir, "images", `${name}-${width}.webp`);
  if (!existsSync(file)) throw new Error(`${file} is missing: run art/encode.ts first.`);
  await sharp(file)
    .resize({ ...SIZE, fit: "cover", position: "centre" })
    .jpeg({ quality: 78, mozjpeg: true })
    .toFile(join(publicDir, "images", `${name}-og.jpg`));
}

// The phone cuts its own corners, so these fill their square; the bowl keeps within the safe circle.
for (const size of [192, 512]) {
  await sharp(join(publicDir, "favicon.svg"), { density: 72 * 8 })
    .resize(size, size)
    .flatten({ background: LEAF })
    .png({ palette: true })
    .toFile(join(publicDir, `icon-${size}.png`));
}
