-- An order changes stock only, and comparing whole rows as JSON would be a tenth of what it costs.
DROP TRIGGER products_changed ON products;
--> statement-breakpoint
CREATE TRIGGER products_stock_changed AFTER UPDATE OF inventory_count ON products
  FOR EACH ROW WHEN (least(OLD.inventory_count, 11) <> least(NEW.inventory_count, 11))
  EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER UPDATE OF id, name, slug, short_description, description, price,
    compare_at_price, early_bird_price, early_bird_end_date, thumbnail, images, specs, color_variant, category,
    is_available, featured, created_at ON products
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION catalog_changed();
