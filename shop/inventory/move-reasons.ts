/** Why stock changes otherwise than by a sale, in the order in which it is chosen from. */
export const MOVE_REASONS = ["received", "counted", "damaged", "returned", "correction"] as const;
export type MoveReason = (typeof MOVE_REASONS)[number];

/** For each reason, what is typed beside it. */
export const MOVE_WORDS: Record<MoveReason, string> = {
  received: "Received from the maker",
  counted: "Counted on the shelf",
  damaged: "Damaged or lost",
  returned: "Returned, good to sell again",
  correction: "Correction of a mistake",
};
