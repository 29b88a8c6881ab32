CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"state" text DEFAULT 'quoted' NOT NULL,
	"box" text NOT NULL,
	"ounces" integer NOT NULL,
	"units" jsonb,
	"rates" jsonb NOT NULL,
	"rate" jsonb,
	"tracking_number" text,
	"url" text,
	"problem" text,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "labels_state" CHECK ("labels"."state" IN ('quoted', 'asked', 'bought', 'used', 'voiding', 'voided', 'failed')),
	CONSTRAINT "labels_rate" CHECK ("labels"."state" = 'quoted' OR "labels"."rate" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "stock_moves" DROP CONSTRAINT "stock_moves_reason";--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_actor";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "weight_oz" integer;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "label_id" uuid;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "progress" text;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "progress_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "resent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "tracked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "labels_order" ON "labels" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "labels_quoted" ON "labels" USING btree ("created_at") WHERE "labels"."state" = 'quoted';--> statement-breakpoint
CREATE UNIQUE INDEX "labels_one_due" ON "labels" USING btree ("order_id") WHERE "labels"."state" IN ('asked', 'bought');--> statement-breakpoint
CREATE INDEX "labels_voiding" ON "labels" USING btree ("created_at") WHERE "labels"."state" = 'voiding';--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipments_tracking_number" ON "shipments" USING btree ("tracking_number");--> statement-breakpoint
CREATE INDEX "shipments_on_the_way" ON "shipments" USING btree ("tracked_at") WHERE "shipments"."state" IN ('shipped', 'lost');--> statement-breakpoint
CREATE INDEX "shipments_in_trouble" ON "shipments" USING btree ("order_id") WHERE "shipments"."state" IN ('refused', 'lost') AND "shipments"."resent_at" IS NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_labelId_unique" UNIQUE("label_id");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_weight" CHECK ("products"."weight_oz" > 0);--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_progress" CHECK ("shipments"."progress" IN ('in-transit', 'out-for-delivery'));--> statement-breakpoint
ALTER TABLE "stock_moves" ADD CONSTRAINT "stock_moves_reason" CHECK ("stock_moves"."reason" IN ('received', 'counted', 'damaged', 'returned', 'resent', 'correction'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_actor" CHECK ("order_events"."actor" IN ('customer', 'guest', 'staff', 'provider', 'carrier', 'system'));--> statement-breakpoint
-- Products have said their weight in their specifications, in pounds.
UPDATE "products" SET "weight_oz" = ceil(("specs"->>'weight_lb')::numeric * 16) WHERE "specs"->>'weight_lb' ~ '^[0-9]*[.]?[0-9]*[1-9][0-9]*$';
