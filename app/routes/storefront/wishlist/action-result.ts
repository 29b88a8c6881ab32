/** The result of a wishlist action, for the page that called it. */
export type WishlistActionResult = { ok: true } | { ok: false; message: string };

export const WISHLIST_FAILURES = {
  add: { signedOut: "You must be logged in to add items to wishlist", failed: "Failed to add item to wishlist" },
  remove: { signedOut: "You must be logged in", failed: "Failed to remove item from wishlist" },
} as const;
