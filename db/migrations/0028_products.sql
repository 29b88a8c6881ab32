CREATE TABLE "stock_moves" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stock_moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" uuid NOT NULL,
	"delta" integer NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"staff_id" uuid,
	"form_key" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_moves_formKey_unique" UNIQUE("form_key"),
	CONSTRAINT "stock_moves_reason" CHECK ("stock_moves"."reason" IN ('received', 'counted', 'damaged', 'returned', 'correction'))
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "ships_from" date;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "retired_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_moves" ADD CONSTRAINT "stock_moves_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stock_moves_product" ON "stock_moves" USING btree ("product_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "products_retired" ON "products" USING btree ("id") WHERE "products"."retired_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_retired_not_available" CHECK ("products"."retired_at" IS NULL OR NOT "products"."is_available");--> statement-breakpoint
-- By hand:
-- What is edited counts its version, and is told to the pages; so are the columns that are new.
CREATE OR REPLACE FUNCTION product_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The model is made from the rest, and is not there yet.
  IF to_jsonb(OLD) - 'model' <> to_jsonb(NEW) - 'model' THEN
    NEW.updated_at = now();
    NEW.version = OLD.version + 1;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER products_edited ON products;
--> statement-breakpoint
CREATE TRIGGER products_edited BEFORE UPDATE OF name, slug, short_description, description, price, compare_at_price,
  early_bird_price, early_bird_end_date, thumbnail, images, specs, color_variant, category, is_available, featured,
  ships_from, waitlist_only_until, retired_at
  ON products FOR EACH ROW EXECUTE FUNCTION product_edited();
--> statement-breakpoint
DROP TRIGGER products_changed ON products;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE OF id, name, slug, short_description, description, price,
    compare_at_price, early_bird_price, early_bird_end_date, thumbnail, images, specs, color_variant, category,
    is_available, featured, ships_from, waitlist_only_until, retired_at, version, created_at ON products
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
-- What is sold no more is counted by no filter, and found by no search.
CREATE OR REPLACE FUNCTION count_products() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS amount FROM added'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS amount FROM removed'
    ELSE 'SELECT *, 1 AS amount FROM added UNION ALL SELECT *, -1 FROM removed' END;
BEGIN
  EXECUTE 'INSERT INTO product_counts AS known
      SELECT category, color_variant, price_step(price), price_step(early_bird_price),
        CASE WHEN early_bird_price IS NOT NULL THEN early_bird_end_date END, sum(amount)
      FROM (' || moved || ') AS moved WHERE retired_at IS NULL
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(amount) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT product_counts_kind DO UPDATE SET products = known.products + excluded.products';
  DELETE FROM product_counts WHERE products = 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION product_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.retired_at IS NOT NULL THEN
    DELETE FROM search_documents WHERE id = 'product:' || NEW.id;
    RETURN NULL;
  END IF;
  INSERT INTO search_documents (id, kind, product_id, title, place, body)
  VALUES (
    'product:' || NEW.id, 'product', NEW.id, NEW.name, concat_ws(' ', NEW.category, NEW.color_variant),
    concat_ws(' ', NEW.short_description, NEW.description,
      (SELECT string_agg(replace(key, '_', ' ') || ': ' || value, ', ') FROM jsonb_each_text(NEW.specs)))
  )
  ON CONFLICT (id) DO UPDATE SET title = excluded.title, place = excluded.place, body = excluded.body;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER products_searchable ON products;
--> statement-breakpoint
CREATE TRIGGER products_searchable
  AFTER INSERT OR UPDATE OF name, short_description, description, category, color_variant, specs, retired_at ON products
  FOR EACH ROW EXECUTE FUNCTION product_to_search();
--> statement-breakpoint
-- Moves that are written stay as they are; with their product they go.
CREATE FUNCTION stock_moves_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a move of stock is never changed: write another one';
END $$;
--> statement-breakpoint
CREATE TRIGGER stock_moves_stay BEFORE UPDATE ON stock_moves FOR EACH ROW EXECUTE FUNCTION stock_moves_stay();
--> statement-breakpoint
-- From here on stock is the sum of its moves, less what is sold, with what comes back: what there is begins it.
INSERT INTO stock_moves (product_id, delta, reason, note)
  SELECT product_id, inventory_count, 'counted', 'Opening stock' FROM stock ORDER BY product_id;
--> statement-breakpoint
DROP TRIGGER products_of_another_kind ON products;
--> statement-breakpoint
CREATE TRIGGER products_of_another_kind AFTER DELETE
    OR UPDATE OF category, color_variant, price, early_bird_price, early_bird_end_date, is_available, retired_at ON products
  FOR EACH STATEMENT EXECUTE FUNCTION note_sold_out_change();
