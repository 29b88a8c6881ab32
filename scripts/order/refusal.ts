/** Why something is not done, in a sentence for whoever asked for it. */
import type { OrderStatus } from "../../shop/orders/lifecycle.ts";

export class Refusal extends Error {}

type Refused = { ok: false; reason: string; status?: OrderStatus };

/** The answer where it was done; throws a Refusal otherwise. `may` says what the status does not let. */
export function accepted<Result extends { ok: true } | Refused>(
  result: Result,
  may: string,
  sentences: Partial<Record<Extract<Result, { ok: false }>["reason"], string>>,
): Extract<Result, { ok: true }> {
  if (result.ok) return result as Extract<Result, { ok: true }>;
  const { reason, status } = result as Refused;
  if (status) throw new Refusal(`The order is ${status}, so it cannot be ${may}.`);
  throw new Refusal(sentences[reason as keyof typeof sentences] ?? `That is refused: ${reason}.`);
}
