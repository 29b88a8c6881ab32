/** The browser remembers that its visitor has seen the waitlist popup, and wants it no more. */
const KEY = "polara:waitlist";

export function isWaitlistSettled(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function settleWaitlist(as: "closed" | "joined"): void {
  try {
    localStorage.setItem(KEY, as);
  } catch {
    // A browser that keeps nothing asks again on the next visit.
  }
}
