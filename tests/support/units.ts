/** SQL about the units of orders, for tests that write orders past the checkout. */

/** Units of lines that have none yet, after those of their order. */
export const ADD_UNITS = `
  INSERT INTO order_units (order_id, number, order_item_id, price)
  SELECT order_id, (SELECT count(*) FROM order_units WHERE order_units.order_id = line.order_id)
    + row_number() OVER (PARTITION BY order_id ORDER BY name, id), id, price
  FROM order_items AS line, generate_series(1, quantity)
  WHERE NOT EXISTS (SELECT FROM order_units WHERE order_item_id = line.id) ON CONFLICT DO NOTHING`;

/** Cancels the last $2 units of each of the lines $1. */
export const CANCEL_UNITS = `
  UPDATE order_units SET canceled_at = now(), canceled_by = 'staff' FROM (
    SELECT order_id, number, row_number() OVER (PARTITION BY order_item_id ORDER BY number DESC) AS place
    FROM order_units WHERE order_item_id = ANY ($1::uuid[]) AND canceled_at IS NULL) AS last
  WHERE order_units.order_id = last.order_id AND order_units.number = last.number AND place <= $2`;

/** Shares the tax of the lines of an order, $1, out over their units, as it is when an order is placed. */
export const SHARE_TAX = `
  UPDATE order_units SET tax = round(line.tax * place::numeric / quantity) - round(line.tax * (place - 1)::numeric / quantity)
  FROM order_items AS line, (SELECT order_id, number, row_number() OVER (PARTITION BY order_item_id ORDER BY number) AS place
    FROM order_units WHERE order_id = $1) AS placed
  WHERE line.id = order_units.order_item_id AND placed.order_id = order_units.order_id AND placed.number = order_units.number`;

/** Units of a line that are not canceled. */
export const keptUnits = (line: string): string =>
  `(SELECT count(*)::int FROM order_units WHERE order_item_id = ${line}.id AND canceled_at IS NULL)`;

/** A payment, $2, has paid for all units of an order, $1, and its shipping. */
export const CHARGE_ALL = `
  WITH made AS (
    INSERT INTO charges (id, order_id, state, by) VALUES (gen_random_uuid(), $1, 'paid', 'arranged') RETURNING id
  ), items AS (
    INSERT INTO charge_items (charge_id, order_id, kind, unit, cents, tax)
    SELECT made.id, order_id, 'unit', number, price + tax, tax FROM made, order_units WHERE order_id = $1 AND canceled_at IS NULL
    UNION ALL SELECT made.id, orders.id, 'shipping', NULL, shipping + shipping_tax, shipping_tax FROM made, orders
      WHERE orders.id = $1 AND shipping > 0
  ), linked AS (UPDATE payments SET charge_id = made.id FROM made WHERE payments.id = $2)
  INSERT INTO payment_actions (payment_id, charge_id, kind, amount, state, asked_by, done_at)
  SELECT payments.id, made.id, 'capture', captured, 'done', 'staff', now() FROM made, payments WHERE payments.id = $2`;

/** All units of an order, $1, are in a parcel in a state, $2. */
export const SHIP_ALL = `
  WITH parcel AS (
    INSERT INTO shipments (order_id, carrier, tracking_number, state, shipped_at, delivered_at)
    VALUES ($1, 'ups', '1Z999AA10123456784', $2, now(), CASE WHEN $2 = 'delivered' THEN now() END) RETURNING id)
  INSERT INTO shipment_units (shipment_id, order_id, unit)
  SELECT parcel.id, order_id, number FROM parcel, order_units WHERE order_id = $1 AND canceled_at IS NULL`;

/** A payment, $2, has given back all that an order, $1, was charged, at $3. */
export const REFUND_ALL = `
  WITH made AS (
    INSERT INTO refunds (id, order_id, reason, asked_by, created_at) VALUES (gen_random_uuid(), $1, 'returned', 'staff', $3)
    RETURNING id
  ), items AS (
    INSERT INTO refund_items (refund_id, order_id, kind, unit, cents, tax)
    SELECT made.id, order_id, kind, unit, cents, tax FROM made, charge_items WHERE order_id = $1)
  INSERT INTO payment_actions (payment_id, refund_id, kind, amount, state, asked_by, created_at, done_at)
  SELECT payments.id, made.id, 'refund', captured, 'done', 'staff', $3, $3 FROM made, payments WHERE payments.id = $2`;

/** The charge of all that waits of an order, $1, on its kept card, if any, was announced, and the buyer need not wait for the day. */
export const ANNOUNCE_ALL = `
  WITH made AS (
    INSERT INTO charges (id, order_id, state, by, announced_at, charge_on, approved_at)
    SELECT gen_random_uuid(), order_id, 'announced', 'ship', now(), current_date, now() FROM payments
    WHERE order_id = $1 AND kind = 'setup' LIMIT 1 RETURNING id)
  INSERT INTO charge_items (charge_id, order_id, kind, unit, cents, tax)
  SELECT made.id, order_id, kind, number, cents, tax FROM made, (
    SELECT order_id, 'unit' AS kind, number, price + tax AS cents, tax FROM order_units
      WHERE canceled_at IS NULL AND price + tax > 0
    UNION ALL SELECT id, 'shipping', NULL, shipping + shipping_tax, shipping_tax FROM orders WHERE shipping > 0) AS due
  WHERE order_id = $1 AND NOT EXISTS (SELECT FROM charge_items AS before WHERE before.order_id = due.order_id
    AND before.kind = due.kind AND before.unit IS NOT DISTINCT FROM due.number AND released_at IS NULL)`;
