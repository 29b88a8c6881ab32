/** Local storage, which visitors may turn off: then nothing is stored, and reads are null. */
function readStored(key: string): string | null {
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

const GUEST_WISHLIST_KEY = "polara:hearts";
/** The most that joins a wishlist at once. */
const MAX_WISHES = 100;

/** The product ids of a guest's hearts. */
export function readGuestWishlist(): string[] {
  const ids: unknown = JSON.parse(readStored(GUEST_WISHLIST_KEY) ?? "[]");
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

export const storeGuestWishlist = (productIds: string[]): void =>
  store(GUEST_WISHLIST_KEY, productIds.length > 0 ? JSON.stringify(productIds.slice(-MAX_WISHES)) : null);

export const addGuestWish = (productId: string): void =>
  storeGuestWishlist([...new Set([...readGuestWishlist(), productId])]);

const WAITLIST_KEY = "polara:waitlist";

/** True once the waitlist popup was closed or answered. */
export const isWaitlistSettled = () => readStored(WAITLIST_KEY) !== null;

export const dismissWaitlist = (as: "closed" | "joined") => store(WAITLIST_KEY, as);
