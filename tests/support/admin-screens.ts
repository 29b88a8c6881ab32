/** Screens of the back office, with the ids of the demo. */
import type { Pool } from "pg";

type AdminScreen = {
  name: string;
  /** As in the site map; `id` selects the parameter. */
  path: string;
  id?: string;
  query?: string;
  isForPhones?: true;
};

const ORDER = "SELECT id FROM orders WHERE status = 'processing' AND payment_status = 'authorized' ORDER BY id LIMIT 1";
const PRODUCT = "SELECT id FROM products WHERE slug = 'polara-pro-earth-green'";

export const ADMIN_SCREENS: AdminScreen[] = [
  { name: "today", path: "/admin", isForPhones: true },
  { name: "orders", path: "/admin/orders", isForPhones: true },
  { name: "order", path: "/admin/orders/:orderId", id: ORDER, isForPhones: true },
  { name: "returns", path: "/admin/returns", isForPhones: true },
  {
    name: "return",
    path: "/admin/returns/:returnId",
    id: "SELECT id FROM returns ORDER BY created_at DESC LIMIT 1",
    isForPhones: true,
  },
  { name: "order-new", path: "/admin/orders/new", id: ORDER, query: "from" },
  { name: "packing-slips", path: "/admin/orders/slips", id: ORDER, query: "ids" },
  { name: "products", path: "/admin/products" },
  { name: "product", path: "/admin/products/:productId", id: PRODUCT },
  { name: "product-new", path: "/admin/products/new" },
  { name: "texts", path: "/admin/texts" },
  { name: "text", path: "/admin/texts/:key", id: "SELECT 'pages-about' AS id" },
  { name: "messages", path: "/admin/messages" },
  {
    name: "message",
    path: "/admin/messages/:messageId",
    id: "SELECT id FROM contact_messages WHERE status = 'open' ORDER BY id LIMIT 1",
  },
  { name: "saved-replies", path: "/admin/messages/saved" },
  { name: "failed-emails", path: "/admin/emails" },
  { name: "customers", path: "/admin/customers" },
  {
    name: "customer",
    path: "/admin/customers/:userId",
    id: "SELECT user_id AS id FROM orders WHERE user_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
  },
  {
    name: "guest",
    path: "/admin/customers/by-email",
    id: "SELECT email AS id FROM orders WHERE user_id IS NULL ORDER BY id LIMIT 1",
    query: "email",
  },
  { name: "legal", path: "/admin/legal" },
  { name: "legal-request", path: "/admin/legal/:requestId", id: "SELECT id FROM privacy_requests LIMIT 1" },
  { name: "discounts", path: "/admin/discounts", isForPhones: true },
  { name: "waitlist", path: "/admin/waitlist", isForPhones: true },
  { name: "letters", path: "/admin/letters" },
  { name: "letter", path: "/admin/letters/:letterId", id: "SELECT id FROM letters ORDER BY created_at LIMIT 1" },
  { name: "analytics", path: "/admin/analytics" },
  { name: "tax", path: "/admin/tax" },
  { name: "search", path: "/admin/search", id: "SELECT 'po' AS id", query: "q" },
  { name: "settings", path: "/admin/settings" },
  { name: "staff", path: "/admin/staff" },
  { name: "staff-member", path: "/admin/staff/:staffId", id: "SELECT user_id AS id FROM staff LIMIT 1" },
  { name: "audit", path: "/admin/audit" },
  { name: "go-live", path: "/admin/go-live", isForPhones: true },
];

export async function addressOf(pool: Pool, { path, id, query }: AdminScreen): Promise<string> {
  if (!id) return path;
  const { rows } = await pool.query<{ id: string }>(id);
  const found = rows[0]?.id ?? "";
  return query ? `${path}?${query}=${encodeURIComponent(found)}` : path.replace(/:\w+/, found);
}
