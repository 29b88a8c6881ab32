CREATE TABLE "sold_out_changes" (
	"transaction_id" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "sold_out_changes_transaction_id_at_pk" PRIMARY KEY("transaction_id","at")
);
--> statement-breakpoint
CREATE TABLE "sold_out_counts" (
	"category" text NOT NULL,
	"color_variant" text,
	"price_step" integer NOT NULL,
	"early_bird_price_step" integer,
	"early_bird_end_date" timestamp with time zone,
	"products" integer NOT NULL
);

--> statement-breakpoint
-- Notes, once a transaction, that sold-out products have to be counted anew. A sale notes it only with the last unit.
CREATE FUNCTION note_sold_out_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sold_out_changes VALUES (pg_current_xact_id()::text::bigint, now()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sold_out_changed AFTER INSERT OR DELETE ON sold_out
  FOR EACH STATEMENT EXECUTE FUNCTION note_sold_out_change();
--> statement-breakpoint
CREATE TRIGGER products_of_another_kind AFTER DELETE
    OR UPDATE OF category, color_variant, price, early_bird_price, early_bird_end_date, is_available ON products
  FOR EACH STATEMENT EXECUTE FUNCTION note_sold_out_change();
--> statement-breakpoint
-- What is sold out now is counted by the first worker that starts.
INSERT INTO sold_out_changes VALUES (pg_current_xact_id()::text::bigint, now());
