// Copies the site's typeface from its package: node art/fonts.ts
import { copyFileSync } from "node:fs";

const PACKAGE = "node_modules/@fontsource-variable/instrument-sans";
for (const [subset, file] of [
  ["latin", "instrument-sans.woff2"],
  ["latin-ext", "instrument-sans-ext.woff2"],
])
  copyFileSync(`${PACKAGE}/files/instrument-sans-${subset}-wght-normal.woff2`, `app/fonts/${file}`);
copyFileSync(`${PACKAGE}/LICENSE`, "app/fonts/LICENSE");
