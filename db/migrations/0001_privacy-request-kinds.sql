ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_kind";--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_channel";--> statement-breakpoint
ALTER TABLE "privacy_requests" DROP CONSTRAINT "privacy_requests_proof";--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_kind" CHECK ("privacy_requests"."kind" IN ('data', 'deletion', 'correction', 'objection'));--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_channel" CHECK ("privacy_requests"."channel" IN ('email', 'form', 'account', 'phone', 'letter', 'agent'));--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_proof" CHECK ("privacy_requests"."proof" IN ('wrote', 'answered', 'account', 'document'));