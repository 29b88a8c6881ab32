-- Of two accounts of one kind the first stays: a later one came by the email alone.
DELETE FROM accounts AS later USING accounts AS first
WHERE later.user_id = first.user_id AND later.provider_id = first.provider_id
  AND (later.created_at, later.id) > (first.created_at, first.id);
--> statement-breakpoint
DROP INDEX "accounts_user";--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_provider" UNIQUE("user_id","provider_id");