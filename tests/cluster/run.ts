/** `npm run test:cluster`: the machines of deploy/ on loopback, and what visitors notice when one of them ends. */
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { startCluster } from "./cluster.ts";
import { Configs } from "./configs.ts";
import { missingPackages } from "./packages.ts";
import { story } from "./story.ts";

const missing = missingPackages();
if (missing) {
  console.log(missing);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "polara-cluster-"));
const configs = new Configs(folder, `127.${randomInt(1, 255)}.0`);
setDefaultCACertificates([...getCACertificates("default"), readFileSync(configs.certificate, "utf8")]);
try {
  const isGreen = await story(await startCluster(configs));
  if (isGreen) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  else console.log(`The logs are in ${folder}.`);
  process.exit(isGreen ? 0 : 1);
} catch (error) {
  console.error(error, `\nThe logs are in ${folder}.`);
  process.exit(1);
}
