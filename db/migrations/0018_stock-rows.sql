-- Sales fight for these rows alone. Half of each page stays free, so that a sale finds room beside the row it rewrites.
CREATE TABLE "stock" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"inventory_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stock_not_negative" CHECK ("stock"."inventory_count" >= 0)
) WITH (fillfactor = 50);
--> statement-breakpoint
INSERT INTO stock (product_id, inventory_count) SELECT id, inventory_count FROM products;--> statement-breakpoint
ALTER TABLE "stock" ADD CONSTRAINT "stock_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
DROP TRIGGER products_stock_changed ON products;--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_inventory_not_negative";--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "inventory_count";--> statement-breakpoint
-- Each product has its stock, 0 until it is counted.
CREATE FUNCTION add_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock (product_id) VALUES (NEW.id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER products_get_stock AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION add_stock();--> statement-breakpoint
-- Stock counts as seen only up to 11, where 'In Stock' begins: a NOTIFY in every sale would make commits wait for each other.
CREATE FUNCTION stock_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', slug) FROM products WHERE id = NEW.product_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER stock_changed AFTER UPDATE OF inventory_count ON stock
  FOR EACH ROW WHEN (least(OLD.inventory_count, 11) <> least(NEW.inventory_count, 11))
  EXECUTE FUNCTION stock_changed();
