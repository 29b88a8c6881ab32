/** What came of joining. `message` is for the visitor; without one the popup has its own word. */
export type WaitlistActionResult =
  /** `isConfirmed`: nothing was mailed, because whoever joined had verified the email before. */
  | { outcome: "joined"; isConfirmed: boolean }
  | { outcome: "already-registered" }
  | { outcome: "invalid"; errors: { email?: string; phone?: string } }
  | { outcome: "failed"; message?: string };
