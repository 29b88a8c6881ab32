CREATE TABLE "texts" (
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"markdown" text,
	"fields" jsonb NOT NULL,
	"publish_at" timestamp with time zone,
	"effective_on" date,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "texts_key_version_pk" PRIMARY KEY("key","version"),
	CONSTRAINT "texts_version" CHECK ("texts"."version" > 0)
);
--> statement-breakpoint
-- Every process reads the texts again, and drops its pages.
CREATE TRIGGER texts_published AFTER INSERT ON texts
  FOR EACH ROW WHEN (NEW.publish_at IS NOT NULL) EXECUTE FUNCTION catalog_changed();
--> statement-breakpoint
CREATE TRIGGER texts_append_only BEFORE UPDATE OR DELETE ON texts FOR EACH ROW EXECUTE FUNCTION append_only();
