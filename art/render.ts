// Renders named shots with Blender: npm run art -- pro-earth-green-hero [--size 1600] [--spp 48] [--draft]
// Without a name it lists them. Runs at the lowest priority, since a picture takes minutes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const PACKAGES = "blender python3-numpy python3-openimageio fonts-inter g++";
const blender = process.env.BLENDER ?? "blender";
const answers = (command: string) => spawnSync(command, ["--version"], { encoding: "utf8" });

function refuse(sentence: string): never {
  console.error(`${sentence}\nOn Debian: apt-get install -y ${PACKAGES}`);
  process.exit(1);
}

const found = answers(blender);
if (found.status !== 0) refuse(`Blender was not found as '${blender}' (set BLENDER to its path, or install it).`);
const version = /Blender (\d+)\.(\d+)/.exec(found.stdout);
if (version?.[1] !== "3") refuse(`The scenes are made for Blender 3.4; this is ${found.stdout.split("\n")[0]}.`);
if (answers("g++").status !== 0) refuse("The denoiser is compiled on first use and needs g++.");

const scene = [
  "-b",
  "--factory-startup",
  "--python-exit-code",
  "3",
  "--python",
  join(import.meta.dirname, "render.py"),
];
const { status } = spawnSync("nice", ["-n", "19", blender, "-t", "2", ...scene, "--", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
