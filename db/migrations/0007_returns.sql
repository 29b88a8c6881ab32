CREATE TABLE "return_items" (
	"return_id" uuid NOT NULL,
	"order_item_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"condition" text,
	"restocked" boolean DEFAULT false NOT NULL,
	CONSTRAINT "return_items_return_id_order_item_id_pk" PRIMARY KEY("return_id","order_item_id"),
	CONSTRAINT "return_items_quantity" CHECK ("return_items"."quantity" > 0),
	CONSTRAINT "return_items_condition" CHECK ("return_items"."condition" IN ('new', 'used', 'damaged', 'incomplete'))
);
--> statement-breakpoint
CREATE TABLE "return_photos" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"return_id" uuid NOT NULL,
	"image" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "returns" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" text NOT NULL,
	"form_key" uuid NOT NULL,
	"kind" text NOT NULL,
	"order_id" uuid NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"reason" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"exchange_product_id" uuid,
	"difference" integer,
	"label_by" text NOT NULL,
	"label_url" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"authorized_at" timestamp with time zone,
	"ship_by" date,
	"reminded_at" timestamp with time zone,
	"received_at" timestamp with time zone,
	"due_on" date,
	"inspected_at" timestamp with time zone,
	"refuse_reason" text,
	"deduction" integer DEFAULT 0 NOT NULL,
	"deduction_reason" text,
	"quote" integer,
	"quote_accepted_at" timestamp with time zone,
	"outcome" text,
	"refund" integer DEFAULT 0 NOT NULL,
	"shipping_refund" integer DEFAULT 0 NOT NULL,
	"replacement_order_id" uuid,
	"fee_order_id" uuid,
	"resolved_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"staff_id" uuid,
	CONSTRAINT "returns_number_unique" UNIQUE("number"),
	CONSTRAINT "returns_formKey_unique" UNIQUE("form_key"),
	CONSTRAINT "returns_kind" CHECK ("returns"."kind" IN ('return', 'exchange', 'defect', 'warranty', 'repair')),
	CONSTRAINT "returns_state" CHECK ("returns"."state" IN ('requested', 'authorized', 'received', 'inspected', 'quoted', 'resolved', 'closed', 'declined', 'withdrawn', 'expired')),
	CONSTRAINT "returns_reason" CHECK ("returns"."reason" IN ('not-for-me', 'other-model', 'wrong-item', 'defective', 'damaged', 'missing', 'temperature', 'power', 'battery', 'gasket', 'accident', 'other')),
	CONSTRAINT "returns_outcome" CHECK ("returns"."outcome" IN ('refund', 'replacement', 'repair', 'part', 'sent-back')),
	CONSTRAINT "returns_resolved" CHECK (("returns"."outcome" IS NOT NULL) = ("returns"."state" IN ('resolved', 'closed'))),
	CONSTRAINT "returns_ship_by" CHECK ("returns"."state" <> 'authorized' OR "returns"."ship_by" IS NOT NULL),
	CONSTRAINT "returns_refuse_reason" CHECK ("returns"."refuse_reason" IN ('late', 'not-covered', 'not-ours', 'helped')),
	CONSTRAINT "returns_declined" CHECK ("returns"."state" <> 'declined' OR "returns"."refuse_reason" IS NOT NULL),
	CONSTRAINT "returns_deduction" CHECK (("returns"."deduction" > 0) = ("returns"."deduction_reason" IS NOT NULL)),
	CONSTRAINT "returns_deduction_reason" CHECK ("returns"."deduction_reason" IN ('used', 'damaged', 'incomplete')),
	CONSTRAINT "returns_amounts" CHECK (least("returns"."deduction", "returns"."quote", "returns"."shipping_refund") >= 0),
	CONSTRAINT "returns_refund" CHECK ("returns"."refund" >= "returns"."shipping_refund")
);
--> statement-breakpoint
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "stock_moves" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replaces_return_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_actions" ADD COLUMN "return_id" uuid;--> statement-breakpoint
ALTER TABLE "return_items" ADD CONSTRAINT "return_items_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_items" ADD CONSTRAINT "return_items_order_item_id_order_items_id_fk" FOREIGN KEY ("order_item_id") REFERENCES "public"."order_items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_photos" ADD CONSTRAINT "return_photos_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_exchange_product_id_products_id_fk" FOREIGN KEY ("exchange_product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_replacement_order_id_orders_id_fk" FOREIGN KEY ("replacement_order_id") REFERENCES "public"."orders"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_fee_order_id_orders_id_fk" FOREIGN KEY ("fee_order_id") REFERENCES "public"."orders"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "return_items_item" ON "return_items" USING btree ("order_item_id");--> statement-breakpoint
CREATE INDEX "return_photos_return" ON "return_photos" USING btree ("return_id");--> statement-breakpoint
CREATE INDEX "returns_order" ON "returns" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "returns_newest" ON "returns" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "returns_state" ON "returns" USING btree ("state","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "returns_ship_by" ON "returns" USING btree ("ship_by") WHERE "returns"."state" = 'authorized';--> statement-breakpoint
CREATE INDEX "returns_open" ON "returns" USING btree ("due_on") WHERE "returns"."state" IN ('requested', 'authorized', 'received', 'inspected', 'quoted', 'resolved');--> statement-breakpoint
CREATE INDEX "orders_replacements" ON "orders" USING btree ("replaces_return_id") WHERE "orders"."replaces_return_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_actions_return" ON "payment_actions" USING btree ("return_id") WHERE "payment_actions"."return_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));