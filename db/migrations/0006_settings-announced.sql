-- Changes of the catalog and the settings clear the rendered pages of every process. Equal payloads, the name of the table,
-- are one notification per transaction.
CREATE OR REPLACE FUNCTION catalog_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog', TG_TABLE_NAME);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER settings_announced AFTER INSERT ON settings_versions
  FOR EACH STATEMENT EXECUTE FUNCTION catalog_changed();
