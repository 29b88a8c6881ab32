/** Roles of the staff, from most to least permissions. */
export const ROLES = ["owner", "manager", "support", "packer"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_WORDS: Record<Role, { name: string; does: string }> = {
  owner: { name: "Owner", does: "Everything, including staff" },
  manager: { name: "Manager", does: "Orders, products, prices, the waitlist and analytics" },
  support: { name: "Support", does: "Orders, customers and messages, without exports" },
  packer: { name: "Packer", does: "Orders to ship, without prices and email addresses" },
};
