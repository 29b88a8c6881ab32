-- Transitions of shop/returns/lifecycle.ts, enforced for manual statements too.
CREATE FUNCTION returns_state_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (('requested', 'authorized'), ('requested', 'declined'), ('requested', 'withdrawn'),
    ('requested', 'resolved'), ('authorized', 'withdrawn'), ('authorized', 'expired'), ('authorized', 'received'),
    ('authorized', 'resolved'), ('expired', 'authorized'), ('received', 'inspected'), ('inspected', 'quoted'),
    ('inspected', 'resolved'), ('quoted', 'inspected'), ('quoted', 'resolved'), ('resolved', 'closed')) THEN
    RAISE EXCEPTION 'a return cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER returns_state_moves BEFORE UPDATE OF state ON returns
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION returns_state_moves();
--> statement-breakpoint
-- The order of a diagnostic fee is done once the fee is charged.
CREATE OR REPLACE FUNCTION orders_status_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (('unpaid', 'processing'), ('unpaid', 'expired'), ('unpaid', 'canceled'),
    ('expired', 'processing'), ('processing', 'canceled'), ('processing', 'declined'), ('processing', 'shipped'),
    ('processing', 'delivered'), ('shipped', 'processing'), ('shipped', 'delivered')) THEN
    RAISE EXCEPTION 'an order cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
-- The tables of orders do not know those of returns, which stand on them.
ALTER TABLE orders ADD CONSTRAINT orders_replaces_return FOREIGN KEY (replaces_return_id) REFERENCES returns(id) ON DELETE SET NULL;
