CREATE TABLE "colors" (
	"name" text PRIMARY KEY NOT NULL,
	"hex" text NOT NULL,
	"position" integer GENERATED ALWAYS AS IDENTITY (sequence name "colors_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	CONSTRAINT "colors_hex" CHECK ("colors"."hex" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_color";--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "ships_from" date;--> statement-breakpoint
CREATE UNIQUE INDEX "colors_name_in_any_case" ON "colors" USING btree (lower("name"));--> statement-breakpoint
-- By hand:
-- The colors that products have had so far, before what holds products to them.
INSERT INTO colors (name, hex) VALUES ('Frost White', '#ece8e0'), ('Earth Green', '#7b8467'), ('Midnight Black', '#1b1e23');--> statement-breakpoint
-- A swatch is on every page that shows its color.
CREATE TRIGGER colors_changed AFTER UPDATE OF name, hex ON colors FOR EACH ROW EXECUTE FUNCTION catalog_changed();--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_color_variant_colors_name_fk" FOREIGN KEY ("color_variant") REFERENCES "public"."colors"("name") ON DELETE no action ON UPDATE no action;