-- A session ends 90 days after its sign-in, however often it is prolonged. Kept here, it holds for whoever reads one.
CREATE FUNCTION cap_session_lifetime() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := least(NEW.expires_at, NEW.created_at + interval '90 days');
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER sessions_lifetime BEFORE INSERT OR UPDATE OF created_at, expires_at ON sessions
  FOR EACH ROW EXECUTE FUNCTION cap_session_lifetime();
--> statement-breakpoint
UPDATE sessions SET expires_at = expires_at;
--> statement-breakpoint
-- Reset links are stored as hashes from now on; those under way are asked for again.
DELETE FROM verifications WHERE identifier LIKE 'reset-password:%';
--> statement-breakpoint
-- What would let the shop ask Google again is kept no longer.
UPDATE accounts SET access_token = NULL, refresh_token = NULL, id_token = NULL, access_token_expires_at = NULL,
  refresh_token_expires_at = NULL
WHERE access_token IS NOT NULL OR refresh_token IS NOT NULL OR id_token IS NOT NULL;
