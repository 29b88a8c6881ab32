ALTER TABLE "order_events" DROP CONSTRAINT "order_events_type";--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_type" CHECK ("order_events"."type" IN ('placed', 'replacement-placed', 'held', 'authorized', 'card-saved', 'expired', 'authorized-late', 'card-saved-late', 'canceled', 'declined', 'shipped', 'shipment-undone', 'delivered', 'undelivered', 'fee-charged', 'payment-requested', 'payment-recorded', 'payment-authorized', 'card-changed', 'payment-failed', 'capture-failed', 'charge-refused', 'charge-announced', 'line-canceled', 'delayed', 'delay-accepted', 'address-changed', 'parcel-shipped', 'parcel-undone', 'tracking-corrected', 'parcel-delivered', 'parcel-refused', 'parcel-lost', 'parcel-returned', 'parcel-resent', 'hold-extended', 'return-changed', 'refunded', 'refund-failed', 'payment-voided', 'payment-mismatch', 'disputed', 'dispute-closed'));--> statement-breakpoint
-- A shipped order of which nothing arrived ends as canceled.
CREATE OR REPLACE FUNCTION orders_status_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (('unpaid', 'processing'), ('unpaid', 'expired'), ('unpaid', 'canceled'),
    ('expired', 'processing'), ('processing', 'canceled'), ('processing', 'declined'), ('processing', 'shipped'),
    ('processing', 'delivered'), ('shipped', 'processing'), ('shipped', 'delivered'), ('shipped', 'canceled')) THEN
    RAISE EXCEPTION 'an order cannot go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END;
$$;
--> statement-breakpoint
-- A payment that staff record is inserted as captured.
CREATE TRIGGER payments_begin_tax_due AFTER INSERT ON payments
  FOR EACH ROW WHEN (NEW.captured > 0) EXECUTE FUNCTION mark_tax_due();
