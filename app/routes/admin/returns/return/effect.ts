/** Words of what an outcome of a return does. */
import { formatMoney } from "#shop/money.ts";
import type { Effect } from "#shop/returns/effects.server.ts";
import type { Outcome } from "#shop/returns/lifecycle.ts";

const SENDS: Record<Outcome, string> = {
  refund: "Sends nothing",
  replacement: "Sends the same again",
  repair: "Sends the product back repaired",
  part: "Sends the part",
  "sent-back": "Sends the product back as is",
};

/** `exchangeName` is the product that is wanted in an exchange. */
export function effectWords(
  { outcome, backCents, byHandCents, dueCents, waivedCents }: Extract<Effect, { ok: true }>,
  exchangeName: string | null,
): string {
  const sends = outcome === "replacement" && exchangeName ? `Sends ${exchangeName}` : SENDS[outcome];
  if (dueCents > 0) return `${sends} once the customer has paid ${formatMoney(dueCents)}`;
  if (waivedCents > 0) return `${sends}, waives the ${formatMoney(waivedCents)} that the customer has not paid`;
  if (backCents === 0) return `${sends}, pays back nothing`;
  const pays = `${sends}, pays back ${formatMoney(backCents)}`;
  if (byHandCents === 0) return pays;
  return byHandCents === backCents
    ? `${pays}, which you send yourself`
    : `${pays}, of which you send ${formatMoney(byHandCents)} yourself`;
}
