/** What each member of the staff is, from the one who may do most. */
export const ROLES = ["owner", "manager", "support", "packer"] as const;
export type Role = (typeof ROLES)[number];

/** What a role is for, as it is said to whoever gives it. */
export const ROLE_WORDS: Record<Role, { name: string; does: string }> = {
  owner: { name: "Owner", does: "Everything, and who works here" },
  manager: { name: "Manager", does: "Orders, products, prices, the waitlist and the numbers" },
  support: { name: "Support", does: "Orders, customers and messages; exports nothing" },
  packer: { name: "Packer", does: "What to ship and where to; no sums and no email addresses" },
};

export const isRole = (value: unknown): value is Role => ROLES.includes(value as Role);
