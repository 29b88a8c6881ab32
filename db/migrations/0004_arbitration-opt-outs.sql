CREATE TABLE "arbitration_opt_outs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"received_on" date NOT NULL,
	"staff_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "arbitration_opt_outs" ADD CONSTRAINT "arbitration_opt_outs_staff_id_staff_user_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "arbitration_opt_outs_email" ON "arbitration_opt_outs" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "arbitration_opt_outs_newest" ON "arbitration_opt_outs" USING btree ("created_at" DESC NULLS LAST);