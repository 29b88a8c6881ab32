/** Downloads: the code that they need, and CSV files. */
import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { redirect, type ActionFunctionArgs } from "react-router";
import { clock } from "#shop/clock.ts";
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

/** Download of rows by column name, read while it is sent. */
export function csvFile(name: string, rows: AsyncIterable<object>): Response {
  // Spreadsheets must not run a cell as a formula, and need the mark to read the file as UTF-8.
  const table = stringify({ header: true, bom: true, escape_formulas: true });
  // A failure aborts the download; a closed connection stops the database read.
  pipeline(Readable.from(rows), table, () => {});
  return new Response(Readable.toWeb(table) as ReadableStream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${clock.now().toISOString().slice(0, 10)}.csv"`,
    },
  });
}
