/** A large shop, filled by SQL: renamed copies of the catalog, orders with all that follows from them, messages, waitlist. */
import { openDatabase } from "#db/connection.server.ts";
import { MAIL_QUEUE } from "#shop/mail/mailbox.server.ts";
import { rollUp } from "#shop/analytics/analytics.server.ts";
import { rollUpSalesByState } from "#shop/tax/sales-by-state.server.ts";

type Size = { copies: number; orders: number; people: number; ownOrders: number };

/** Both exceed the capacity of the page cache. */
export const SMALL: Size = { copies: 40, orders: 500, people: 500, ownOrders: 60 };
export const LARGE: Size = { copies: 834, orders: 1_000_000, people: 100_000, ownOrders: 2_000 };

/** Numbers as five-syllable words make distinct names. */
const WORDS = `
  CREATE FUNCTION pg_temp.word(n integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT initcap(string_agg(substr('bakodemufilanorisutavepo', 1 + 2 * ((n / 12 ^ place)::int % 12), 2), '' ORDER BY place))
    FROM generate_series(0, 4) AS place $$`;

/** Made again after the rows, which is many times faster. */
const INDEXES = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint) AND tablename IN ('orders', 'order_items',
    'payments', 'payment_actions', 'charges', 'charge_items', 'refunds', 'refund_items', 'tax_records', 'order_units', 'shipments',
    'shipment_units', 'returns', 'return_units', 'audit_log', 'cart_items')`;

const PRODUCTS = `
  INSERT INTO products (name, slug, short_description, description, price, compare_at_price, early_bird_price,
    early_bird_end_date, thumbnail, images, specs, color_variant, category, featured, created_at)
  SELECT name || ' ' || pg_temp.word(n), slug || '-' || n, short_description, description || ' ' || pg_temp.word(n),
    price + n % 97 * 100, compare_at_price + n % 97 * 100, early_bird_price + n % 97 * 100, early_bird_end_date,
    thumbnail, images, specs, color_variant, category, featured AND n % 100 = 0, created_at - n * interval '1 minute'
  FROM products, generate_series(1, $1::int - 1) AS n ORDER BY n, slug`;

const PEOPLE = `INSERT INTO users (email, name, email_verified, created_at)
  SELECT $2 || '-' || n || '@example.com', 'Ada', true, now() - n * interval '5 minutes' FROM generate_series(1, $1::int) AS n`;

const NOTES = `INSERT INTO customer_notes (email, note, tags) SELECT email, 'Asks for an invoice.', '{invoice}' FROM users WHERE hashtext(id::text) % 10 = 0`;

/** The newest 4,000 orders are unshipped, the next 60,000 in transit, and so are those whose lost parcel waits for staff. */
const NUMBERED = `
  CREATE TEMP TABLE numbered AS
  SELECT n, gen_random_uuid() AS id, now() - n * interval '1 minute' AS at, abs(hashint4(n)) % 60 AS k,
    CASE WHEN n % 250 = 7 AND n < 20000 THEN 'unpaid' WHEN n % 100 = 1 THEN 'canceled' WHEN n % 500 = 2 THEN 'declined'
      WHEN n % 50 = 3 THEN 'expired' WHEN n <= 4000 THEN 'processing' WHEN n <= 64000 OR n % 1000 = 5 THEN 'shipped'
      ELSE 'delivered' END AS status
  FROM generate_series(1, $1::int) AS n`;

/** Lines. The tax is of one unit. */
const SOLD = `
  CREATE TEMP TABLE sold AS
  WITH catalog AS MATERIALIZED (SELECT id, name, price, row_number() OVER (ORDER BY id) AS place FROM products)
  SELECT gen_random_uuid() AS id, numbered.id AS order_id, at, line AS position, catalog.id AS product_id, name, price,
    price * 8 / 100 AS tax, 1 + n % 3 AS quantity
  FROM numbered CROSS JOIN generate_series(0, 1) AS line JOIN catalog
    ON place = CASE WHEN line = 0 AND n % 3 = 0 THEN 1 ELSE 1 + (n * 7 + line) % (SELECT count(*) FROM catalog) END
  WHERE (n + line) % 2 + line < 2`;

/** Each twelfth is arranged with staff. Refunded is all of an order, or its first unit. */
const PLACED = `
  CREATE TEMP TABLE placed AS
  SELECT *, CASE WHEN state IS NULL THEN 'none' WHEN is_disputed THEN 'disputed' WHEN refunded = total THEN 'refunded'
    WHEN refunded > 0 THEN 'partly-refunded' WHEN state IN ('open', 'closed') THEN 'unpaid' ELSE state END AS payment_status
  FROM (SELECT *, state = 'captured' AND n % 20000 = 5 AS is_disputed,
      CASE WHEN state IS DISTINCT FROM 'captured' OR is_arranged OR n % 1000 = 5 OR n % 100 = 9 THEN 0
        WHEN n % 61 = 0 THEN total WHEN n % 61 = 1 THEN first ELSE 0 END AS refunded
    FROM (SELECT *, n % 12 = 0 AS is_arranged,
        CASE WHEN status IN ('shipped', 'delivered') THEN 'captured' WHEN n % 12 = 0 THEN NULL
          WHEN status = 'processing' AND n % 80 = 1 THEN 'failed' WHEN status = 'processing' THEN 'authorized'
          WHEN status = 'unpaid' THEN 'open' ELSE 'closed' END AS state
      FROM numbered JOIN (SELECT order_id AS id, sum(price * quantity)::int AS subtotal,
          sum((price + tax) * quantity)::int AS total, min(price + tax) FILTER (WHERE position = 0) AS first
        FROM sold GROUP BY order_id) AS sums USING (id)) AS paid) AS summed`;

const ORDERS = `
  INSERT INTO orders (id, checkout_key, user_id, session_id, stage, subtotal, shipping, tax, total, tax_reference, email, phone,
    shipping_first_name, shipping_last_name, shipping_address_line1, shipping_city, shipping_state, shipping_postal_code,
    shipping_method, ship_by, terms_version, created_at, changed_at, promised_at, hold_until, on_hold_since, utm_source, utm_campaign,
    payment_status, attention)
  SELECT placed.id, gen_random_uuid(), u.id, CASE WHEN u.id IS NULL THEN gen_random_uuid() END,
    CASE WHEN status = 'processing' THEN 'to-ship' WHEN status = 'shipped' AND placed.n % 100 = 9 THEN 'partly-shipped' ELSE status END,
    subtotal, 0, total - subtotal, total, 'quote_' || placed.n,
    coalesce(u.email, 'guest-' || placed.n || '@example.com'), '+1 212 ' || lpad((placed.n % 1000000)::text, 7, '0'), pg_temp.word(placed.n % 400),
    pg_temp.word((sqrt(placed.n::bigint * 7907 % 1000000) * 10)::int), '12 Analytical Ave', 'Springfield',
    (ARRAY['NY', 'CA', 'TX', 'WA'])[1 + placed.n % 4], lpad((10001 + placed.n % 30000)::text, 5, '0'),
    'standard', at::date + 2, '2025-01-01', at, at, at, CASE WHEN status = 'unpaid' THEN now() + interval '1 day' END,
    CASE WHEN status = 'processing' AND placed.n % 40 = 0 THEN at END,
    CASE WHEN k < 30 THEN 'source-' || k % 4 END, CASE WHEN k < 30 THEN 'campaign-' || k END, payment_status,
    array_remove(ARRAY[CASE WHEN is_disputed THEN 'disputed' END,
      CASE WHEN status = 'processing' AND state = 'failed' THEN 'pay-again' END,
      CASE WHEN status = 'processing' AND state IS NULL THEN 'arrange' END,
      CASE WHEN status IN ('shipped', 'delivered') AND placed.n % 1000 = 5 THEN 'parcel-lost' END], NULL)
  FROM placed LEFT JOIN (SELECT id, email, row_number() OVER (ORDER BY email) AS place FROM users WHERE email LIKE 'buyer-%') AS u
    ON u.place = abs(hashint4(placed.n)) % ($1::int * 2)`;

const OWN = `UPDATE orders SET user_id = $1, session_id = NULL WHERE id IN
  (SELECT id FROM orders ORDER BY created_at DESC LIMIT $2)`;

const LINES = `
  INSERT INTO order_items (id, order_id, product_id, name, price, tax, quantity, position, created_at)
  SELECT id, order_id, product_id, name, price, tax * quantity, quantity, position, at FROM sold`;

const UNITS = `
  INSERT INTO order_units (order_id, number, order_item_id, price, tax)
  SELECT order_id, row_number() OVER (PARTITION BY order_id ORDER BY position), id, price, tax
  FROM sold, generate_series(1, quantity)`;

const PAYMENTS = `
  INSERT INTO payments (order_id, provider, reference, intent_reference, arrangement, state, amount, authorized, captured, refunded,
    capture_before, dispute, disputed_until, read_at, warned_at, created_at)
  SELECT id, CASE WHEN is_arranged THEN 'manual' ELSE 'stripe' END, CASE WHEN NOT is_arranged THEN 'cs_' || n END,
    CASE WHEN NOT is_arranged THEN 'pi_' || n END,
    CASE WHEN is_arranged THEN jsonb_build_object('how', 'transfer', 'reference', 'transfer ' || n) END, state, total, total,
    CASE WHEN state = 'captured' THEN total ELSE 0 END, refunded,
    CASE WHEN state = 'authorized' THEN at + interval '4 days' END, CASE WHEN is_disputed THEN 'open' END,
    CASE WHEN is_disputed THEN now() + interval '3 days' END,
    now() + interval '1 day', now(), at
  FROM placed WHERE state IS NOT NULL`;

/** The charge of an order, and its refund, have the order's id. */
const CHARGES = `
  INSERT INTO charges (id, order_id, state, by, created_at)
  SELECT id, id, 'paid', CASE WHEN is_arranged THEN 'arranged' ELSE 'ship' END, at FROM placed WHERE state = 'captured'`;

const CHARGED = `
  INSERT INTO charge_items (charge_id, order_id, kind, unit, cents, tax)
  SELECT order_id, order_id, 'unit', number, price + order_units.tax, order_units.tax
  FROM order_units JOIN placed ON placed.id = order_id WHERE state = 'captured'`;

const REFUNDS = `
  INSERT INTO refunds (id, order_id, reason, asked_by, created_at)
  SELECT id, id, 'goodwill', 'staff', at + interval '4 days' FROM placed WHERE refunded > 0`;

const REFUNDED = `
  INSERT INTO refund_items (refund_id, order_id, kind, unit, cents, tax)
  SELECT order_id, order_id, 'unit', number, price + order_units.tax, order_units.tax
  FROM order_units JOIN placed ON placed.id = order_id WHERE refunded = total OR refunded > 0 AND number = 1`;

const EVENTS = `INSERT INTO order_events (order_id, type, to_status, actor, at)
  SELECT id, 'placed', 'processing', 'guest', at FROM placed`;

const MONEY = `
  INSERT INTO payment_actions (payment_id, kind, amount, state, provider_reference, charge_id, refund_id, asked_by, created_at, done_at)
  SELECT id, 'capture', captured, 'done', NULL, order_id, NULL::uuid, 'staff', created_at, created_at FROM payments WHERE captured > 0
  UNION ALL SELECT id, 'refund', refunded, 'done', 're_' || reference, NULL, order_id, 'staff', moment, moment
  FROM payments, LATERAL (SELECT created_at + interval '4 days' AS moment) AS later WHERE refunded > 0`;

/** Every webhook of the last four weeks was lost. */
const WEBHOOKS = `
  INSERT INTO payment_inbox (provider, event_id, type, reference, received_at, handled_at, missed, mode)
  SELECT 'stripe', 'evt_' || n, 'payment_intent.succeeded', 'pi_' || n, at, at, n < 129000, 'live'
  FROM generate_series(1, 130000) AS n, LATERAL (SELECT now() - n * interval '19 seconds' AS at) AS moment`;

/** The sale of each charge by product, and what its refund takes back. */
const TAX = `
  WITH parts AS (
    SELECT order_id, refund_id, jsonb_agg(jsonb_build_object('productId', product_id, 'amountCents', amount, 'taxCents', tax)) AS parts,
      sum(amount) AS amount, sum(tax) AS tax
    FROM (SELECT order_id, NULL::uuid AS refund_id, product_id, sum(price * quantity) AS amount, sum(tax * quantity) AS tax
        FROM sold GROUP BY order_id, product_id
      UNION ALL SELECT order_id, refund_id, product_id, sum(item.cents - item.tax), sum(item.tax)
        FROM refund_items AS item JOIN order_units USING (order_id) JOIN sold USING (order_id)
        WHERE number = unit AND sold.id = order_item_id GROUP BY order_id, refund_id, product_id) AS products
    GROUP BY order_id, refund_id)
  INSERT INTO tax_records (order_id, kind, charge_id, refund_id, parts, amount, tax, address, state, created_at, done_at)
  SELECT order_id, CASE WHEN refund_id IS NULL THEN 'record' ELSE 'reverse' END, order_id, refund_id, parts, amount, parts.tax,
    jsonb_build_object('state', shipping_state, 'postalCode', shipping_postal_code),
    CASE WHEN n % 100000 = 15 THEN 'failed' ELSE 'done' END, moment, moment
  FROM parts JOIN placed ON placed.id = order_id JOIN orders ON orders.id = order_id,
    LATERAL (SELECT CASE WHEN refund_id IS NULL THEN at ELSE at + interval '4 days' END AS moment) AS moments
  WHERE placed.state = 'captured'`;

/**
 * One parcel in a hundred was refused or lost, some before a carrier was asked; one in a thousand waits for staff, the others
 * were sent again.
 */
const PARCELS = `
  WITH sent AS (
    INSERT INTO shipments (order_id, charge_id, carrier, tracking_number, state, created_at, shipped_at, delivered_at, returned_at,
      tracked_at)
    SELECT id, id, 'usps', CASE WHEN is_again THEN '95' ELSE '94' END || lpad(n::text, 20, '0'), state, at, at,
      CASE WHEN state = 'delivered' THEN at + interval '4 days' END, CASE WHEN state = 'refused' THEN at + interval '1 hour' END,
      CASE WHEN n % 300 > 0 OR n < 90000 THEN now() END
    FROM (SELECT n, id, at, false AS is_again,
        CASE WHEN n % 200 = 5 THEN 'lost' WHEN n % 200 = 110 THEN 'refused' ELSE status END AS state
      FROM placed WHERE status IN ('shipped', 'delivered')
      UNION ALL SELECT n, id, at + interval '1 hour', true, status
      FROM placed WHERE status IN ('shipped', 'delivered') AND n % 200 IN (5, 110) AND n % 1000 <> 5) AS parcels
    RETURNING id, order_id, state, created_at, substr(tracking_number, 3)::bigint AS n)
  INSERT INTO shipment_units (shipment_id, order_id, unit, released_at)
  SELECT sent.id, order_id, number, CASE WHEN state IN ('refused', 'lost') AND n % 1000 <> 5 THEN sent.created_at END
  FROM sent JOIN order_units USING (order_id) WHERE n % 100 <> 9 OR state <> 'shipped' OR number = 1`;

/** One delivered order in 25, the newest of them open. */
const RETURNS = `
  WITH numbered AS (
    SELECT id, row_number() OVER (ORDER BY n) AS r, at + interval '7 days' AS at
    FROM placed WHERE status = 'delivered' AND n % 25 = 5
  ), stated AS (
    SELECT *, CASE WHEN r <= 50 THEN 'requested' WHEN r <= 400 THEN 'authorized' WHEN r <= 500 THEN 'received'
      WHEN r <= 540 THEN 'inspected' WHEN r % 20 = 0 THEN 'declined' WHEN r % 20 = 1 THEN 'expired' ELSE 'closed' END AS state
    FROM numbered)
  INSERT INTO returns (number, form_key, kind, order_id, state, reason, label_by, created_at, authorized_at, ship_by, reminded_at,
    received_at, due_on, refuse_reason, outcome, resolved_at, closed_at)
  SELECT 'R-' || upper(lpad(to_hex(r), 6, '0')), gen_random_uuid(), (ARRAY['return', 'exchange', 'defect', 'warranty'])[1 + r % 4], id, state,
    'other', 'us', at, at, current_date + 10, at, at, at::date + 14, CASE WHEN state = 'declined' THEN 'not-covered' END,
    CASE WHEN state = 'closed' THEN CASE WHEN r % 4 = 0 THEN 'refund' ELSE 'sent-back' END END, CASE WHEN state = 'closed' THEN at END, CASE WHEN state = 'closed' THEN at END
  FROM stated`;

const RETURNED = `
  INSERT INTO return_units (return_id, order_id, unit, ended_at)
    SELECT returns.id, order_id, 1, CASE WHEN state IN ('declined', 'expired', 'closed') THEN created_at END FROM returns`;

const AUDIT = `
  INSERT INTO audit_log (at, staff_id, role, action, subject)
  SELECT at, $1, 'owner', (ARRAY['order.ship', 'order.note', 'product.edit', 'email.send-again'])[1 + n % 4], 'order:' || id
  FROM placed ORDER BY n DESC`;

/** A mail server that was down for a day, in a week of emails. */
const EMAILS = `
  INSERT INTO pgboss.job (name, data, state, created_on, completed_on)
  SELECT $1, jsonb_build_object('template', 'order-shipped', 'orderId', id), CASE WHEN n % 60 = 0 THEN 'failed' ELSE 'completed' END::pgboss.job_state, at, at
  FROM placed WHERE n < 60000`;

const CARTS = `
  WITH catalog AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY id) AS place FROM products)
  INSERT INTO cart_items (session_id, product_id, quantity)
  SELECT gen_random_uuid(), id, 1 FROM generate_series(1, $1::int) AS n
    JOIN catalog ON place = 1 + n % (SELECT count(*) FROM catalog)`;

const WAITLIST = `
  INSERT INTO waitlist (user_id, email, utm_source, utm_campaign, verified_at, created_at)
  SELECT id, email, 'source-' || k % 4, 'campaign-' || k % 30, CASE WHEN k % 5 > 0 THEN now() END, created_at
  FROM (SELECT id, email, created_at, substring(email FROM '[0-9]+')::int AS k FROM users WHERE email LIKE 'waits-%') AS numbered`;

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

/** Fills a fresh database. The customer owns the newest `ownOrders`. Returns addresses of products. */
export async function fillShop(url: string, size: Size, customerId: string | null = null): Promise<string[]> {
  const { copies, orders, people, ownOrders } = size;
  const { db, pool } = openDatabase(url, 1, null);
  const run = (text: string, ...values: unknown[]) => pool.query(text, values);
  await run("SET synchronous_commit = off");
  await run("SET work_mem = '256MB'");
  await run("SET maintenance_work_mem = '512MB'");
  await run(WORDS);
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(INDEXES);
  await run(`DROP INDEX ${indexes.map(({ name }) => name).join()}`);
  await run(PRODUCTS, copies);
  // One product in fifty is sold out.
  await run(`UPDATE stock SET inventory_count = CASE WHEN hashtext(product_id::text) % 50 = 0 THEN 0 ELSE 1000000 END`);
  await run(PEOPLE, people, "buyer");
  await run(PEOPLE, people, "waits");
  await run(NOTES);
  await run(NUMBERED, orders);
  await run(SOLD);
  await run(PLACED);
  await run(ORDERS, people);
  if (customerId) await run(OWN, customerId, ownOrders);
  await run(LINES);
  await run(UNITS);
  await run(PAYMENTS);
  await run(CHARGES);
  await run(CHARGED);
  await run(REFUNDS);
  await run(REFUNDED);
  await run(MONEY);
  await run(WEBHOOKS);
  await run(TAX);
  await run(PARCELS);
  await run(RETURNS);
  await run(RETURNED);
  await run(EVENTS);
  await run(AUDIT, customerId);
  await run("INSERT INTO audit_log (action, after) VALUES ('privacy.retention', '{}')");
  await run(EMAILS, MAIL_QUEUE);
  await run(CARTS, orders);
  await run(WAITLIST);
  await run(MESSAGES, people);
  await run(COUNTS);
  for (const { definition } of indexes) await run(definition);
  await run("VACUUM ANALYZE");
  await rollUp(db);
  await rollUpSalesByState(db);
  const { rows } = await pool.query<{ slug: string }>("SELECT slug FROM products ORDER BY id LIMIT 400");
  await pool.end();
  return rows.map(({ slug }) => `/product/${slug}`);
}
