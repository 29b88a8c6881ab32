/** The answer to the notice of a delay, and the end without one. */
import { decided, NOTHING, refused, type DecidedBy, type Decision } from "../change.ts";
import { endsUnanswered, mayShip, noticesOf, type OrderState } from "../state.ts";
import { endUnits } from "./cancel.ts";

/** The buyer agrees to wait until a day, or for an unknown one (null), as their page said. Refusals: 'no-delay', 'status', 'meanwhile' if another notice was sent since. */
export function acceptDelay(state: OrderState, { until }: { until: string | null }, act: DecidedBy): Decision {
  const last = noticesOf(state.facts).at(-1);
  if (state.facts.order.end || !state.units.some(mayShip)) return refused("status");
  if (!last || !state.promise.isAsked) return refused("no-delay");
  if (state.promise.shipBy !== until) return refused("meanwhile");
  return decided({ delays: [{ ...last, acceptedAt: act.at }], events: [{ type: "delay-accepted" }] });
}

/**
 * Cancels what was bought and waits, once the day to answer is over: the order, or the rest of it. What a return sends, or
 * costs nothing, is kept. Refusals: 'disputed', 'under-way'.
 */
export function endUnanswered(state: OrderState, _input: object, act: DecidedBy): Decision {
  const { answerBy } = state.promise;
  if (answerBy === null || answerBy >= act.today) return NOTHING;
  if (state.money.isDisputed || state.money.isMismatched) return refused("disputed");
  const units = state.units.filter(endsUnanswered);
  return endUnits(state, units, { order: "unanswered", rest: "late" }, act);
}
