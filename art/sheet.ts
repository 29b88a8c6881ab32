// All pictures of the site on one small sheet: docs/pictures.jpg
import { join, resolve } from "node:path";
import sharp from "sharp";
import { pictures } from "../app/ui/pictures.generated.ts";

const root = resolve(import.meta.dirname, "..");
const COLUMNS = 8;
const CELL = 180;
const GAP = 10;
const PAPER = "#F6F4EF";

const names = Object.keys(pictures);
const tiles = await Promise.all(
  names.map((name) =>
    sharp(join(root, `public/images/${name}-400.webp`))
      .resize(CELL, CELL, { fit: "cover", position: name === "banner" ? "right" : "center" })
      .toBuffer(),
  ),
);
const step = CELL + GAP;
await sharp({
  create: {
    width: COLUMNS * step + GAP,
    height: Math.ceil(names.length / COLUMNS) * step + GAP,
    channels: 3,
    background: PAPER,
  },
})
  .composite(
    tiles.map((input, i) => ({ input, left: GAP + (i % COLUMNS) * step, top: GAP + Math.floor(i / COLUMNS) * step })),
  )
  .jpeg({ quality: 78, mozjpeg: true })
  .toFile(join(root, "docs/pictures.jpg"));
console.log(`docs/pictures.jpg: ${names.length} pictures`);
