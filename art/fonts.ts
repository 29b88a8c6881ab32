// Copies the site's typeface from its package: node art/fonts.ts
import { copyFileSync } from "node:fs";

const PACKAGE = "node_modules/@fontsource-variable/instrument-sans";
copyFileSync(`${PACKAGE}/files/instrument-sans-latin-wght-normal.woff2`, "app/fonts/instrument-sans.woff2");
copyFileSync(`${PACKAGE}/LICENSE`, "app/fonts/LICENSE");
