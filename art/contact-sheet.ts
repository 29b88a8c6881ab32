// Lays many pictures onto one.
import { join, resolve } from "node:path";
import sharp, { type OverlayOptions } from "sharp";

export type Tile = { file: string; width: number };

export const root = resolve(import.meta.dirname, "..");
const WIDTH = 1500;
const GAP = 10;
export const PAPER = "#F6F4EF";
export const LINE = "#C9C9BA";

/** Lays rows of one height, each tile filled from its top, onto one sheet. */
export async function sheet(out: string, rows: { height: number; tiles: Tile[] }[], ground: string): Promise<void> {
  const laid: OverlayOptions[] = [];
  let bottom = GAP;
  for (const { height, tiles } of rows) {
    let [left, top] = [GAP, bottom];
    for (const { file, width } of tiles) {
      if (left + width + GAP > WIDTH) [left, top] = [GAP, top + height + GAP];
      const image = sharp(resolve(root, file));
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
