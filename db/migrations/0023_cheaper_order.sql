DROP INDEX "order_items_product";--> statement-breakpoint
DROP INDEX "rate_limits_expires";--> statement-breakpoint
DROP INDEX "orders_user_newest";--> statement-breakpoint
DROP INDEX "orders_session_newest";--> statement-breakpoint
CREATE INDEX "orders_user_newest" ON "orders" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "orders"."user_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_session_newest" ON "orders" USING btree ("session_id","created_at" DESC NULLS FIRST) WHERE "orders"."session_id" IS NOT NULL;--> statement-breakpoint
-- As before, in one statement instead of one for each limit. It is planned once: with arrays for arguments PostgreSQL would
-- plan it for each call, because it counts their elements.
CREATE OR REPLACE FUNCTION consume_rate_limits(keys text[], costs integer[], limits integer[], seconds integer[]) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  taken text[];
  refused integer;
  wait integer;
BEGIN
  WITH consumed AS (
    INSERT INTO rate_limits AS used (key, points, expires_at)
    SELECT key, cost, now() + duration * interval '1 second'
    FROM unnest(keys, costs, limits, seconds) AS asked (key, cost, most, duration) WHERE cost <= most
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN used.expires_at <= now() THEN excluded.points ELSE used.points + excluded.points END,
      expires_at = CASE WHEN used.expires_at <= now() THEN excluded.expires_at ELSE used.expires_at END
    WHERE used.expires_at <= now() OR used.points + excluded.points <= limits[array_position(keys, used.key)]
    RETURNING key
  ) SELECT coalesce(array_agg(key), '{}') INTO taken FROM consumed;
  IF cardinality(taken) = cardinality(keys) THEN
    RETURN 0;
  END IF;
  refused := (SELECT min(n) FROM unnest(keys) WITH ORDINALITY AS asked (key, n) WHERE key <> ALL (taken));
  wait := (SELECT greatest(1, ceil(extract(epoch FROM expires_at - now()))) FROM rate_limits WHERE key = keys[refused]);
  PERFORM refund_rate_limits(taken, ARRAY(SELECT costs[array_position(keys, key)] FROM unnest(taken) AS key));
  RETURN coalesce(wait, seconds[refused]);
END
$$;
--> statement-breakpoint
ALTER FUNCTION lock_stock(uuid[]) SET plan_cache_mode = force_generic_plan;
--> statement-breakpoint
ALTER FUNCTION take_stock(uuid[], integer[]) SET plan_cache_mode = force_generic_plan;
