// Cuts the typeface into the files that the site serves, by the unicode-range of each in app/font.css.
// node art/fonts.ts   (Debian: apt-get install fonttools python3-brotli)
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGE = "node_modules/@fontsource-variable/instrument-sans";
const WHOLE = `${PACKAGE}/files/instrument-sans-latin-wght-normal.woff2`;
const folder = mkdtempSync(join(tmpdir(), "fonts-"));
const withPlusMinus = join(folder, "instrument-sans.ttf");
const FACE = /url\("\.\/(fonts\/[\w-]+\.woff2)"\)[^}]*?unicode-range:([^;]+);/g;

execFileSync("python3", ["art/plus-minus.py", WHOLE, withPlusMinus]);
for (const [, file, range = ""] of readFileSync("app/font.css", "utf8").matchAll(FACE)) {
  const unicodes = `--unicodes=${range.replaceAll(/\s+/g, "")}`;
  // Prices and counts stand in columns: figures of one width are no feature that is kept unasked.
  execFileSync("pyftsubset", [
    withPlusMinus,
    unicodes,
    "--layout-features+=tnum",
    "--flavor=woff2",
    `--output-file=app/${file}`,
  ]);
}
rmSync(folder, { recursive: true });
copyFileSync(`${PACKAGE}/LICENSE`, "app/fonts/LICENSE");
