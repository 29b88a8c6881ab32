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
CREATE TRIGGER products_changed AFTER UPDATE ON products
  FOR EACH ROW
  WHEN (
    (to_jsonb(OLD) - 'inventory_count') IS DISTINCT FROM (to_jsonb(NEW) - 'inventory_count')
    OR least(OLD.inventory_count, 11) IS DISTINCT FROM least(NEW.inventory_count, 11)
  )
  EXECUTE FUNCTION catalog_changed();
