import { expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";

const kept = useFreshDatabase(1);

/** Each column of a table, and the triggers that hear of its change. */
const heard = async (table: string) =>
  (
    await kept.pool.query<{ column: string; triggers: string[] }>(
      `SELECT attname AS column, array_remove(array_agg(tgname::text), NULL) AS triggers
     FROM pg_attribute a LEFT JOIN pg_trigger t ON t.tgrelid = a.attrelid AND a.attnum = ANY (t.tgattr) AND t.tgname LIKE '%changed'
     WHERE a.attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'updated_at' AND attgenerated = ''
     GROUP BY attname`,
      [table],
    )
  ).rows;

it("a change of any column of a product is told to the pages, and of its stock", async () => {
  for (const { column, triggers } of await heard("products")) expect(triggers, column).toEqual(["products_changed"]);
  expect(await heard("stock")).toContainEqual({ column: "inventory_count", triggers: ["stock_changed"] });
});
