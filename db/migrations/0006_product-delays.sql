CREATE TABLE "product_delays" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"until" date,
	"reason" text NOT NULL,
	"pays_again" boolean NOT NULL,
	"asked_by" jsonb NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_delays_reason" CHECK ("product_delays"."reason" IN ('not-ready', 'supplier', 'demand', 'quality', 'unpaid'))
);
--> statement-breakpoint
ALTER TABLE "product_delays" ADD CONSTRAINT "product_delays_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;