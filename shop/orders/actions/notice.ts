/** The notice of a delay: the promised day moves, and its email says what the buyer may answer, and what silence does. */
import { newYorkDay } from "#shop/new-york-time.ts";
import type { DelayReason } from "../reasons.ts";
import type { Change, DecidedBy } from "../change.ts";
import { answerDay, historyOf, noticeTerms, type NoticeTerms } from "../delay-terms.ts";
import type { DelayNotice } from "../facts.ts";
import { endsUnanswered, mayBeCanceled, mayShip, noticesOf, type OrderState } from "../state.ts";

const promised = ({ facts }: OrderState) => historyOf(facts.order.shipBy, noticesOf(facts));

/** Terms of a notice sent on `today`; silence keeps an order of which nothing that waits was bought. */
export const termsOf = (state: OrderState, today: string): NoticeTerms =>
  state.units.some(endsUnanswered) ? noticeTerms(promised(state), today) : { silentUntil: null, answerBy: null };

/** Day on which the authorization ends, if that is before what ships by `until`. */
export function holdEndBefore({ money: { authorized } }: OrderState, until: string | null): string | null {
  const end = authorized?.captureBefore ? newYorkDay(authorized.captureBefore) : null;
  return end !== null && (until === null || end <= until) ? end : null;
}

/** Moves the promised day of what waits, to a later or an unknown one. Before the first payment the buyer was told no day. */
export function notice(
  state: OrderState,
  { until, reason, wasTold = true }: { until: string | null; reason: DelayReason; wasTold?: boolean },
  act: DecidedBy,
): Change {
  const waiting = state.units.filter(mayShip);
  const answerBy = waiting.some(endsUnanswered) ? answerDay(promised(state), until, act.today) : null;
  const canceled = waiting.filter(mayBeCanceled);
  const from = state.promise.shipBy;
  const row: DelayNotice = { id: act.newId(), sentAt: act.at, from, until, answerBy, acceptedAt: null };
  const told = { until, answerBy, reason };
  return {
    order: { shipBy: until },
    delays: [row],
    events: [{ type: "delayed", data: { from, ...told } }],
    emails: [
      {
        template: "order-delayed",
        ...told,
        from: wasTold ? from : null,
        isRest: state.stage === "partly-shipped",
        mayCancel: canceled.length > 0,
        isFree: canceled.every(({ valueCents }) => valueCents === 0),
        isCharged: canceled.some(({ isPaid, refunded }) => isPaid && refunded === null),
        holdEndsOn: holdEndBefore(state, until),
      },
    ],
  };
}
