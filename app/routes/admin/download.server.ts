/** Downloads: the code that they need, and CSV files. */
import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { redirect, type ActionFunctionArgs } from "react-router";
import { clock } from "#shop/clock.ts";
import { csvCell, type Cells } from "#shop/csv-cell.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { readForm } from "#app/http/form.server.ts";
import { CODE_FIELD, requireFreshStaff } from "#app/session/staff.server.ts";

/** Leads a download without a recent code back to its `page`, which asks for one. Null if a code counts. */
export async function codeRefusal({ request, context }: ActionFunctionArgs, page: string): Promise<Response | null> {
  const typed = (await readForm(request, [CODE_FIELD])).get(CODE_FIELD);
  if ((await requireFreshStaff(context, typed)) === null) return null;
  const { searchParams } = new URL(request.url);
  searchParams.delete("intent");
  searchParams.set("export", typed ? "wrong-code" : "code");
  return redirect(`${page}?${searchParams}#export`, 303);
}

/** Download of rows by column name, read while it is sent. All CSV files of the back office are made here. */
export function csvFile(name: string, rows: AsyncIterable<Cells>): Response {
  // Spreadsheets must not run a cell as a formula, and need the mark to read the file as UTF-8.
  const table = stringify({ header: true, bom: true, escape_formulas: true });
  // A failure aborts the download; a closed connection stops the database read.
  pipeline(Readable.from(cellsOf(rows)), table, () => {});
  return new Response(Readable.toWeb(table) as ReadableStream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${newYorkDay(clock.now())}.csv"`,
    },
  });
}

async function* cellsOf(rows: AsyncIterable<Cells>) {
  for await (const row of rows)
    yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, csvCell(value)]));
}
