ALTER TABLE "products" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE products SET updated_at = created_at;
--> statement-breakpoint
-- What a sitemap calls the last change. Orders set the stock only, so they never meet this trigger.
CREATE FUNCTION product_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at = now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_edited BEFORE UPDATE OF name, slug, short_description, description, price, compare_at_price,
  early_bird_price, early_bird_end_date, thumbnail, images, specs, color_variant, category, is_available, featured
  ON products FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION product_edited();
