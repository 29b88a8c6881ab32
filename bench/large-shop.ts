/** A shop as it is after years: copies of the opening catalog under other names, orders, carts. Filled by SQL alone. */
import { Client } from "pg";

export type Size = { copies: number; orders: number; cartLines: number; ownOrders: number };

/** Numbers as words of three syllables, so that each model has a name of its own that somebody may look for. */
const WORDS = `
  CREATE FUNCTION pg_temp.word(n integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT initcap(string_agg(substr('bakodemufilanorisutavepo', 1 + 2 * ((n / 12 ^ place)::int % 12), 2), '' ORDER BY place))
    FROM generate_series(0, 4) AS place $$`;

const PRODUCTS = `
  INSERT INTO products (name, slug, short_description, description, price, compare_at_price, early_bird_price,
    early_bird_end_date, thumbnail, images, specs, color_variant, category, featured, created_at)
  SELECT name || ' ' || pg_temp.word(n), slug || '-' || n, short_description, description || ' ' || pg_temp.word(n),
    price + n % 97 * 100, compare_at_price + n % 97 * 100, early_bird_price + n % 97 * 100, early_bird_end_date,
    thumbnail, images, specs, color_variant, category, featured AND n % 100 = 0, created_at - n * interval '1 minute'
  FROM products, generate_series(1, $1::int - 1) AS n ORDER BY n, slug`;

const ORDERS = `
  INSERT INTO orders (checkout_key, user_id, session_id, status, subtotal, shipping, tax, total, email, phone,
    shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code,
    shipping_method, created_at)
  SELECT gen_random_uuid(), u.id, CASE WHEN u.id IS NULL THEN gen_random_uuid() END, 'delivered', 14900, 0, 0, 14900,
    coalesce(u.email, 'guest-' || n || '@example.com'), '2125550100', 'Ada', 'Lovelace', '12 Analytical Ave', 'New York',
    'NY', '10001', 'standard', now() - n * interval '1 minute'
  FROM generate_series(1, $1::int) AS n
    LEFT JOIN (SELECT id, email, row_number() OVER (ORDER BY email) AS place FROM users WHERE email LIKE 'buyer-%') AS u
      ON u.place = n % 40000`;

const LINES = `
  WITH catalog AS MATERIALIZED (SELECT id, name, price, row_number() OVER (ORDER BY id) AS place FROM products),
    bought AS (SELECT id, row_number() OVER () AS n FROM orders WHERE id NOT IN (SELECT order_id FROM order_items))
  INSERT INTO order_items (order_id, product_id, name, price, quantity)
  SELECT bought.id, catalog.id, catalog.name, catalog.price, 1
  FROM bought, generate_series(0, 1) AS line, catalog
  WHERE (n + line) % 2 + line < 2 AND place = 1 + (n * 7 + line) % (SELECT count(*) FROM catalog)`;

const CARTS = `
  WITH catalog AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY id) AS place FROM products)
  INSERT INTO cart_items (session_id, product_id, quantity)
  SELECT gen_random_uuid(), id, 1 FROM generate_series(1, $1::int) AS n
    JOIN catalog ON place = 1 + n % (SELECT count(*) FROM catalog)`;

/** Fills a fresh database; `customer` is somebody who has ordered `ownOrders` times. */
export async function fillShop(url: string, { copies, orders, cartLines, ownOrders }: Size, customer: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const run = (text: string, ...values: unknown[]) => client.query(text, values);
  await run("SET synchronous_commit = off");
  await run("SET work_mem = '256MB'");
  await run(WORDS);
  // Learning the words of each product by itself takes longer than all the rest; the copies know no other new ones.
  await run("ALTER TABLE search_documents DISABLE TRIGGER search_words_learned");
  await run(PRODUCTS, copies);
  await run("ALTER TABLE search_documents ENABLE TRIGGER search_words_learned");
  await run(
    "INSERT INTO search_words SELECT DISTINCT lower(pg_temp.word(n)), true FROM generate_series(1, $1::int - 1) AS n",
    copies,
  );
  await run("UPDATE stock SET inventory_count = 1000000");
  // One in fifty is sold out, as in a shop that is looked after.
  await run(
    "UPDATE stock SET inventory_count = 0 WHERE product_id IN (SELECT id FROM products WHERE hashtext(slug) % 50 = 0)",
  );
  await run(
    "INSERT INTO users (email, name, email_verified) SELECT 'buyer-' || n || '@example.com', 'Ada', true FROM generate_series(1, $1::int) AS n",
    Math.min(20_000, orders),
  );
  await run(ORDERS, orders);
  await run(
    "UPDATE orders SET user_id = $1, session_id = NULL WHERE id IN (SELECT id FROM orders ORDER BY created_at DESC LIMIT $2)",
    customer,
    ownOrders,
  );
  await run(LINES);
  await run(
    "INSERT INTO order_events (order_id, type, to_status, actor, at) SELECT id, 'placed', 'processing', 'guest', created_at FROM orders",
  );
  await run(CARTS, cartLines);
  await run("VACUUM ANALYZE");
  await client.end();
}
