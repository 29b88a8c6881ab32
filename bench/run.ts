/** `npm run bench [part …]`: measures the shop against its budgets (README.md). */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHOP, startEmbeddedDatabase } from "#db/embedded.ts";
import { systemEnvironment } from "#platform/environment.ts";
import { administer, adminUrl, prepareTemplate } from "#tests/support/database.setup.ts";
import type { Bench } from "./measured.ts";
import type { Row } from "./report.ts";

const parts: Record<string, () => Promise<(bench: Bench) => Promise<Row[]>>> = {
  pages: async () => (await import("./pages.ts")).pages,
  serving: async () => (await import("./serving.ts")).serving,
  orders: async () => (await import("./orders.ts")).orders,
  growth: async () => (await import("./growth.ts")).growth,
  process: async () => (await import("./process.ts")).processFigures,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

/** PostgreSQL with pg_stat_statements. The library is loaded at start, so it starts twice. */
async function startCounting(folder: string) {
  const first = await startEmbeddedDatabase(folder, systemEnvironment());
  await administer(adminUrl(first.url, folder), "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await first.stop();
  const database = await startEmbeddedDatabase(folder, systemEnvironment());
  const admin = adminUrl(database.url, folder);
  await administer(admin, `ALTER ROLE ${SHOP} CREATEDB`);
  await administer(admin, "CREATE EXTENSION pg_stat_statements");
  return { ...database, admin };
}

const verdict = ({ holds }: Row) => (holds === undefined ? "" : holds ? "holds" : "SHORT");

const printTable = (rows: Row[]) =>
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.what,
        { ...row.figures, budget: row.budget ?? "", verdict: verdict(row), note: row.note ?? "" },
      ]),
    ),
  );

const folder = mkdtempSync(join(tmpdir(), "polara-bench-"));
const database = await startCounting(folder);
process.env.TEST_DATABASE_URL = database.url;
const { server, template, stop } = await prepareTemplate();
const end = async () => {
  await stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(130)));
}
const all: Row[] = [];
try {
  for (const [name, load] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const rows = await (await load())({ server, template, admin: database.admin });
    console.log(`\n${name}`);
    printTable(rows);
    all.push(...rows);
  }
  const budgets = all.filter(({ holds }) => holds !== undefined);
  console.log(`\n${budgets.filter(({ holds }) => holds).length} of ${budgets.length} budgets hold. Short:`);
  printTable(budgets.filter(({ holds }) => !holds));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await end();
}
process.exit();
