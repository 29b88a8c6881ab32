/**
 * What each address of the back office asks for. What does not stand here is refused to everybody: the layout's
 * middleware looks here before any loader or action runs. An act is named by the address of its form, `?act=ship`.
 */
import type { Permission } from "../../../shop/staff/permissions.ts";

type Access = { read: Permission; acts?: Record<string, Permission> };

export const ADMIN_ACCESS: Record<string, Access> = {
  "/admin": { read: "today:read" },
  "/admin/sign-out": { read: "today:read", acts: { "sign-out": "today:read" } },
  "/admin/orders": { read: "orders:read", acts: { ship: "orders:ship", slips: "orders:read" } },
  "/admin/orders/slips": { read: "orders:read" },
  "/admin/orders/export": { read: "orders:export", acts: { export: "orders:export" } },
  "/admin/orders/export.csv": { read: "orders:export" },
  "/admin/orders/:orderId": {
    read: "orders:read",
    acts: {
      note: "orders:note",
      ship: "orders:ship",
      deliver: "orders:ship",
      hold: "orders:note",
      unhold: "orders:change",
      delay: "orders:change",
      "cancel-line": "orders:change",
      cancel: "orders:change",
      decline: "orders:change",
      refund: "orders:refund",
      "ask-payment": "orders:change",
      settle: "orders:sums",
      address: "orders:address",
      email: "orders:email",
    },
  },
  "/admin/waitlist": { read: "waitlist:read", acts: { invite: "waitlist:invite", open: "waitlist:invite" } },
  "/admin/waitlist/export": { read: "waitlist:export", acts: { export: "waitlist:export" } },
  "/admin/numbers": { read: "numbers:read" },
  "/admin/products": { read: "products:read" },
  "/admin/products/new": { read: "products:edit", acts: { create: "products:edit" } },
  "/admin/products/preview": { read: "products:edit", acts: { preview: "products:edit" } },
  "/admin/products/:productId": {
    read: "products:read",
    acts: {
      edit: "products:edit",
      move: "stock:move",
      pictures: "products:edit",
      picture: "products:edit",
      retire: "products:edit",
      unretire: "products:edit",
      delete: "products:edit",
    },
  },
  "/admin/find": { read: "orders:read" },
  "/admin/staff": {
    read: "staff:read",
    acts: {
      invite: "staff:manage",
      uninvite: "staff:manage",
      role: "staff:manage",
      disable: "staff:manage",
      enable: "staff:manage",
      "sign-out": "staff:manage",
      factor: "staff:manage",
    },
  },
  "/admin/messages": { read: "messages:read" },
  "/admin/messages/saved": { read: "messages:read", acts: { save: "messages:reply", remove: "messages:reply" } },
  "/admin/messages/:messageId": {
    read: "messages:read",
    acts: {
      reply: "messages:reply",
      status: "messages:reply",
      assign: "messages:reply",
      order: "messages:reply",
    },
  },
  "/admin/customers": { read: "customers:read" },
  "/admin/customers/by-email": { read: "customers:read" },
  "/admin/customers/:userId": { read: "customers:read" },
  "/admin/privacy": { read: "privacy:handle", acts: { register: "privacy:handle" } },
  "/admin/privacy/:requestId": {
    read: "privacy:handle",
    acts: {
      prove: "privacy:handle",
      note: "privacy:handle",
      extend: "privacy:handle",
      close: "privacy:handle",
      erase: "customers:erase",
    },
  },
  "/admin/privacy/:requestId/file": { read: "customers:export", acts: { export: "customers:export" } },
  "/admin/audit": { read: "audit:read" },
  "/admin/*": { read: "today:read" },
};

/** What a request needs: null where there is no such address or act. */
export function permissionFor(pattern: string, method: string, act: string | null): Permission | null {
  const access = Object.hasOwn(ADMIN_ACCESS, pattern) ? ADMIN_ACCESS[pattern] : undefined;
  if (!access) return null;
  if (method === "GET" || method === "HEAD") return access.read;
  const { acts = {} } = access;
  return act !== null && Object.hasOwn(acts, act) ? (acts[act] ?? null) : null;
}
