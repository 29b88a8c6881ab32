import { expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";

const shop = useFreshDatabase(2);

/** Catalog notifications of a statement. */
async function notifications(statement: string): Promise<number> {
  const client = await shop.pool.connect();
  let heard = 0;
  client.on("notification", () => heard++);
  await client.query("LISTEN catalog");
  await client.query(statement);
  await client.query("SELECT 1");
  client.release(true);
  return heard;
}

const dock = "product_id = (SELECT id FROM products WHERE slug = 'charging-dock')";

it.each<[string, number, string]>([
  ["an edit of any column", 1, "UPDATE products SET ships_from = '2099-01-01' WHERE slug = 'charging-dock'"],
  ["a change of many products", 1, "UPDATE products SET description = 'All new'"],
  ["an edit that changes nothing", 0, "UPDATE products SET name = name"],
  ["a product removed", 1, "DELETE FROM products WHERE slug = 'travel-sleeve'"],
  ["another swatch", 1, "UPDATE colors SET hex = '#000000' WHERE name = 'Earth Green'"],
  ["stock that pages show", 1, `UPDATE stock SET inventory_count = 3 WHERE ${dock}`],
  ["stock that comes in", 1, `UPDATE stock SET inventory_count = 500 WHERE ${dock}`],
  ["a sale of plenty", 0, `UPDATE stock SET inventory_count = inventory_count - 1 WHERE ${dock}`],
])("%s is notified %i times", async (_, times, statement) => {
  expect(await notifications(statement)).toBe(times);
});
