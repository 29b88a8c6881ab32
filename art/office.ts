// Every screen of the back office with a year of the demo in it, on docs/back-office.jpg.
// node art/office.ts, after the build; needs a browser
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADMIN_SCREENS } from "../tests/support/admin-screens.ts";
import { LINE, sheet } from "./contact-sheet.ts";

const folder = mkdtempSync(join(tmpdir(), "polara-office-"));
execFileSync("node_modules/.bin/playwright", ["test", "admin-screens", "-g", "a year"], {
  stdio: "inherit",
  env: { ...process.env, OFFICE_PICTURES: folder },
});
const wide = ADMIN_SCREENS.map(({ name }) => ({ file: join(folder, `${name}.png`), width: 484 }));
const narrow = ADMIN_SCREENS.filter(({ isForPhones }) => isForPhones).map(({ name }) => ({
  file: join(folder, `${name}-phone.png`),
  width: 200,
}));
await sheet(
  "docs/back-office.jpg",
  [
    { height: 303, tiles: wide },
    { height: 433, tiles: narrow },
  ],
  LINE,
);
rmSync(folder, { recursive: true });
