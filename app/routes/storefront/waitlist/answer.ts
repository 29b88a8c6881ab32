/** What came of joining. `message` is for the visitor; without one the popup has its own word. */
export type WaitlistAnswer =
  | { outcome: "joined" | "already-registered" }
  | { outcome: "invalid"; errors: { email?: string; phone?: string } }
  | { outcome: "failed"; message?: string };
