ALTER TABLE "daily_orders" ADD COLUMN "visits" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_orders" ADD COLUMN "product_views" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_orders" ADD COLUMN "carts" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_orders" ADD COLUMN "checkouts" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "waitlist" ADD COLUMN "is_invited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "waitlist_states" ON "waitlist" USING btree ("utm_source","utm_campaign","verified_at","unsubscribed_at","is_invited");--> statement-breakpoint
-- By hand:
-- The days that are summed up have their steps, too.
INSERT INTO daily_orders (day, utm_source, utm_campaign, visits, product_views, carts, checkouts, orders, sold, refunded, lapsed)
SELECT day, utm_source, utm_campaign, coalesce(sum(count) FILTER (WHERE step = 'visit'), 0),
  coalesce(sum(count) FILTER (WHERE step = 'product-view'), 0), coalesce(sum(count) FILTER (WHERE step = 'cart'), 0),
  coalesce(sum(count) FILTER (WHERE step = 'checkout'), 0), 0, 0, 0, 0
FROM daily_counts WHERE day <= (SELECT max(day) FROM daily_orders) GROUP BY 1, 2, 3
ON CONFLICT (day, utm_source, utm_campaign) DO UPDATE SET visits = excluded.visits,
  product_views = excluded.product_views, carts = excluded.carts, checkouts = excluded.checkouts;
--> statement-breakpoint
UPDATE waitlist SET is_invited = true WHERE id IN (SELECT waitlist_id FROM waitlist_invitations);
