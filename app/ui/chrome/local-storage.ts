/** Local storage, which visitors may turn off: then nothing is stored, and reads are null. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The visit goes on without it.
  }
}

const WAITLIST_KEY = "polara:waitlist";

/** True once the waitlist popup was closed or answered. */
export const isWaitlistSettled = () => readStored(WAITLIST_KEY) !== null;

export const dismissWaitlist = (as: "closed" | "joined") => store(WAITLIST_KEY, as);
