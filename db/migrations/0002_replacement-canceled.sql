-- A return is decided again once the order of its replacement is canceled.
CREATE OR REPLACE FUNCTION returns_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('requested', 'authorized'), ('requested', 'declined'), ('requested', 'withdrawn'),
    ('requested', 'resolved'), ('authorized', 'withdrawn'), ('authorized', 'expired'), ('authorized', 'received'),
    ('authorized', 'resolved'), ('expired', 'authorized'), ('received', 'inspected'), ('inspected', 'quoted'),
    ('inspected', 'resolved'), ('quoted', 'inspected'), ('quoted', 'resolved'), ('resolved', 'closed'),
    ('resolved', 'inspected'), ('closed', 'inspected')) THEN
    RAISE EXCEPTION 'a return cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
