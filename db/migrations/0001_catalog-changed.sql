-- Tells every process to forget its rendered pages when something a shopper can see has changed.
-- Stock counts as seen only up to 11, where 'In Stock' begins: a sale of a well-stocked product
-- changes no page, and a NOTIFY in every order would make their commits wait for each other.
CREATE FUNCTION catalog_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', coalesce(NEW.slug, OLD.slug));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_added_or_removed AFTER INSERT OR DELETE ON products
  FOR EACH ROW EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TRIGGER products_stock_changed AFTER UPDATE OF inventory_count ON products
  FOR EACH ROW WHEN (least(OLD.inventory_count, 11) <> least(NEW.inventory_count, 11))
  EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
-- Every other column by name: comparing whole rows would be a tenth of what an order costs.
CREATE TRIGGER products_changed AFTER UPDATE OF id, name, slug, short_description, description, price,
    compare_at_price, early_bird_price, early_bird_end_date, thumbnail, images, specs, color_variant, category,
    is_available, featured, created_at ON products
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION catalog_changed();
