// Cuts the typeface into the files that the site serves, by the unicode-range of each in app/font.css.
// node art/fonts.ts   (Debian: apt-get install fonttools python3-brotli)
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";

const PACKAGE = "node_modules/@fontsource-variable/instrument-sans";
const WHOLE = `${PACKAGE}/files/instrument-sans-latin-wght-normal.woff2`;
const FACE = /url\("\.\/(fonts\/[\w-]+\.woff2)"\)[^}]*?unicode-range:([^;]+);/g;

for (const [, file, range = ""] of readFileSync("app/font.css", "utf8").matchAll(FACE)) {
  const unicodes = `--unicodes=${range.replaceAll(/\s+/g, "")}`;
  // Prices and counts stand in columns: figures of one width are no feature that is kept unasked.
  execFileSync("pyftsubset", [
    WHOLE,
    unicodes,
    "--layout-features+=tnum",
    "--flavor=woff2",
    `--output-file=app/${file}`,
  ]);
}
copyFileSync(`${PACKAGE}/LICENSE`, "app/fonts/LICENSE");
