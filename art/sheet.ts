// Everything there is to see, small: all pictures on docs/pictures.jpg, all pages and states on docs/pages.jpg.
// node art/sheet.ts, after art/encode.ts and after looks were accepted; needs no masters
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pictures } from "../app/ui/product/pictures.generated.ts";
import { SCREENS } from "../tests/support/screens.ts";
import { LINE, PAPER, root, sheet, type Tile } from "./contact-sheet.ts";

const ROW = 170;
const pictureTiles = Object.entries(pictures).map(([name, picture]) => {
  const [width = 1, height = 1] = picture.split(/[x-]/).map(Number);
  return { file: `public/images/${name}-400.webp`, width: Math.round((ROW * width) / height) };
});
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
