CREATE TABLE "product_counts" (
	"category" text NOT NULL,
	"color_variant" text,
	"price_step" integer NOT NULL,
	"early_bird_price_step" integer,
	"early_bird_end_date" timestamp with time zone,
	"products" integer NOT NULL,
	CONSTRAINT "product_counts_kind" UNIQUE NULLS NOT DISTINCT("category","color_variant","price_step","early_bird_price_step","early_bird_end_date")
);
--> statement-breakpoint
CREATE TABLE "sold_out" (
	"product_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sold_out" ADD CONSTRAINT "sold_out_product_id_stock_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."stock"("product_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
DROP INDEX "products_featured_newest";--> statement-breakpoint
DROP INDEX "products_category_featured";--> statement-breakpoint
DROP INDEX "orders_user_newest";--> statement-breakpoint
DROP INDEX "orders_session_newest";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "model" text GENERATED ALWAYS AS (btrim(replace(name, coalesce(color_variant, ''), ''))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "products_newest" ON "products" USING btree ("created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_price" ON "products" USING btree ("category","price","featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_price_falling" ON "products" USING btree ("category","price" DESC NULLS FIRST,"featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_early_price" ON "products" USING btree ("category","early_bird_price","featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id") WHERE "products"."early_bird_price" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "products_early_price_falling" ON "products" USING btree ("category","early_bird_price" DESC NULLS FIRST,"featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id") WHERE "products"."early_bird_price" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "products_model" ON "products" USING btree ("category","model");--> statement-breakpoint
CREATE INDEX "products_not_available" ON "products" USING btree ("id") WHERE NOT "products"."is_available";--> statement-breakpoint
CREATE INDEX "search_documents_named" ON "search_documents" USING gin (ts_filter("words", '{a,b}')) WHERE "search_documents"."product_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "search_documents_texts" ON "search_documents" USING gin ("words") WHERE "search_documents"."product_id" IS NULL;--> statement-breakpoint
CREATE INDEX "products_featured_newest" ON "products" USING btree ("featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "products_category_featured" ON "products" USING btree ("category","featured" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"name","id");--> statement-breakpoint
CREATE INDEX "orders_user_newest" ON "orders" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_session_newest" ON "orders" USING btree ("session_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
-- The steps of the price slider, ten dollars each, and the places between them: an even number is exactly on a step. Where
-- the slider ends, prices are not told apart any more.
CREATE FUNCTION price_step(cents integer) RETURNS integer LANGUAGE sql IMMUTABLE
RETURN least(cents / 1000 + (cents + 999) / 1000, 101);
--> statement-breakpoint
-- Keeps product_counts, in one order, so that two edits of the catalog wait for each other and do not deadlock. An edit that
-- moves no product to another kind writes nothing.
CREATE FUNCTION count_products() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS amount FROM added'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS amount FROM removed'
    ELSE 'SELECT *, 1 AS amount FROM added UNION ALL SELECT *, -1 FROM removed' END;
BEGIN
  EXECUTE 'INSERT INTO product_counts AS known
      SELECT category, color_variant, price_step(price), price_step(early_bird_price),
        CASE WHEN early_bird_price IS NOT NULL THEN early_bird_end_date END, sum(amount)
      FROM (' || moved || ') AS moved
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(amount) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT product_counts_kind DO UPDATE SET products = known.products + excluded.products';
  DELETE FROM product_counts WHERE products = 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_counted_added AFTER INSERT ON products REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();
--> statement-breakpoint
CREATE TRIGGER products_counted_removed AFTER DELETE ON products REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();
--> statement-breakpoint
CREATE TRIGGER products_counted AFTER UPDATE ON products REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();
--> statement-breakpoint
INSERT INTO product_counts
  SELECT category, color_variant, price_step(price), price_step(early_bird_price),
    CASE WHEN early_bird_price IS NOT NULL THEN early_bird_end_date END, count(*)
  FROM products GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
-- Which product changed was never read. Without its name a transaction sends one notification, however many it changes.
CREATE OR REPLACE FUNCTION catalog_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION stock_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A sale writes here only where it takes the last unit, for which it holds the lock of the stock.
CREATE FUNCTION note_sold_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.inventory_count = 0 THEN
    INSERT INTO sold_out VALUES (NEW.product_id) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM sold_out WHERE product_id = NEW.product_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stock_begins_sold_out AFTER INSERT ON stock
  FOR EACH ROW WHEN (NEW.inventory_count = 0) EXECUTE FUNCTION note_sold_out();
--> statement-breakpoint
CREATE TRIGGER stock_sold_out AFTER UPDATE OF inventory_count ON stock
  FOR EACH ROW WHEN ((OLD.inventory_count = 0) <> (NEW.inventory_count = 0)) EXECUTE FUNCTION note_sold_out();
--> statement-breakpoint
INSERT INTO sold_out SELECT product_id FROM stock WHERE inventory_count = 0;
