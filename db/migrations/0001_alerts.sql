CREATE TABLE "backups" (
	"moment" timestamp with time zone PRIMARY KEY DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "health_alerts" (
	"name" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_inbox" ADD COLUMN "missed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_actions_refused" ON "payment_actions" USING btree ("done_at") WHERE "payment_actions"."kind" = 'capture' AND "payment_actions"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "payment_inbox_received" ON "payment_inbox" USING btree ("received_at");