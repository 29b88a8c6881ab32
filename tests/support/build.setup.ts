/** The shop that is tested from outside is the one in the sources: it is built where they have changed since. */
import { execFileSync } from "node:child_process";

export default function setup() {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
}
