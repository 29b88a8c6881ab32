/** Who may do what in the back office: what does not stand here for a role is refused. */
import type { Role } from "./roles.ts";

const everyone = ["owner", "manager", "support", "packer"] as const;
const office = ["owner", "manager", "support"] as const;
const managers = ["owner", "manager"] as const;
const owners = ["owner"] as const;

export const PERMISSIONS = {
  "today:read": everyone,
  "orders:read": everyone,
  /** Amounts, payments, and the customer's email and phone. */
  "orders:sums": office,
  "orders:note": everyone,
  "orders:ship": ["owner", "manager", "packer"],
  "orders:address": office,
  /** Cancel, decline, cancel a line, promise a later day, ask for payment. */
  "orders:change": office,
  "orders:refund": office,
  "orders:email": office,
  "orders:export": managers,
  "products:read": everyone,
  "products:edit": managers,
  "products:price": managers,
  "stock:move": ["owner", "manager", "packer"],
  "customers:read": office,
  "customers:export": owners,
  "customers:erase": owners,
  /** Registers what people ask about their data, and answers it. */
  "privacy:handle": office,
  "messages:read": office,
  "messages:reply": office,
  "waitlist:read": managers,
  "waitlist:invite": managers,
  "waitlist:export": managers,
  "numbers:read": managers,
  "staff:read": owners,
  "staff:manage": owners,
  "audit:read": owners,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export const may = (role: Role, permission: Permission): boolean =>
  (PERMISSIONS[permission] as readonly Role[]).includes(role);

/** The most that somebody of a role gives back of one order within a day, in cents; null: all there is. */
export const REFUND_LIMIT_CENTS: Record<Role, number | null> = {
  owner: null,
  manager: 500_00,
  support: 100_00,
  packer: 0,
};

/** What is left of the limit for somebody who has given back `givenCents` of the order; null: all there is. */
export function refundLeftCents(role: Role, givenCents: number): number | null {
  const limit = REFUND_LIMIT_CENTS[role];
  return limit === null ? null : Math.max(0, limit - givenCents);
}

/** A refund that comes to more than this, in cents, with what the same person gave back before, asks again who is there. */
export const FRESH_REFUND_CENTS = 200_00;
