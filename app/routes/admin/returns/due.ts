/** The day that a return waits for, and how urgent it is. */
import { daysAfter, newYorkDay } from "#shop/new-york-time.ts";
import type { ReturnRow } from "#shop/returns/returns.server.ts";
import type { Tone } from "#app/ui/admin/page-head.tsx";

type Due = { on: string | null; tone: Tone };

/** Days in which a request is answered. */
const ANSWER_DAYS = 1;
const SOON_DAYS = 2;

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
    // The customer's turn.
    case "authorized":
      return { on: shipBy, tone: "open" };
    case "quoted":
    case "resolved":
      return { on: null, tone: "open" };
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
