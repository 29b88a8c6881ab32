// Contact sheets: pictures and pages on docs/pictures.jpg and docs/pages.jpg, or the back office on docs/back-office.jpg.
// node art/sheets.ts, after art/encode.ts and accepted looks; node art/sheets.ts office, after the build
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { pictures } from "#app/ui/product/pictures.generated.ts";
import { ADMIN_SCREENS } from "#tests/support/admin-screens.ts";
import { SCREENS } from "#tests/support/screens.ts";

type Tile = { file: string; width: number };

const root = resolve(import.meta.dirname, "..");
const WIDTH = 1500;
const GAP = 10;
const PAPER = "#F6F4EF";
const LINE = "#C9C9BA";

/** Lays out rows of tiles, each filled from its top. */
async function sheet(out: string, rows: { height: number; tiles: Tile[] }[], ground: string): Promise<void> {
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

/** Pages in the order of a visit, then states. */
async function looks(folder: string, width: number): Promise<Tile[]> {
  const files = await readdir(join(root, folder));
  const pages = SCREENS.map(({ name }) => `${name}.jpg`);
  const states = files.filter((file) => !pages.includes(file)).sort();
  return [...pages, ...states].map((file) => ({ file: join(folder, file), width }));
}

async function shop(): Promise<void> {
  const height = 170;
  const tiles = Object.entries(pictures).map(([name, picture]) => {
    const [wide = 1, high = 1] = picture.split(/[x-]/).map(Number);
    return { file: `public/images/${name}-400.webp`, width: Math.round((height * wide) / high) };
  });
  await sheet("docs/pictures.jpg", [{ height, tiles }], PAPER);
  const rows = [await looks("tests/looks/desktop", 202), await looks("tests/looks/phone", 114)];
  await sheet(
    "docs/pages.jpg",
    rows.map((pages) => ({ height: 240, tiles: pages })),
    LINE,
  );
}

/** Screens of the back office with the demo's year. */
async function office(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "polara-office-"));
  execFileSync("node_modules/.bin/playwright", ["test", "admin-screens", "-g", "a year"], {
    stdio: "inherit",
    env: { ...process.env, OFFICE_PICTURES: folder, NIGHTLY: "1" },
  });
  const wide = ADMIN_SCREENS.map(({ name }) => ({ file: join(folder, `${name}.png`), width: 484 }));
  const narrow = ADMIN_SCREENS.filter(({ isForPhones }) => isForPhones).map(({ name }) => ({
    file: join(folder, `${name}-phone.png`),
    width: 200,
  }));
  const rows = [
    { height: 303, tiles: wide },
    { height: 433, tiles: narrow },
  ];
  await sheet("docs/back-office.jpg", rows, LINE);
  rmSync(folder, { recursive: true });
}

await (process.argv[2] === "office" ? office() : shop());
