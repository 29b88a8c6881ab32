/** What a wishlist action tells the page that called it, in the words of SPEC 8. */
export type WishlistAnswer = { ok: true } | { ok: false; message: string };

export const WISHLIST_FAILURES = {
  add: { signedOut: "You must be logged in to add items to wishlist", failed: "Failed to add item to wishlist" },
  remove: { signedOut: "You must be logged in", failed: "Failed to remove item from wishlist" },
} as const;
