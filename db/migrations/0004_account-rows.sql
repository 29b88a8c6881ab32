-- A customer without a profile cannot be, whichever way the account was made.
CREATE FUNCTION make_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO profiles (id, first_name, last_name) VALUES (NEW.id, NEW.first_name, NEW.last_name);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_make_profile AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION make_profile();
--> statement-breakpoint
-- A place on the waitlist is verified with the email, whichever link proved it.
CREATE FUNCTION verify_waitlist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE waitlist SET verified_at = now() WHERE user_id = NEW.id AND verified_at IS NULL;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_verify_waitlist AFTER UPDATE OF email_verified ON users
  FOR EACH ROW WHEN (NEW.email_verified AND NOT OLD.email_verified) EXECUTE FUNCTION verify_waitlist();
