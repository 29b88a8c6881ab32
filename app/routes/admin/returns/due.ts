/** The day that a return waits for, and how urgent it is. */
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import { STATE_WORDS } from "#shop/returns/return.ts";
import type { ReturnRow } from "#shop/returns/returns.server.ts";
import type { Tone } from "#app/ui/admin/page-head.tsx";

type Due = { on: string | null; tone: Tone };

/** Days in which a request is answered. */
const ANSWER_DAYS = 1;
const SOON_DAYS = 2;

/** The state of a return for staff, whose turn it is while a label is owed. */
export const stateWords = ({ state, shipBy }: Pick<ReturnRow, "state" | "shipBy">): string =>
  state === "authorized" && shipBy === null ? "Label owed" : STATE_WORDS[state];

export function dueOf(
  { state, createdAt, shipBy, dueOn }: Pick<ReturnRow, "state" | "createdAt" | "shipBy" | "dueOn">,
  today: string,
): Due {
  switch (state) {
    case "requested":
      return ours(daysAfter(newYorkDay(createdAt), ANSWER_DAYS), today);
    case "received":
    case "inspected":
      return ours(dueOn, today);
    // The customer's turn, unless the shop owes the label.
    case "authorized":
      return { on: shipBy, tone: shipBy === null ? "soon" : "open" };
    // The customer's turn to answer or to pay, until the promised day is over.
    case "quoted":
    case "resolved":
      return dueOn !== null && dueOn < today ? ours(dueOn, today) : { on: null, tone: "open" };
    case "closed":
      return { on: null, tone: "done" };
    default:
      return { on: null, tone: "quiet" };
  }
}

function ours(on: string | null, today: string): Due {
  if (on !== null && on < today) return { on, tone: "late" };
  return { on, tone: on !== null && on <= daysAfter(today, SOON_DAYS) ? "soon" : "open" };
}
