/** For tests and measurements of what an email or an order is about, not of how many there are. */
import type { Counted } from "../../shop/checkout/place-order.server.ts";
import type { MailPermit } from "../../shop/mail/mail-budget.server.ts";

export const anyPermit = {} as MailPermit;

/** An order that counts against no limit. */
export const uncounted: Counted = {
  values: { limitKeys: [], limitCosts: [], limitPoints: [], limitSeconds: [] },
  waitOf: () => null,
  permit: anyPermit,
  refund: async () => {},
};
