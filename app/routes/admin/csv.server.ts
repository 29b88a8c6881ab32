import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { clock } from "#shop/clock.ts";

/** Download of rows by column name, read while it is sent. */
export function csvFile(name: string, rows: AsyncIterable<object>): Response {
  // Spreadsheets must not run a cell as a formula.
  const table = stringify({ header: true, escape_formulas: true });
  // A failure aborts the download; a closed connection stops the database read.
  pipeline(Readable.from(rows), table, () => {});
  return new Response(Readable.toWeb(table) as ReadableStream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${clock.now().toISOString().slice(0, 10)}.csv"`,
    },
  });
}
