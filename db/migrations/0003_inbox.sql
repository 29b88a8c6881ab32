CREATE TABLE "incoming_emails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_id" uuid NOT NULL,
	"mail_id" text NOT NULL,
	"text" text NOT NULL,
	"first" boolean NOT NULL,
	"refused" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incoming_emails_mailId_unique" UNIQUE("mail_id")
);
--> statement-breakpoint
CREATE TABLE "incoming_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email_id" uuid NOT NULL,
	"name" text NOT NULL,
	"image" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "warning" text;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "claimed_id" uuid;--> statement-breakpoint
ALTER TABLE "incoming_emails" ADD CONSTRAINT "incoming_emails_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_pictures" ADD CONSTRAINT "incoming_pictures_email_id_incoming_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."incoming_emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incoming_emails_message" ON "incoming_emails" USING btree ("message_id","created_at");--> statement-breakpoint
CREATE INDEX "incoming_pictures_email" ON "incoming_pictures" USING btree ("email_id","created_at");--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_claimed_id_contact_messages_id_fk" FOREIGN KEY ("claimed_id") REFERENCES "public"."contact_messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_messages_claimed" ON "contact_messages" USING btree ("claimed_id") WHERE "contact_messages"."claimed_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD CONSTRAINT "contact_messages_warning" CHECK ("contact_messages"."warning" IN ('other-sender', 'forged-address'));