/** Orders that staff place by hand, in the database of a test. */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Acting } from "#shop/audit/audit.server.ts";
import type { Database } from "#db/connection.server.ts";
import { placeByHand, type OrderByHand } from "#shop/checkout/order-by-hand.server.ts";
import { policy } from "#shop/policies.ts";
import { anyPermit, uncounted } from "./mail-permit.ts";

export const RECIPIENT = {
  email: "press@example.com",
  phone: "+1 212 555 0100",
  shippingMethod: "standard",
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
} as const;

type ByHand = Partial<Omit<OrderByHand, "contact">> & { units: Record<string, number>; email?: string };

/** An order of units by slug, by default at no charge. */
export async function orderByHand(pool: Pool, { units, email, ...more }: ByHand): Promise<OrderByHand> {
  const { rows } = await pool.query<{ id: string; slug: string }>(
    "SELECT id, slug FROM products WHERE slug = ANY($1)",
    [Object.keys(units)],
  );
  return {
    formKey: randomUUID(),
    contact: { ...RECIPIENT, ...(email && { email }) },
    lines: rows.map(({ id, slug }) => ({ productId: id, quantity: units[slug]!, unitCents: null })),
    discountCents: 0,
    reason: "",
    isShippingFree: false,
    payment: { by: "nothing", reason: "press" },
    termsVersion: policy.effectiveDate,
    ...more,
  };
}

/** Places an order at no charge, as a member does who has seen its total. */
export const give = (db: Database, order: OrderByHand, by: Acting) =>
  placeByHand(
    db,
    { rateLimits: uncounted, taxProvider: null },
    { ...order, seenCents: 0 },
    { by, isVerified: false, takePermit: () => Promise.resolve(anyPermit) },
  );
