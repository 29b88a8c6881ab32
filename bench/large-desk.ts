/** A shop as its staff see it after years: a million paid orders of a hundred thousand customers in every status. Filled by SQL alone. */
import { Client } from "pg";
import { openDatabase } from "../db/connection.server.ts";
import { rollUp } from "../shop/numbers/roll-up.server.ts";
import { fillShop } from "./large-shop.ts";

export const ORDERS = 1_000_000;
const CUSTOMERS = 100_000;
/** Twelve times as many products. */
const COPIES = 834;

/** Names as people have them: some are common, most are rare. */
const NAMED = `
  CREATE FUNCTION pg_temp.syllables(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT initcap(string_agg(substr('bakodemufilanorisutavepo', (1 + 2 * ((n / 12 ^ place)::bigint % 12))::int, 2), '' ORDER BY place))
    FROM generate_series(0, 3) AS place $$`;

const NAMES = "CREATE TEMP TABLE names AS SELECT n, pg_temp.syllables(n) AS name FROM generate_series(0, 10000) AS n";

/** The newest 4,000 are to be shipped, the next 60,000 on their way; of the others some ended otherwise. */
const PLACED = `
  CREATE TEMP TABLE placed AS
  SELECT n, gen_random_uuid() AS id, now() - n * interval '1 minute' AS at,
    CASE WHEN n % 250 = 7 AND n < 20000 THEN 'unpaid' WHEN n % 100 = 1 THEN 'canceled' WHEN n % 500 = 2 THEN 'declined'
      WHEN n % 50 = 3 THEN 'lapsed' WHEN n <= 4000 THEN 'processing' WHEN n <= 64000 THEN 'shipped' ELSE 'delivered' END AS status
  FROM generate_series(1, $1::int) AS n`;

const ORDERED = `
  INSERT INTO orders (id, checkout_key, user_id, session_id, status, subtotal, shipping, tax, total, email, phone,
    shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code,
    shipping_method, created_at, hold_until, on_hold_since, rest_to_ship)
  SELECT placed.id, gen_random_uuid(), u.id, CASE WHEN u.id IS NULL THEN gen_random_uuid() END, status, 14900, 0, 0, 14900,
    coalesce(u.email, 'guest-' || placed.n || '@example.com'), '2125550100',
    first.name, last.name,
    '12 Analytical Ave', 'New York', 'NY', '10001', 'standard', at, CASE WHEN status = 'unpaid' THEN at + interval '30 minutes' END,
    CASE WHEN status = 'processing' AND placed.n % 40 = 0 THEN at END, status = 'shipped' AND placed.n % 100 = 9
  FROM placed LEFT JOIN (SELECT id, email, row_number() OVER (ORDER BY email) AS place FROM users WHERE email LIKE 'buyer-%') AS u
      ON u.place = placed.n % ($1::int * 2)
    JOIN names AS first ON first.n = (placed.n * 7919::bigint) % 400
    JOIN names AS last ON last.n = (sqrt(placed.n * 7907::bigint % 1000000) * 10)::int`;

const LINES = `
  WITH catalog AS MATERIALIZED (SELECT id, name, price, row_number() OVER (ORDER BY id) AS place FROM products)
  INSERT INTO order_items (order_id, product_id, name, price, quantity, created_at)
  SELECT placed.id, catalog.id, catalog.name, catalog.price, 1 + n % 3, at
  FROM placed CROSS JOIN generate_series(0, 1) AS line JOIN catalog
    ON place = CASE WHEN line = 0 AND n % 3 = 0 THEN 1 ELSE 1 + (n * 7 + line) % (SELECT count(*) FROM catalog) END
  WHERE (n + line) % 2 + line < 2`;

const PAID = `
  INSERT INTO payments (order_id, provider, reference, intent_reference, state, amount, authorized, captured, refunded,
    capture_before, disputed_until, hold_key, created_at)
  SELECT id, 'stripe', 'cs_' || n, 'pi_' || n, state, 14900, 14900, captured,
    CASE WHEN captured > 0 AND n % 61 = 0 THEN 14900 WHEN captured > 0 AND n % 61 = 1 THEN 2000 ELSE 0 END,
    CASE WHEN state = 'authorized' THEN at + interval '4 days' END,
    CASE WHEN captured > 0 AND n % 20000 = 5 THEN now() + interval '3 days' END, 'filled', at
  FROM (
    SELECT *, CASE WHEN state = 'captured' THEN 14900 ELSE 0 END AS captured FROM (
      SELECT *, CASE WHEN status IN ('shipped', 'delivered') THEN 'captured' WHEN status = 'processing' AND n % 80 = 0 THEN 'failed'
        WHEN status = 'processing' THEN 'authorized' WHEN status = 'unpaid' THEN 'open' ELSE 'closed' END AS state
      FROM placed WHERE n % 12 <> 0) AS stated) AS counted`;

/** As many orders of today as a million a year bring by its evening, at whatever time of day this is. */
const TODAY = `
  UPDATE orders SET created_at = midnight + n * (now() - midnight) / 3000
  FROM (SELECT id AS newest, row_number() OVER (ORDER BY created_at DESC) AS n FROM orders ORDER BY created_at DESC LIMIT 2800) AS x,
    (SELECT (now() AT TIME ZONE 'America/New_York')::date::timestamp AT TIME ZONE 'America/New_York' AS midnight) AS today
  WHERE id = newest`;

/** Thirty campaigns a day: of orders, of counted steps, of who waits. */
const CAMPAIGNS = `
  UPDATE orders SET utm_source = 'source-' || k % 4, utm_campaign = 'campaign-' || k
  FROM (SELECT id AS one, abs(hashtext(id::text)) % 60 AS k FROM orders) AS x WHERE id = one AND k < 30`;
const COUNTED = `
  INSERT INTO daily_counts (day, step, utm_source, utm_campaign, count)
  SELECT today - ago, step, CASE WHEN k = 30 THEN '' ELSE 'source-' || k % 4 END,
    CASE WHEN k = 30 THEN '' ELSE 'campaign-' || k END, 115
  FROM (SELECT (now() AT TIME ZONE 'America/New_York')::date AS today) AS days, generate_series(0, 700) AS ago,
    unnest(ARRAY['visit', 'product-view', 'cart', 'checkout']) AS step, generate_series(0, 30) AS k`;
const WAITING = `
  WITH people AS (
    INSERT INTO users (email, name, email_verified)
    SELECT 'waits-' || n || '@example.com', 'Ada', true FROM generate_series(1, $1::int) AS n RETURNING id, email
  )
  INSERT INTO waitlist (user_id, email, utm_source, utm_campaign, verified_at, is_invited)
  SELECT id, email, 'source-' || k % 4, 'campaign-' || k % 30, CASE WHEN k % 5 > 0 THEN now() END, k % 10 = 1
  FROM (SELECT *, substring(email FROM '[0-9]+')::int AS k FROM people) AS numbered`;
const WRITTEN = `
  INSERT INTO contact_messages (name, email, message, status, created_at)
  SELECT 'Ada ' || left(md5(n::text), 6), 'writes-' || n || '@example.com',
    'My bowl arrived late, number ' || md5(n::text) || '. Please help.', (ARRAY['open', 'closed', 'closed'])[1 + n % 3],
    now() - n * interval '5 minutes'
  FROM generate_series(1, $1::int) AS n`;

/** Fills a fresh database. */
export async function fillDesk(url: string): Promise<void> {
  await fillShop(
    url,
    { copies: COPIES, orders: 0, cartLines: 0, ownOrders: 0 },
    "00000000-0000-4000-8000-000000000000",
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  const run = (text: string, ...values: unknown[]) => client.query(text, values);
  await run("SET synchronous_commit = off");
  await run("SET work_mem = '256MB'");
  await run(NAMED);
  await run(NAMES);
  await run(
    "INSERT INTO users (email, name, email_verified) SELECT 'buyer-' || n || '@example.com', 'Ada', true FROM generate_series(1, $1::int) AS n",
    CUSTOMERS,
  );
  await run(PLACED, ORDERS);
  await run(ORDERED, CUSTOMERS);
  await run(LINES);
  await run(PAID);
  // As the payments' own trigger keeps it, all at once.
  await run(`UPDATE orders SET payment_status = paid.status FROM (
    SELECT order_id, CASE WHEN disputed_until IS NOT NULL THEN 'disputed' WHEN state = 'captured' AND refunded = 0 THEN 'captured'
      WHEN state = 'captured' AND refunded < captured THEN 'partly-refunded' WHEN state = 'captured' THEN 'refunded'
      WHEN state IN ('authorized', 'failed') THEN state ELSE 'unpaid' END AS status FROM payments) AS paid
    WHERE paid.order_id = orders.id`);
  await run(
    "INSERT INTO order_events (order_id, type, to_status, actor, at) SELECT id, 'placed', 'processing', 'guest', at FROM placed",
  );
  await run(TODAY);
  await run(CAMPAIGNS);
  await run(COUNTED);
  await run(WAITING, CUSTOMERS);
  await run(WRITTEN, CUSTOMERS);
  await run("VACUUM ANALYZE");
  await client.end();
  const { db, pool } = openDatabase(url, 1, null);
  await rollUp(db);
  await pool.end();
}
