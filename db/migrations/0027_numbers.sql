CREATE TABLE "daily_counts" (
	"day" date NOT NULL,
	"step" text NOT NULL,
	"utm_source" text DEFAULT '' NOT NULL,
	"utm_campaign" text DEFAULT '' NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "daily_counts_day_step_utm_source_utm_campaign_pk" PRIMARY KEY("day","step","utm_source","utm_campaign"),
	CONSTRAINT "daily_counts_step" CHECK ("daily_counts"."step" IN ('visit', 'product-view', 'cart', 'checkout'))
);
--> statement-breakpoint
CREATE TABLE "daily_orders" (
	"day" date NOT NULL,
	"utm_source" text DEFAULT '' NOT NULL,
	"utm_campaign" text DEFAULT '' NOT NULL,
	"orders" integer NOT NULL,
	"sold" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	"lapsed" integer NOT NULL,
	CONSTRAINT "daily_orders_day_utm_source_utm_campaign_pk" PRIMARY KEY("day","utm_source","utm_campaign")
);
--> statement-breakpoint
CREATE TABLE "product_sales" (
	"days" integer NOT NULL,
	"product_id" uuid NOT NULL,
	"units" integer NOT NULL,
	"sold" bigint NOT NULL,
	CONSTRAINT "product_sales_days_product_id_pk" PRIMARY KEY("days","product_id")
);
--> statement-breakpoint
CREATE TABLE "waitlist_invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"waitlist_id" uuid NOT NULL,
	"batch" integer NOT NULL,
	"code_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"order_id" uuid,
	CONSTRAINT "waitlist_invitations_place" UNIQUE("waitlist_id"),
	CONSTRAINT "waitlist_invitations_code" UNIQUE("code_hash")
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "waitlist_only_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "waitlist" ADD COLUMN "unsubscribed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "waitlist_invitations" ADD CONSTRAINT "waitlist_invitations_waitlist_id_waitlist_id_fk" FOREIGN KEY ("waitlist_id") REFERENCES "public"."waitlist"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_sales_most" ON "product_sales" USING btree ("days","units" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "waitlist_invitations_batch" ON "waitlist_invitations" USING btree ("batch","created_at");--> statement-breakpoint
CREATE INDEX "waitlist_invitations_unsent" ON "waitlist_invitations" USING btree ("created_at") WHERE "waitlist_invitations"."sent_at" IS NULL;--> statement-breakpoint
CREATE INDEX "orders_by_time" ON "orders" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "payment_actions_refunded" ON "payment_actions" USING btree ("done_at") WHERE "payment_actions"."kind" = 'refund' AND "payment_actions"."state" = 'done';--> statement-breakpoint
CREATE INDEX "waitlist_newest" ON "waitlist" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "waitlist_campaign" ON "waitlist" USING btree ("utm_source","utm_campaign","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "waitlist_unsubscribed" ON "waitlist" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "waitlist"."unsubscribed_at" IS NOT NULL;