/** The screens of the back office, in the order of the menu. */
import { may } from "../../../shop/staff/permissions.ts";
import type { Role } from "../../../shop/staff/roles.ts";
import { ADMIN_ACCESS } from "./access.ts";

export type MenuItem = { path: string; label: string };

const SCREENS: MenuItem[] = [
  { path: "/admin", label: "Today" },
  { path: "/admin/orders", label: "Orders" },
  { path: "/admin/products", label: "Products" },
  { path: "/admin/messages", label: "Messages" },
  { path: "/admin/customers", label: "Customers" },
  { path: "/admin/privacy", label: "Privacy" },
  { path: "/admin/waitlist", label: "Waitlist" },
  { path: "/admin/numbers", label: "Numbers" },
  { path: "/admin/staff", label: "Staff" },
  { path: "/admin/audit", label: "Audit" },
];

/** The screens that a role may see. */
export const menuFor = (role: Role): MenuItem[] => SCREENS.filter(({ path }) => may(role, ADMIN_ACCESS[path]!.read));
