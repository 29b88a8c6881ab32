DROP TABLE "attempts";--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "rate_limits_expires" ON "rate_limits" ("expires_at");--> statement-breakpoint
-- Takes costs[i] of limits[i] for each key, of all or of none. Answers 0, or the seconds until the one that is used up
-- starts anew.
CREATE FUNCTION consume_rate_limits(keys text[], costs integer[], limits integer[], seconds integer[]) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
	wait integer;
BEGIN
	FOR i IN 1 .. cardinality(keys) LOOP
		IF costs[i] <= limits[i] THEN
			INSERT INTO rate_limits AS used (key, points, expires_at)
			VALUES (keys[i], costs[i], now() + seconds[i] * interval '1 second')
			ON CONFLICT (key) DO UPDATE SET
				points = CASE WHEN used.expires_at <= now() THEN excluded.points ELSE used.points + excluded.points END,
				expires_at = CASE WHEN used.expires_at <= now() THEN excluded.expires_at ELSE used.expires_at END
			WHERE used.expires_at <= now() OR used.points + excluded.points <= limits[i];
			CONTINUE WHEN FOUND;
		END IF;
		SELECT greatest(1, ceil(extract(epoch FROM expires_at - now())))::integer INTO wait FROM rate_limits WHERE key = keys[i];
		IF i > 1 THEN
			PERFORM refund_rate_limits(keys[1 : i - 1], costs[1 : i - 1]);
		END IF;
		RETURN coalesce(wait, seconds[i]);
	END LOOP;
	RETURN 0;
END
$$;--> statement-breakpoint
CREATE FUNCTION refund_rate_limits(keys text[], costs integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. cardinality(keys) LOOP
		UPDATE rate_limits SET points = greatest(0, points - costs[i]) WHERE key = keys[i];
	END LOOP;
END
$$;
