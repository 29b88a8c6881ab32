CREATE TABLE "shipment_items" (
	"shipment_id" uuid NOT NULL,
	"order_item_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "shipment_items_shipment_id_order_item_id_pk" PRIMARY KEY("shipment_id","order_item_id"),
	CONSTRAINT "shipment_items_quantity" CHECK ("shipment_items"."quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"carrier" text NOT NULL,
	"tracking_number" text NOT NULL,
	"state" text NOT NULL,
	"capture_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"shipped_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "shipments_carrier" CHECK ("shipments"."carrier" IN ('ups', 'usps', 'fedex', 'dhl')),
	CONSTRAINT "shipments_state" CHECK ("shipments"."state" IN ('capturing', 'failed', 'shipped', 'delivered', 'refused', 'lost'))
);
--> statement-breakpoint
CREATE TABLE "payment_actions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"payment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"sent_at" timestamp with time zone,
	"provider_reference" text,
	"reason" text,
	"asked_by" text NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "payment_actions_kind" CHECK ("payment_actions"."kind" IN ('capture', 'void', 'refund')),
	CONSTRAINT "payment_actions_state" CHECK ("payment_actions"."state" IN ('asked', 'sent', 'done', 'failed')),
	CONSTRAINT "payment_actions_amount" CHECK ("payment_actions"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_inbox" (
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"reference" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp with time zone,
	CONSTRAINT "payment_inbox_provider_event_id_pk" PRIMARY KEY("provider","event_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"reference" text,
	"intent_reference" text,
	"state" text DEFAULT 'opening' NOT NULL,
	"amount" integer NOT NULL,
	"authorized" integer DEFAULT 0 NOT NULL,
	"captured" integer DEFAULT 0 NOT NULL,
	"refunded" integer DEFAULT 0 NOT NULL,
	"capture_before" timestamp with time zone,
	"url" text,
	"expires_at" timestamp with time zone,
	"method" jsonb,
	"problem" text,
	"disputed_until" timestamp with time zone,
	"read_at" timestamp with time zone,
	"hold_key" text,
	"warned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_reference" UNIQUE("provider","reference"),
	CONSTRAINT "payments_state" CHECK ("payments"."state" IN ('opening', 'open', 'authorized', 'captured', 'failed', 'closed', 'mismatch')),
	CONSTRAINT "payments_amounts" CHECK (0 <= "payments"."refunded" AND "payments"."refunded" <= "payments"."captured" AND "payments"."captured" <= "payments"."amount")
);
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_actor";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_status";--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "data" jsonb;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "canceled_quantity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "utm_source" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "utm_campaign" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "hold_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "accepted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ships_by" date;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "link_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "shipment_items" ADD CONSTRAINT "shipment_items_shipment_id_shipments_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment_items" ADD CONSTRAINT "shipment_items_order_item_id_order_items_id_fk" FOREIGN KEY ("order_item_id") REFERENCES "public"."order_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_capture_id_payment_actions_id_fk" FOREIGN KEY ("capture_id") REFERENCES "public"."payment_actions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD CONSTRAINT "payment_actions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipment_items_item" ON "shipment_items" USING btree ("order_item_id");--> statement-breakpoint
CREATE INDEX "shipments_order" ON "shipments" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shipments_one_capturing" ON "shipments" USING btree ("order_id") WHERE "shipments"."state" = 'capturing';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_one_capture" ON "payment_actions" USING btree ("payment_id") WHERE "payment_actions"."kind" = 'capture' AND "payment_actions"."state" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_one_void" ON "payment_actions" USING btree ("payment_id") WHERE "payment_actions"."kind" = 'void' AND "payment_actions"."state" <> 'failed';--> statement-breakpoint
CREATE INDEX "payment_actions_payment" ON "payment_actions" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_actions_reference" ON "payment_actions" USING btree ("provider_reference");--> statement-breakpoint
CREATE INDEX "payment_actions_underway" ON "payment_actions" USING btree ("created_at") WHERE "payment_actions"."state" IN ('asked', 'sent');--> statement-breakpoint
CREATE INDEX "payment_inbox_unhandled" ON "payment_inbox" USING btree ("received_at") WHERE "payment_inbox"."handled_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE "payments"."state" IN ('opening', 'open');--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_intent" ON "payments" USING btree ("intent_reference");--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree (coalesce("read_at", "created_at")) WHERE "payments"."state" IN ('open', 'authorized');--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("hold_until") WHERE "orders"."status" = 'unpaid';--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'held', 'authorized', 'lapsed', 'authorized-late', 'canceled', 'declined', 'shipped', 'delivered', 'payment-requested', 'payment-authorized', 'payment-failed', 'capture-failed', 'line-canceled', 'delayed', 'delay-accepted', 'parcel-shipped', 'hold-extended', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_actor" CHECK ("order_events"."actor" IN ('customer', 'guest', 'staff', 'provider', 'system'));--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_canceled" CHECK ("order_items"."canceled_quantity" BETWEEN 0 AND "order_items"."quantity");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_hold" CHECK ("orders"."status" <> 'unpaid' OR "orders"."hold_until" IS NOT NULL);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_status" CHECK ("orders"."status" IN ('unpaid', 'processing', 'shipped', 'delivered', 'canceled', 'declined', 'lapsed'));--> statement-breakpoint
-- The transitions of shop/orders/lifecycle.ts, for whoever writes by hand: what is canceled is not shipped after all.
CREATE OR REPLACE FUNCTION orders_status_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (('unpaid', 'processing'), ('unpaid', 'lapsed'), ('unpaid', 'canceled'),
    ('lapsed', 'processing'), ('processing', 'canceled'), ('processing', 'declined'), ('processing', 'shipped'),
    ('shipped', 'delivered')) THEN
    RAISE EXCEPTION 'an order cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
-- Called by statements of many parts: where a sale waits for another one, PostgreSQL looks at the row anew with these
-- small statements, and need not make the whole large one ready for it again.
CREATE FUNCTION lock_stock(ids uuid[]) RETURNS TABLE (product_id uuid, inventory_count integer)
LANGUAGE plpgsql STRICT ROWS 4 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT product_id, inventory_count FROM stock WHERE product_id = ANY (ids)
    ORDER BY product_id FOR NO KEY UPDATE;
END
$$;
--> statement-breakpoint
CREATE FUNCTION take_stock(ids uuid[], units integer[]) RETURNS void LANGUAGE plpgsql STRICT AS $$
BEGIN
  UPDATE stock SET inventory_count = inventory_count - taken.quantity
  FROM unnest(ids, units) AS taken (product_id, quantity) WHERE stock.product_id = taken.product_id;
END
$$;
