// Images with the mark: icons, the letterhead of emails, the Open Graph picture.
// node art/brand.ts (npm run brand)
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { mark, wordmark } from "#app/ui/chrome/mark.ts";

const LEAF = "#4F5F3F";
const PAPER = "#F6F4EF";
const INK = "#16191C";

const publicDir = resolve(import.meta.dirname, "../public");
const banner = join(import.meta.dirname, "masters/banner.png");

const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">\n  ${content}\n</svg>\n`;
const filledMark = (color: string) => `<path fill="${color}" fill-rule="evenodd" d="${mark.path}" />`;
const draw = (source: string, width: number) => sharp(Buffer.from(source), { density: 600 }).resize({ width });

/** The mark centered on a leaf-green square, as wide as `share` of it. */
function icon(share: number, corner: number): string {
  const scale = (64 * share) / mark.width;
  const x = (64 - mark.width * scale) / 2;
  const y = (64 - mark.height * scale) / 2;
  const ground = `<rect width="64" height="64"${corner ? ` rx="${corner}"` : ""} fill="${LEAF}" />`;
  return svg(
    64,
    64,
    `${ground}\n  <g transform="translate(${+x.toFixed(2)} ${+y.toFixed(2)}) scale(${+scale.toFixed(3)})">${filledMark(PAPER)}</g>`,
  );
}

const wordmarkSvg = () =>
  svg(
    wordmark.width,
    wordmark.height,
    `${filledMark(LEAF)}<path fill="none" stroke="${INK}" stroke-width="${wordmark.stroke}" d="${wordmark.letters}" />`,
  );

/** Wraps one PNG in an ICO container. */
function ico(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of images
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // color planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

async function drawIcons(): Promise<void> {
  const rounded = icon(0.72, 15);
  const small = icon(0.82, 13); // less padding at 16 px
  const png = (source: string, size: number) => draw(source, size).png({ compressionLevel: 9 });
  await writeFile(join(publicDir, "favicon.svg"), small);
  await writeFile(join(publicDir, "favicon.ico"), ico(await png(small, 32).toBuffer(), 32));
  for (const size of [192, 512]) await png(rounded, size).toFile(join(publicDir, `icon-${size}.png`));
  // Phones crop these icons, so they fill the square and the mark stays in the inner circle.
  await png(icon(0.66, 0), 180).toFile(join(publicDir, "apple-touch-icon.png"));
  await png(icon(0.56, 0), 512).toFile(join(publicDir, "icon-maskable-512.png"));
}

/** Drawn at twice its size, on the emails' background, since some mail programs turn transparency black. */
async function drawLetterhead(): Promise<void> {
  await draw(wordmarkSvg(), 240)
    .flatten({ background: PAPER })
    .png({ palette: true })
    .toFile(join(publicDir, "images/mail-wordmark.png"));
}

/** The banner's bowl on the right, wordmark and headline on the wall to its left. */
async function drawOpenGraph(): Promise<void> {
  const headline = await readFile(join(import.meta.dirname, "headline.svg"));
  await sharp(banner)
    .extract({ left: 440, top: 0, width: 1905, height: 1000 })
    .resize(1200, 630)
    .composite([
      { input: await draw(wordmarkSvg(), 236).toBuffer(), left: 68, top: 72 },
      { input: await sharp(headline, { density: 288 }).resize({ width: 400 }).toBuffer(), left: 70, top: 190 },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(join(publicDir, "images/og.jpg"));
}

await drawIcons();
await drawLetterhead();
if (existsSync(banner)) await drawOpenGraph();
else console.log("art/masters/banner.png is not here, so public/images/og.jpg stays as it is.");
