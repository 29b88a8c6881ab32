// All pictures of the site on one small sheet, whole and in rows of one height: docs/pictures.jpg
import { join, resolve } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { pictures } from "../app/ui/pictures.generated.ts";

const root = resolve(import.meta.dirname, "..");
const WIDTH = 1500;
const ROW = 170;
const GAP = 10;
const PAPER = "#F6F4EF";

let [left, top] = [GAP, GAP];
const tiles: OverlayOptions[] = [];
for (const [name, { width, height }] of Object.entries(pictures)) {
  const tileWidth = Math.round((ROW * width) / height);
  if (left + tileWidth + GAP > WIDTH) [left, top] = [GAP, top + ROW + GAP];
  const input = await sharp(join(root, `public/images/${name}-400.webp`))
    .resize(tileWidth, ROW)
    .toBuffer();
  tiles.push({ input, left, top });
  left += tileWidth + GAP;
}
await sharp({ create: { width: WIDTH, height: top + ROW + GAP, channels: 3, background: PAPER } })
  .composite(tiles)
  .jpeg({ quality: 78, mozjpeg: true })
  .toFile(join(root, "docs/pictures.jpg"));
console.log(`docs/pictures.jpg: ${tiles.length} pictures`);
