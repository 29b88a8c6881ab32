import { expect, it } from "vitest";
import { useFreshDatabase } from "../../tests/support/fresh-database.ts";

const kept = useFreshDatabase(1);

it("a change of any column of a product is told to the pages, of the stock where it can be seen", async () => {
  const { rows } = await kept.pool.query<{ column: string; triggers: string[] }>(
    `SELECT attname AS column, array_remove(array_agg(tgname::text), NULL) AS triggers
     FROM pg_attribute a LEFT JOIN pg_trigger t ON t.tgrelid = a.attrelid AND a.attnum = ANY (t.tgattr) AND t.tgname LIKE '%changed'
     WHERE a.attrelid = 'products'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'updated_at' AND attgenerated = ''
     GROUP BY attname`,
  );
  for (const { column, triggers } of rows) {
    expect(triggers, column).toEqual([column === "inventory_count" ? "products_stock_changed" : "products_changed"]);
  }
});
