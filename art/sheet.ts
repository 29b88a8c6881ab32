// Everything there is to see, small: all pictures on docs/pictures.jpg, all pages and states on docs/pages.jpg.
// node art/sheet.ts, after art/encode.ts and after looks were accepted; needs no masters
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { pictures } from "../app/ui/product/pictures.generated.ts";
import { SCREENS } from "../tests/support/screens.ts";

type Tile = { file: string; width: number };

const root = resolve(import.meta.dirname, "..");
const WIDTH = 1500;
const GAP = 10;
const PAPER = "#F6F4EF";
const LINE = "#C9C9BA";

/** Lays rows of one height, each tile filled from its top, onto one sheet. */
async function sheet(out: string, rows: { height: number; tiles: Tile[] }[], ground: string): Promise<void> {
  const laid: OverlayOptions[] = [];
  let bottom = GAP;
  for (const { height, tiles } of rows) {
    let [left, top] = [GAP, bottom];
    for (const { file, width } of tiles) {
      if (left + width + GAP > WIDTH) [left, top] = [GAP, top + height + GAP];
      const image = sharp(join(root, file));
      const { width: wide, height: high } = await image.metadata();
      const fit = high / wide < height / width ? "contain" : "cover";
      const input = await image.resize({ width, height, fit, position: "top", background: PAPER }).toBuffer();
      laid.push({ input, left, top });
      left += width + GAP;
    }
    bottom = top + height + GAP;
  }
  await sharp({ create: { width: WIDTH, height: bottom, channels: 3, background: ground } })
    .composite(laid)
    .jpeg({ quality: 78, mozjpeg: true })
    .toFile(join(root, out));
  console.log(`${out}: ${laid.length}`);
}

const ROW = 170;
const pictureTiles = Object.entries(pictures).map(([name, { width, height }]) => ({
  file: `public/images/${name}-400.webp`,
  width: Math.round((ROW * width) / height),
}));
await sheet("docs/pictures.jpg", [{ height: ROW, tiles: pictureTiles }], PAPER);

/** Pages first, in the order a customer meets them, then states. */
async function looks(folder: string, width: number): Promise<Tile[]> {
  const files = await readdir(join(root, folder));
  const pages = SCREENS.map(({ name }) => `${name}.jpg`);
  const states = files.filter((file) => !pages.includes(file)).sort();
  return [...pages, ...states].map((file) => ({ file: join(folder, file), width }));
}

await sheet(
  "docs/pages.jpg",
  [
    { height: 240, tiles: await looks("tests/looks/desktop", 202) },
    { height: 240, tiles: await looks("tests/looks/phone", 114) },
  ],
  LINE,
);
