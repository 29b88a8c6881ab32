/** A large shop, filled by SQL: renamed copies of the catalog, orders of every status, messages, waitlist. */
import { openDatabase } from "#db/connection.server.ts";
import { rollUp } from "#shop/analytics/analytics.server.ts";

type Size = { copies: number; orders: number; people: number; ownOrders: number };

/** Both exceed the capacity of the page cache. */
export const SMALL: Size = { copies: 40, orders: 500, people: 500, ownOrders: 60 };
export const LARGE: Size = { copies: 834, orders: 1_000_000, people: 100_000, ownOrders: 2_000 };

/** Numbers as five-syllable words make distinct names. */
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

const PEOPLE = `INSERT INTO users (email, name, email_verified)
  SELECT $2 || '-' || n || '@example.com', 'Ada', true FROM generate_series(1, $1::int) AS n`;

/** The newest 4,000 orders are unshipped, the next 60,000 in transit. */
const PLACED = `
  CREATE TEMP TABLE placed AS
  SELECT n, gen_random_uuid() AS id, now() - n * interval '1 minute' AS at, abs(hashint4(n)) % 60 AS k,
    CASE WHEN n % 250 = 7 AND n < 20000 THEN 'unpaid' WHEN n % 100 = 1 THEN 'canceled' WHEN n % 500 = 2 THEN 'declined'
      WHEN n % 50 = 3 THEN 'expired' WHEN n <= 4000 THEN 'processing' WHEN n <= 64000 THEN 'shipped' ELSE 'delivered' END AS status
  FROM generate_series(1, $1::int) AS n`;

const ORDERS = `
  INSERT INTO orders (id, checkout_key, user_id, session_id, status, subtotal, shipping, tax, total, email, phone,
    shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code,
    shipping_method, promised_on, terms_version, created_at, hold_until, on_hold_since, rest_to_ship, utm_source, utm_campaign)
  SELECT placed.id, gen_random_uuid(), u.id, CASE WHEN u.id IS NULL THEN gen_random_uuid() END, status, 14900, 0, 0, 14900,
    coalesce(u.email, 'guest-' || placed.n || '@example.com'), '2125550100', pg_temp.word(placed.n % 400),
    pg_temp.word((sqrt(placed.n::bigint * 7907 % 1000000) * 10)::int), '12 Analytical Ave', 'New York', 'NY', '10001',
    'standard', at::date + 30, '2025-01-01', at, CASE WHEN status = 'unpaid' THEN at + interval '30 minutes' END,
    CASE WHEN status = 'processing' AND placed.n % 40 = 0 THEN at END, status = 'shipped' AND placed.n % 100 = 9,
    CASE WHEN k < 30 THEN 'source-' || k % 4 END, CASE WHEN k < 30 THEN 'campaign-' || k END
  FROM placed LEFT JOIN (SELECT id, email, row_number() OVER (ORDER BY email) AS place FROM users WHERE email LIKE 'buyer-%') AS u
    ON u.place = placed.n % ($1::int * 2)`;

const OWN = `UPDATE orders SET user_id = $1, session_id = NULL WHERE id IN
  (SELECT id FROM orders WHERE status = 'delivered' ORDER BY created_at DESC LIMIT $2)`;

const LINES = `
  WITH catalog AS MATERIALIZED (SELECT id, name, price, row_number() OVER (ORDER BY id) AS place FROM products)
  INSERT INTO order_items (order_id, product_id, name, price, quantity, created_at)
  SELECT placed.id, catalog.id, catalog.name, catalog.price, 1 + n % 3, at
  FROM placed CROSS JOIN generate_series(0, 1) AS line JOIN catalog
    ON place = CASE WHEN line = 0 AND n % 3 = 0 THEN 1 ELSE 1 + (n * 7 + line) % (SELECT count(*) FROM catalog) END
  WHERE (n + line) % 2 + line < 2`;

const PAYMENTS = `
  INSERT INTO payments (order_id, provider, reference, intent_reference, state, amount, authorized, captured, refunded,
    capture_before, disputed_until, created_at)
  SELECT id, 'stripe', 'cs_' || n, 'pi_' || n, state, 14900, 14900, captured,
    CASE WHEN captured > 0 AND n % 61 = 0 THEN 14900 WHEN captured > 0 AND n % 61 = 1 THEN 2000 ELSE 0 END,
    CASE WHEN state = 'authorized' THEN at + interval '4 days' END,
    CASE WHEN captured > 0 AND n % 20000 = 5 THEN now() + interval '3 days' END, at
  FROM (SELECT *, CASE WHEN state = 'captured' THEN 14900 ELSE 0 END AS captured FROM (
    SELECT *, CASE WHEN status IN ('shipped', 'delivered') THEN 'captured' WHEN status = 'processing' AND n % 80 = 0 THEN 'failed'
      WHEN status = 'processing' THEN 'authorized' WHEN status = 'unpaid' THEN 'open' ELSE 'closed' END AS state
    FROM placed WHERE n % 12 <> 0) AS stated) AS counted`;

const EVENTS = `INSERT INTO order_events (order_id, type, to_status, actor, at)
  SELECT id, 'placed', 'processing', 'guest', at FROM placed`;

const CARTS = `
  WITH catalog AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY id) AS place FROM products)
  INSERT INTO cart_items (session_id, product_id, quantity)
  SELECT gen_random_uuid(), id, 1 FROM generate_series(1, $1::int) AS n
    JOIN catalog ON place = 1 + n % (SELECT count(*) FROM catalog)`;

const WAITLIST = `
  INSERT INTO waitlist (user_id, email, utm_source, utm_campaign, verified_at)
  SELECT id, email, 'source-' || k % 4, 'campaign-' || k % 30, CASE WHEN k % 5 > 0 THEN now() END
  FROM (SELECT id, email, substring(email FROM '[0-9]+')::int AS k FROM users WHERE email LIKE 'waits-%') AS numbered`;

const MESSAGES = `
  INSERT INTO contact_messages (name, email, message, status, created_at)
  SELECT 'Ada ' || left(md5(n::text), 6), 'writes-' || n || '@example.com',
    'My bowl arrived late, number ' || md5(n::text) || '. Please help.', (ARRAY['open', 'closed', 'closed'])[1 + n % 3],
    now() - n * interval '5 minutes'
  FROM generate_series(1, $1::int) AS n`;

const COUNTS = `
  INSERT INTO daily_counts (day, event, utm_source, utm_campaign, count)
  SELECT current_date - ago, event, 'source-' || k % 4, 'campaign-' || k, 115
  FROM generate_series(0, 700) AS ago, unnest(ARRAY['visit', 'product-view', 'cart', 'checkout']) AS event, generate_series(0, 29) AS k`;

/** Fills a fresh database. The customer owns the newest `ownOrders` delivered orders. Returns addresses of products. */
export async function fillShop(url: string, size: Size, customerId: string | null = null): Promise<string[]> {
  const { copies, orders, people, ownOrders } = size;
  const { db, pool } = openDatabase(url, 1, null);
  const run = (text: string, ...values: unknown[]) => pool.query(text, values);
  await run("SET synchronous_commit = off");
  await run("SET work_mem = '256MB'");
  await run(WORDS);
  await run(PRODUCTS, copies);
  // One product in fifty is sold out.
  await run(`UPDATE stock SET inventory_count = CASE WHEN hashtext(product_id::text) % 50 = 0 THEN 0 ELSE 1000000 END`);
  await run(PEOPLE, people, "buyer");
  await run(PEOPLE, people, "waits");
  await run(PLACED, orders);
  await run(ORDERS, people);
  if (customerId) await run(OWN, customerId, ownOrders);
  await run(LINES);
  await run(PAYMENTS);
  await run(EVENTS);
  await run(CARTS, orders);
  await run(WAITLIST);
  await run(MESSAGES, people);
  await run(COUNTS);
  await run("VACUUM ANALYZE");
  await rollUp(db);
  const { rows } = await pool.query<{ slug: string }>("SELECT slug FROM products ORDER BY id LIMIT 400");
  await pool.end();
  return rows.map(({ slug }) => `/product/${slug}`);
}
