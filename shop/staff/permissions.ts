/** Permissions by role; anything not listed is refused. */
import type { Role } from "#shop/roles.ts";

const everyone = ["owner", "manager", "support", "packer"] as const;
const office = ["owner", "manager", "support"] as const;
const managers = ["owner", "manager"] as const;
const owners = ["owner"] as const;

const PERMISSIONS = {
  "today:read": everyone,
  /** Alerts about the shop itself. */
  "alerts:read": managers,
  "orders:read": everyone,
  /** Amounts, payments, and the customer's email and phone. */
  "orders:sums": office,
  "orders:note": everyone,
  "orders:ship": ["owner", "manager", "packer"],
  "orders:address": office,
  /** Cancel, decline, cancel a line, promise a later day, ask for payment. */
  "orders:change": office,
  /** Record a payment that was arranged for an order or a return: what nobody has received is given away with it. */
  "payments:record": office,
  "orders:refund": office,
  /** Place orders for customers; at a discount with `orders:refund`, within its limit. */
  "orders:place": office,
  /** Place orders at no charge. */
  "orders:give": managers,
  "orders:email": office,
  "orders:export": managers,
  /** The customer's words and photos, and sums, need `returns:handle`. */
  "returns:read": everyone,
  "returns:receive": everyone,
  "returns:handle": office,
  "products:read": everyone,
  "products:edit": managers,
  "products:price": managers,
  /** Write, preview, publish and withdraw texts, and announce legal ones. */
  "texts:edit": managers,
  "stock:move": ["owner", "manager", "packer"],
  "customers:read": office,
  "customers:note": office,
  "customers:suspend": managers,
  "customers:export": owners,
  "customers:erase": owners,
  /** Registers and answers privacy requests. */
  "privacy:handle": office,
  "messages:read": office,
  "messages:reply": office,
  "discounts:read": managers,
  "discounts:edit": managers,
  "waitlist:read": managers,
  "waitlist:invite": managers,
  "waitlist:export": managers,
  "letters:read": managers,
  /** Write, test, schedule and stop letters. */
  "letters:send": managers,
  "letters:export": managers,
  "analytics:read": managers,
  "tax:read": managers,
  "tax:export": managers,
  "settings:read": managers,
  "settings:edit": managers,
  /** Addresses to which mail and parcels go, and what protects the stock. */
  "settings:owner": owners,
  "staff:read": owners,
  "staff:manage": owners,
  "audit:read": owners,
  "go-live:check": owners,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export const may = (role: Role, permission: Permission): boolean =>
  (PERMISSIONS[permission] as readonly Role[]).includes(role);

/** Refund limit of a role for one order and day, in cents; null for none. */
export const REFUND_LIMIT_CENTS: Record<Role, number | null> = {
  owner: null,
  manager: 500_00,
  support: 100_00,
  packer: 0,
};

/** Refunds above this sum of one person and order, in cents, ask for a code. */
export const FRESH_REFUND_CENTS = 200_00;
