/** `npm run bench [part …]`: measures the shop, each figure beside its budget. README.md says how to read it. */
import { prepareTemplate } from "../tests/support/database.setup.ts";
import type { Bench } from "./databases.ts";
import { printSummary, printTable, type Row } from "./report.ts";

const parts: Record<string, { title: string; measure: () => Promise<(bench: Bench) => Promise<Row[]>> }> = {
  bytes: { title: "First load in a browser", measure: async () => (await import("./bytes.ts")).bytes },
  lighthouse: { title: "Lighthouse, mobile", measure: async () => (await import("./lighthouse.ts")).lighthouseScores },
  tasks: { title: "Tasks of a slow phone", measure: async () => (await import("./tasks.ts")).longestTasks },
  presses: { title: "Press to paint, on a slow phone", measure: async () => (await import("./presses.ts")).pressTimes },
  inp: { title: "The longest press of a visit", measure: async () => (await import("./inp.ts")).inp },
  navigation: { title: "The next page", measure: async () => (await import("./navigation.ts")).navigation },
  pages: { title: "Pages a second", measure: async () => (await import("./pages.ts")).pages },
  orders: { title: "Carts and orders a second", measure: async () => (await import("./orders.ts")).orders },
  paying: { title: "Orders that have to be paid", measure: async () => (await import("./paying.ts")).paying },
  bare: { title: "Beside bare Node with pg", measure: async () => (await import("./beside-bare.ts")).besideBare },
  "sign-ins": { title: "A thousand sign-ins at once", measure: async () => (await import("./sign-ins.ts")).signIns },
  statements: { title: "SQL statements", measure: async () => (await import("./statements.ts")).statements },
  growth: { title: "100,000 products, 1,000,000 orders", measure: async () => (await import("./growth.ts")).growth },
  office: { title: "The back office over 1,000,000 orders", measure: async () => (await import("./office.ts")).office },
  process: { title: "The process", measure: async () => (await import("./process.ts")).processFigures },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

const { stop, ...bench } = await prepareTemplate({ isDurable: true });
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(130)));
}
const all: Row[] = [];
try {
  for (const [name, { title, measure }] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const rows = await (await measure())(bench);
    printTable(`${name}: ${title}`, rows);
    all.push(...rows);
  }
  printSummary(all);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stop();
}
process.exit();
