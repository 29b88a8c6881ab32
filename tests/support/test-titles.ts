/** Names of tests, as docs/security.md and docs/promises.md cite them: the end of the file's path, and the title. */
import { globSync, readFileSync } from "node:fs";

const files = globSync("{app,platform,shop,server,sandboxes,db,scripts,tests}/**/*.test.{ts,tsx}");

/** A title as it stands in quotes in the source of a test. */
const hasTitle = (file: string, title: string) =>
  ['"', "'", "`"].some((quote) =>
    readFileSync(file, "utf8").includes(quote + title.replaceAll(quote, `\\${quote}`) + quote),
  );

/** The file of "http/account › shows each tab", or the problem of its name. */
export function findTest(cited: string): { file: string } | { problem: string } {
  const [name = "", title = ""] = cited.split(" › ");
  const found = files.filter((file) => `/${file.replace(/\.test\.tsx?$/, "")}`.endsWith(`/${name}`));
  if (name === "" || found.length !== 1) return { problem: `'${cited}' names ${found.length} tests` };
  const file = found[0]!;
  return hasTitle(file, title) ? { file } : { problem: `${file} has no test '${title}'` };
}
