/** Money that the customer paid to staff, who send it back themselves. */
import { formatMoney } from "#shop/money.ts";

export const sendByHand = (cents: number): string =>
  `Send ${formatMoney(cents)} back yourself, the way the customer paid you, then record it as sent.`;
