/**
 * Permissions of the back office by address and action (`?intent=ship`). Anything not listed is refused before a loader
 * or action runs.
 */
import { may, type Permission } from "#shop/staff/permissions.ts";
import type { Role } from "#shop/roles.ts";

type Access = { read: Permission; actions?: Record<string, Permission> };

const needs = (permission: Permission, ...intents: string[]): Record<string, Permission> =>
  Object.fromEntries(intents.map((intent) => [intent, permission]));

const ABOUT_CUSTOMERS = ["note", "tag", "untag"];

export const ADMIN_ACCESS: Record<string, Access> = {
  "/admin": { read: "today:read" },
  "/admin/sign-out": { read: "today:read", actions: { "sign-out": "today:read" } },
  "/admin/orders": {
    read: "orders:read",
    actions: {
      ...needs("orders:ship", "ship", "label-rates", "labels"),
      ...needs("orders:change", "delay", "cancel"),
      slips: "orders:read",
      hold: "orders:note",
    },
  },
  "/admin/orders/new": { read: "orders:place", actions: { create: "orders:place" } },
  "/admin/orders/slips": { read: "orders:read" },
  "/admin/orders/label/:shipmentId": { read: "orders:read" },
  "/admin/orders/export": { read: "orders:export", actions: { export: "orders:export" } },
  "/admin/orders/:orderId": {
    read: "orders:read",
    actions: {
      ...needs("orders:note", "note", "hold"),
      ...needs("orders:ship", "ship", "rates", "buy-label", "deliver", "tracking", "undo-shipment"),
      ...needs("orders:ship", "refused", "lost", "arrived", "returned", "send-again"),
      ...needs("orders:change", "unhold", "announce", "delay", "cancel-line", "write-off", "cancel", "ask-payment"),
      "record-payment": "payments:record",
      ...needs("orders:refund", "refund", "resolve-refund", "record-refund", "retry-refund"),
      reconcile: "orders:sums",
      address: "orders:address",
      email: "orders:email",
      return: "returns:handle",
    },
  },
  "/admin/returns": { read: "returns:read" },
  "/admin/returns/:returnId": {
    read: "returns:read",
    actions: {
      receive: "returns:receive",
      ...needs("returns:handle", "authorize", "label", "checks", "fee", "decline", "withdraw", "reopen"),
      ...needs("returns:handle", "inspect", "quote", "answer", "resolve"),
      "record-paid": "payments:record",
      waive: "orders:refund",
    },
  },
  "/admin/returns/:returnId/photos/:photoId": { read: "returns:handle" },
  "/admin/discounts": { read: "discounts:read", actions: needs("discounts:edit", "code", "bundle", "end") },
  "/admin/waitlist": { read: "waitlist:read", actions: needs("waitlist:invite", "invite", "open") },
  "/admin/waitlist/export": { read: "waitlist:export", actions: { export: "waitlist:export" } },
  "/admin/letters": { read: "letters:read", actions: { create: "letters:send" } },
  "/admin/letters/:letterId": {
    read: "letters:read",
    actions: needs("letters:send", "save", "picture", "stop", "remove"),
  },
  "/admin/letters/consents": { read: "letters:export", actions: { export: "letters:export" } },
  "/admin/analytics": { read: "analytics:read" },
  "/admin/tax": { read: "tax:read" },
  "/admin/tax/export": { read: "tax:export", actions: { export: "tax:export" } },
  "/admin/products": { read: "products:read" },
  "/admin/products/new": { read: "products:edit", actions: { create: "products:edit" } },
  "/admin/products/preview": { read: "products:edit", actions: { preview: "products:edit" } },
  "/admin/products/:productId": {
    read: "products:read",
    actions: {
      ...needs("products:edit", "edit", "pictures", "picture", "retire", "unretire", "delete"),
      ...needs("stock:move", "stock"),
      delay: "orders:change",
    },
  },
  "/admin/settings": {
    read: "settings:read",
    actions: {
      ...needs("settings:edit", "shipping", "returns", "social", "withdraw"),
      ...needs("settings:owner", "contact", "payments", "tax", "parcels", "limits"),
    },
  },
  "/admin/texts": { read: "texts:edit", actions: { "new-post": "texts:edit" } },
  "/admin/texts/:key": { read: "texts:edit", actions: needs("texts:edit", "save", "picture", "withdraw", "announce") },
  "/admin/texts/:key/preview": { read: "texts:edit", actions: { preview: "texts:edit" } },
  "/admin/search": { read: "orders:read" },
  "/admin/staff": {
    read: "staff:read",
    actions: needs("staff:manage", "invite", "uninvite"),
  },
  "/admin/staff/:staffId": {
    read: "staff:read",
    actions: needs("staff:manage", "role", "disable", "enable", "sign-out", "factor"),
  },
  "/admin/messages": { read: "messages:read" },
  "/admin/messages/saved": { read: "messages:read", actions: needs("messages:reply", "save", "remove") },
  "/admin/messages/:messageId": {
    read: "messages:read",
    actions: needs("messages:reply", "reply", "keep", "status", "assign", "order"),
  },
  "/admin/messages/:messageId/pictures/:pictureId": { read: "messages:read" },
  "/admin/emails": { read: "orders:email", actions: needs("orders:email", "send-again", "remove") },
  "/admin/customers": { read: "customers:read" },
  "/admin/customers/by-email": { read: "customers:read", actions: needs("customers:note", ...ABOUT_CUSTOMERS) },
  "/admin/customers/:userId": {
    read: "customers:read",
    actions: { ...needs("customers:suspend", "suspend", "reinstate"), ...needs("customers:note", ...ABOUT_CUSTOMERS) },
  },
  "/admin/legal": { read: "privacy:handle", actions: needs("privacy:handle", "register") },
  "/admin/legal/:requestId": {
    read: "privacy:handle",
    actions: { ...needs("privacy:handle", "prove", "note", "extend", "close"), erase: "customers:erase" },
  },
  "/admin/legal/:requestId/file": { read: "customers:export", actions: { export: "customers:export" } },
  "/admin/audit": { read: "audit:read" },
  "/admin/go-live": { read: "go-live:check", actions: needs("go-live:check", "mail", "payments", "tax", "address") },
  "/admin/*": { read: "today:read" },
};

/** Null if the address or action is unknown. */
export function permissionFor(pattern: string, method: string, intent: string | null): Permission | null {
  const access = Object.hasOwn(ADMIN_ACCESS, pattern) ? ADMIN_ACCESS[pattern] : undefined;
  if (method === "GET" || method === "HEAD") return access?.read ?? null;
  return access?.actions && intent && Object.hasOwn(access.actions, intent) ? (access.actions[intent] ?? null) : null;
}

export type MenuItem = { path: string; label: string };

export const GO_LIVE = "/admin/go-live";
export const WAITLIST = "/admin/waitlist";

const SCREENS: MenuItem[] = [
  { path: "/admin", label: "Today" },
  { path: GO_LIVE, label: "Go live" },
  { path: "/admin/orders", label: "Orders" },
  { path: "/admin/returns", label: "Returns" },
  { path: "/admin/products", label: "Products" },
  { path: "/admin/texts", label: "Texts" },
  { path: "/admin/messages", label: "Messages" },
  { path: "/admin/customers", label: "Customers" },
  { path: "/admin/legal", label: "Legal requests" },
  { path: "/admin/discounts", label: "Discounts" },
  { path: WAITLIST, label: "Waitlist" },
  { path: "/admin/letters", label: "Letters" },
  { path: "/admin/analytics", label: "Analytics" },
  { path: "/admin/tax", label: "Tax" },
  { path: "/admin/settings", label: "Settings" },
  { path: "/admin/staff", label: "Staff" },
  { path: "/admin/audit", label: "Audit log" },
];

export const menuFor = (role: Role): MenuItem[] => SCREENS.filter(({ path }) => may(role, ADMIN_ACCESS[path]!.read));
