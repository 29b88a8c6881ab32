CREATE TABLE "order_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"staff_id" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_notes_kind" CHECK ("order_notes"."kind" IN ('note', 'hold', 'unhold', 'address', 'email'))
);
--> statement-breakpoint
DROP INDEX "orders_guest_email";--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "staff_id" uuid;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "staff_id" uuid;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment_status" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "on_hold_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "rest_to_ship" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD COLUMN "staff_id" uuid;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_notes_order" ON "order_notes" USING btree ("order_id","at");--> statement-breakpoint
CREATE INDEX "order_items_product" ON "order_items" USING btree ("product_id","created_at" DESC NULLS FIRST,"order_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_email" ON "orders" USING btree (lower("email") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_first_name" ON "orders" USING btree (lower("shipping_first_name" || ' ' || "shipping_last_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_last_name" ON "orders" USING btree (lower("shipping_last_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_desk" ON "orders" USING btree ("status","payment_status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "orders_on_hold" ON "orders" USING btree ("on_hold_since") WHERE "orders"."on_hold_since" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_rest_to_ship" ON "orders" USING btree ("created_at") WHERE "orders"."rest_to_ship";--> statement-breakpoint
CREATE INDEX "payments_capture_before" ON "payments" USING btree ("capture_before") WHERE "payments"."state" = 'authorized';--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment_status" CHECK ("orders"."payment_status" IN ('none', 'unpaid', 'authorized', 'captured', 'partly-refunded', 'refunded', 'failed', 'mismatch', 'disputed'));-- By hand: what the payments of an order come to, kept beside it. An order that is placed with a payment says so itself.
CREATE FUNCTION payment_status_of(of_order uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN count(*) = 0 THEN 'none'
    WHEN bool_or(disputed_until IS NOT NULL) THEN 'disputed'
    WHEN bool_or(state = 'mismatch') THEN 'mismatch'
    WHEN bool_or(state = 'captured') AND sum(refunded) = 0 THEN 'captured'
    WHEN bool_or(state = 'captured') AND sum(refunded) < sum(captured) THEN 'partly-refunded'
    WHEN bool_or(state = 'captured') THEN 'refunded'
    WHEN bool_or(state = 'authorized') THEN 'authorized'
    WHEN bool_or(state = 'failed') THEN 'failed'
    ELSE 'unpaid'
  END FROM payments WHERE order_id = of_order
$$;
--> statement-breakpoint
CREATE FUNCTION keep_payment_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET payment_status = kept.status FROM (SELECT payment_status_of(NEW.order_id) AS status) AS kept
  WHERE orders.id = NEW.order_id AND orders.payment_status <> kept.status;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER payments_begin_status AFTER INSERT ON payments
  FOR EACH ROW WHEN (NEW.hold_key IS NULL) EXECUTE FUNCTION keep_payment_status();
--> statement-breakpoint
CREATE TRIGGER payments_keep_status AFTER UPDATE OF state, captured, refunded, disputed_until ON payments
  FOR EACH ROW WHEN ((OLD.state, OLD.captured, OLD.refunded, OLD.disputed_until)
    IS DISTINCT FROM (NEW.state, NEW.captured, NEW.refunded, NEW.disputed_until))
  EXECUTE FUNCTION keep_payment_status();
--> statement-breakpoint
UPDATE orders SET payment_status = payment_status_of(id) WHERE id IN (SELECT order_id FROM payments);
--> statement-breakpoint
UPDATE order_items SET created_at = orders.created_at FROM orders WHERE orders.id = order_id;
--> statement-breakpoint
UPDATE orders SET rest_to_ship = true WHERE status = 'shipped' AND
  (SELECT sum(quantity - canceled_quantity) FROM order_items WHERE order_id = orders.id) >
  (SELECT sum(packed.quantity) FROM shipment_items AS packed JOIN shipments ON shipments.id = shipment_id
   WHERE shipments.order_id = orders.id AND shipments.state <> 'failed');
